#!/usr/bin/env python3
"""A core runs firmware until it traps. From there back by some cycles, and a waveform of these.

    trap.py                   PicoRV32, from PyPI, traps after 40 million cycles
    trap.py --core tiny --rounds 2
    trap.py --verilator PATH  the same with Verilator: a second run that writes FST"""
import argparse
import os
import shutil
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import catalog
import simulators
import tools

HERE = os.path.dirname(os.path.abspath(__file__))
MAIN = """#include "Vmachine.h"
#include "verilated.h"
#include "verilated_fst_c.h"
#include <cstdio>
#include <cstdlib>
// cycles until the trap; or all of them, the last ones into a file
int main(int, char** argv) {
    VerilatedContext context;
    context.traceEverOn(true);
    Vmachine top{&context};
    VerilatedFstC trace;
    top.trace(&trace, 99);
    const long end = atol(argv[1]), begin = atol(argv[2]);
    for (long k = 0; end == 0 || k < end; ++k) {
        if (end != 0 && k == begin) trace.open("verilator.fst");
        top.rst = k < 8;
        top.clk = 0;
        top.eval();
        if (trace.isOpen()) trace.dump(static_cast<vluint64_t>(10 * k));
        top.clk = 1;
        top.eval();
        if (trace.isOpen()) trace.dump(static_cast<vluint64_t>(10 * k + 5));
        if (end == 0 && top.trap_v) { std::printf("%ld\\n", k + 1); return 0; }
    }
    trace.close();
}
"""


def prepared(options, work):
    """A folder with all that the design is made of."""
    core = catalog.CORES[options.core]
    source = catalog.fetched(core, options.packages)
    shutil.copy(os.path.join(HERE, "trap.sme"), work)
    shutil.copy(os.path.join(HERE, f"machine_{options.core}.v"), os.path.join(work, "machine.v"))
    for path in core.sources(source)[:1]:
        shutil.copy(path, work)
    tools.firmware(work, "firmware", tools.TARGETS["rv32i"], options=[f"-DROUNDS={options.rounds}"])


def in_smec(options, work):
    """(cycle of the trap, seconds until then, seconds from then to the file)"""
    import smec
    os.chdir(work)
    sim = smec.compile("trap.sme", flags=options.flag, options={"threads": 1, "snapshots": "256"})
    start = time.perf_counter()
    sim.step(1 << 40)
    at = time.perf_counter()
    assert sim.stopped, "no trap"
    cycle = sim.cycle
    sim.goto(cycle - options.last)
    with sim.trace("trap.fst", "**"):
        sim.step(options.last)
    return cycle, at - start, time.perf_counter() - at


def in_verilator(options, work):
    """The same: it has to run once more."""
    verilator = simulators.Verilator(options.verilator, work)
    folder = os.path.join(work, "verilated")
    os.makedirs(folder)
    with open(os.path.join(folder, "main.cpp"), "w", encoding="utf-8") as f:
        f.write(MAIN)
    tools.must(options.verilator, "--cc", "--exe", "--trace-fst", *simulators.FLAGS, "--prefix", "Vmachine", "--Mdir", folder, "--top-module", "machine", "-o", "program",
               os.path.join(folder, "main.cpp"), "machine.v", f"-I{work}", folder=work, env=verilator.env)
    tools.must("make", "-s", "-C", folder, "-f", "Vmachine.mk", "OBJCACHE=", "VK_PCH_I_FAST=", "VK_PCH_I_SLOW=", "OPT_FAST=-O3 -march=native",
               "OPT_GLOBAL=-O3 -march=native", folder=work, env=verilator.env)
    program = os.path.join(folder, "program")
    first = tools.must(program, "0", "0", folder=work)
    cycle = int(first.out)
    return verilator.version(), cycle, first.wall, tools.must(program, str(cycle), str(cycle - options.last), folder=work).wall


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--core", default="picorv32", choices=["picorv32", "tiny"])
    parser.add_argument("--rounds", type=int, default=181, help="of the firmware, until it traps")
    parser.add_argument("--last", type=int, default=1000, help="cycles of the waveform")
    parser.add_argument("--flag", action="append", default=[], help="of smec compile; as often as needed")
    parser.add_argument("--verilator", help="its program")
    parser.add_argument("--packages", default=os.path.join(tools.ROOT, "build", "cores"), help="where packages of cores are kept")
    parser.add_argument("--keep", help="a folder for the waveform, and for what it was made of")
    options = parser.parse_args()
    options.packages = os.path.abspath(options.packages)
    os.makedirs(options.packages, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="smec-trap-") as work:
        prepared(options, work)
        cycle, running, going = in_smec(options, work)
        size = os.path.getsize(os.path.join(work, "trap.fst"))
        print(f"smec: trap after {cycle} cycles, {running:.2f} s; from there to the waveform of its last {options.last} {going:.2f} s, {size} bytes")
        if options.keep:
            shutil.copytree(work, options.keep, ignore=shutil.ignore_patterns(".smec", "build"), dirs_exist_ok=True)
        if options.verilator:
            version, cycle, running, going = in_verilator(options, work)
            print(f"Verilator {version.lstrip('v')}: trap after {cycle} cycles, {running:.2f} s; from there to the waveform of its last {options.last} {going:.2f} s")


if __name__ == "__main__":
    main()
