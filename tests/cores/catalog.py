"""The cores, by the names of `./sme cores --only`: where they are, and what stands around them."""
import glob
import os
import sys
import zipfile

from tools import HERE, must

LM32 = ("cpu decoder mc_arithmetic load_store_unit icache multiplier addsub dcache interrupt logic_op ram adder shifter top debug dp_ram "
        "instruction_unit itlb dtlb")

IBEX = ("pkg alu branch_predict compressed_decoder controller core counter cs_registers csr decoder dummy_instr ex_block fetch_fifo icache id_stage if_stage "
        "load_store_unit lockstep multdiv_fast multdiv_slow pmp prefetch_buffer register_file_ff top wb_stage")
LOWRISC = "system_verilog/vendor/lowrisc_ip"
PRIM, PRIM_OF_IBEX, PRIM_GENERIC = f"{LOWRISC}/ip/prim/rtl/prim", "system_verilog/dv/uvm/core_ibex/common/prim/prim", f"{LOWRISC}/ip/prim_generic/rtl/prim_generic"
CV32E40P = ("if_stage cs_registers register_file_ff load_store_unit id_stage aligner decoder compressed_decoder fifo prefetch_buffer hwloop_regs mult "
            "int_controller ex_stage alu_div alu ff_one popcnt apu_disp controller obi_interface prefetch_controller sleep_unit core top")


class Core:
    """`package`: of PyPI's pythondata-cpu-*, None: it is in this folder; `soc`: which of our soc_*.v it stands in; `patterns`: its files; `firmware`: the
    target of tools.py that it runs ours for; None: it runs random words; `top`: its own top module; `memory`: what the soc stands it beside; `isTwoState`:
    its registers are compared with Verilator, since too many are x in Icarus for long; `startsAtZero`: what is x at first changes when it asks what."""

    def __init__(self, title, package, soc, patterns, licence, top, include=(), firmware="rv32i", memory="bus_memory", isTwoState=False, startsAtZero=False):
        self.title, self.package, self.soc, self.patterns, self.licence = title, package, soc, patterns, licence
        self.top, self.include, self.firmware, self.memory = top, include, firmware, memory
        self.isTwoState, self.startsAtZero = isTwoState or self.isSystemVerilog(), startsAtZero

    def sources(self, folder):
        found = [path for pattern in self.patterns for path in sorted(glob.glob(os.path.join(folder, pattern)))]
        return found + glob.glob(os.path.join(HERE, f"soc_{self.soc}.*v")) + [os.path.join(HERE, f"{self.memory}.v")]

    def isSystemVerilog(self):
        return any(pattern.endswith(".sv") for pattern in self.patterns)

    def verilatorOptions(self):
        zero = ["--x-assign", "0", "--x-initial", "0"] if self.startsAtZero else []
        return ["-DSYNTHESIS", *zero] if self.isTwoState else zero  # as Yosys says it of itself

    def includes(self, folder):
        return [os.path.join(folder, path) for path in self.include]


CORES = {
    "tiny": Core("tiny (`tests/cores`)", None, "tiny", ["tiny.v"], "MIT", "tiny"),
    "picorv32": Core("PicoRV32", "picorv32", "picorv32", ["verilog/picorv32.v"], "ISC", "picorv32"),
    "serv": Core("SERV", "serv", "serv", ["verilog/rtl/*.v"], "ISC", "serv_rf_top"),
    "vexriscv_min": Core("VexRiscv Min", "vexriscv", "vexriscv", ["verilog/VexRiscv_Min.v"], "MIT", "VexRiscv"),
    "vexriscv_lite": Core("VexRiscv Lite", "vexriscv", "vexriscv", ["verilog/VexRiscv_Lite.v"], "MIT", "VexRiscv"),
    "vexriscv": Core("VexRiscv", "vexriscv", "vexriscv", ["verilog/VexRiscv.v"], "MIT", "VexRiscv"),
    "vexriscv_full": Core("VexRiscv Full", "vexriscv", "vexriscv", ["verilog/VexRiscv_Full.v"], "MIT", "VexRiscv"),
    "lm32": Core("LatticeMico32", "lm32", "lm32", [f"verilog/rtl/lm32_{part}.v" for part in LM32.split()], "Lattice Open Source", "lm32_top",
                 include=["verilog/rtl", "verilog/test"], firmware="lm32"),
    "ibex": Core("Ibex", "ibex", "ibex", [f"{PRIM_OF_IBEX}_pkg.sv", *(f"{PRIM}_{part}_pkg.sv" for part in ("util", "count", "cipher", "ram_1p", "mubi", "secded")),
                                          *(f"system_verilog/rtl/ibex_{part}.sv" for part in IBEX.split()),
                                          *(f"{PRIM_OF_IBEX}_{part}.sv" for part in ("buf", "clock_gating", "flop")),
                                          *(f"{PRIM_GENERIC}_{part}.sv" for part in ("buf", "clock_gating", "flop"))],
                 "Apache-2.0", "ibex_top", include=[f"{LOWRISC}/ip/prim/rtl", f"{LOWRISC}/dv/sv/dv_utils"], firmware="rv32imc_80"),
    "mor1kx": Core("mor1kx", "mor1kx", "mor1kx", ["verilog/rtl/verilog/*.v", "verilog/rtl/verilog/pfpu32/*.v"], "CERN-OHL-W-2.0", "mor1kx",
                   include=["verilog/rtl/verilog"], firmware="or1k"),
    "cv32e40p": Core("CV32E40P", "cv32e40p", "cv32e40p", [*(f"system_verilog/rtl/include/cv32e40p_{part}_pkg.sv" for part in ("apu_core", "fpu")),
                                                          "system_verilog/rtl/include/cv32e40p_pkg.sv",
                                                          *(f"system_verilog/rtl/cv32e40p_{part}.sv" for part in CV32E40P.split()),
                                                          "system_verilog/bhv/cv32e40p_sim_clock_gate.sv"],
                     "Solderpad-0.51", "cv32e40p_top", include=["system_verilog/rtl/include"], firmware="rv32imc"),
    "rocket": Core("Rocket (small, RV64IMAC)", "rocket", "rocket", [f"verilog/generated-src/freechips.rocketchip.system.LitexConfig.{part}" for part in ("v", "behav_srams.v")]
                   + [f"verilog/vsrc/{part}.v" for part in ("AsyncResetReg", "EICG_wrapper", "plusarg_reader")], "Apache-2.0, BSD-3-Clause", "ExampleRocketSystem",
                   firmware="rv64imac_rocket", memory="axi_memory", isTwoState=True, startsAtZero=True),
}


def fetched(core, work):
    """The folder of a core's files. Those of others are not in the project: pip brings them."""
    if core.package is None:
        return HERE
    folder = os.path.join(work, "packages", core.package)
    if not os.path.isdir(folder):
        must(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", os.path.join(work, "wheels"), f"pythondata-cpu-{core.package}", folder=work)
        wheel, = glob.glob(os.path.join(work, "wheels", f"pythondata_cpu_{core.package}-*.whl"))
        with zipfile.ZipFile(wheel) as z:
            z.extractall(folder + ".part")
        os.rename(folder + ".part", folder)
    return os.path.join(folder, f"pythondata_cpu_{core.package}")
