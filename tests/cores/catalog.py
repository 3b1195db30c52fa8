"""The cores, by the names of `./sme cores --only`: where they are, and what stands around them."""
import glob
import os
import sys
import zipfile

from tools import HERE, must

LM32 = ("cpu decoder mc_arithmetic load_store_unit icache multiplier addsub dcache interrupt logic_op ram adder shifter top debug dp_ram "
        "instruction_unit itlb dtlb")


class Core:
    """`package`: of PyPI's pythondata-cpu-*, None: it is in this folder; `soc`: which of our soc_*.v it stands in; `patterns`: its files; `firmware`: the
    target of tools.py that it runs ours for; None: it runs random words."""

    def __init__(self, title, package, soc, patterns, licence, include=(), firmware="rv32i"):
        self.title, self.package, self.soc, self.patterns, self.licence = title, package, soc, patterns, licence
        self.include, self.firmware = include, firmware

    def sources(self, folder):
        found = [path for pattern in self.patterns for path in sorted(glob.glob(os.path.join(folder, pattern)))]
        return found + [os.path.join(HERE, f"soc_{self.soc}.v"), os.path.join(HERE, "bus_memory.v")]

    def includes(self, folder):
        return [os.path.join(folder, path) for path in self.include]


CORES = {
    "tiny": Core("tiny (`tests/cores`)", None, "tiny", ["tiny.v"], "MIT"),
    "picorv32": Core("PicoRV32", "picorv32", "picorv32", ["verilog/picorv32.v"], "ISC"),
    "serv": Core("SERV", "serv", "serv", ["verilog/rtl/*.v"], "ISC"),
    "vexriscv_min": Core("VexRiscv Min", "vexriscv", "vexriscv", ["verilog/VexRiscv_Min.v"], "MIT"),
    "vexriscv_lite": Core("VexRiscv Lite", "vexriscv", "vexriscv", ["verilog/VexRiscv_Lite.v"], "MIT"),
    "vexriscv": Core("VexRiscv", "vexriscv", "vexriscv", ["verilog/VexRiscv.v"], "MIT"),
    "vexriscv_full": Core("VexRiscv Full", "vexriscv", "vexriscv", ["verilog/VexRiscv_Full.v"], "MIT"),
    "mor1kx": Core("mor1kx", "mor1kx", "mor1kx", ["verilog/rtl/verilog/*.v", "verilog/rtl/verilog/pfpu32/*.v"], "CERN-OHL-W-2.0",
                   include=["verilog/rtl/verilog"], firmware="or1k"),
    "lm32": Core("LatticeMico32", "lm32", "lm32", [f"verilog/rtl/lm32_{part}.v" for part in LM32.split()], "Lattice Open Source",
                 include=["verilog/rtl", "verilog/test"], firmware=None),
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
