#!/usr/bin/env python3
"""The ladder: cores that other people wrote, from PyPI's pythondata-cpu-* packages, on our simulator. Each is imported and compiled; its registers
are compared with Icarus Verilog in every cycle, all that it asks of its buses and its result with Verilator over many more, and both are timed.
tests/cores/README.md"""
import argparse
import concurrent.futures
import os
import shutil
import sys

import page
from catalog import CORES
from designs import KINDS, RINGS, CoreDesign, designs
from kept import Clock, Kept
from simulators import Verilator
from steps import Steps
from tools import ROOT, TARGETS, Limit, bringSlang

NEEDED = ("yosys", "iverilog", "make", "gcc")


def arguments():
    parser = argparse.ArgumentParser(prog="./sme cores", description=__doc__)
    parser.add_argument("--check", action="store_true", help="build, and compare registers and outputs; other things may run beside it. Without --check and --time: both, "
                        "one after the other (minutes of --full: tests/cores/README.md)")
    parser.add_argument("--time", action="store_true", help="time what --check has built, or build it, on a machine with nothing else on it")
    parser.add_argument("--only", action="append", choices=[*CORES, *RINGS], help="a core, or a ring of cores; as often as wanted (default: all, without Rocket and the ring of 1,024, "
                        "which --full has)")
    parser.add_argument("--smec", default=os.environ.get("SMEC", os.path.join(ROOT, "build/release/bin/smec")), help="the compiler")
    parser.add_argument("--work", default=os.path.join(ROOT, "build", "cores"), help="folder for packages and all that is made")
    parser.add_argument("--verilator", default="verilator", metavar="PATH", help="another Verilator")
    parser.add_argument("--kinds", nargs="+", choices=list(KINDS), default=list(KINDS), help="Verilator's ways that are tried; the best of them counts")
    parser.add_argument("--registers", type=int, metavar="N", help="cycles in which registers are compared with Icarus (5,000)")
    parser.add_argument("--cycles", type=int, metavar="N", help="cycles after which results and hashes are compared with Verilator (3,000,000; of rings 100,000)")
    parser.add_argument("--seconds", type=float, metavar="S", help="what a timed run takes at least (1)")
    parser.add_argument("--repeat", type=int, metavar="N", help="timed runs, of which the median counts (3)")
    parser.add_argument("--full", action="store_true", help="100,000 cycles of registers, 10,000,000 of outputs, 7 timed runs of 5 s or more; Rocket and the ring of 1,024")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="how many designs are checked at a time (1)")
    parser.add_argument("--missing", action="store_true", help="list registers that are not compared")
    parser.add_argument("--resume", action="store_true", help="take figures that are there, of the same C++ from smec, the same Verilator, sources and options")
    parser.add_argument("--minutes", type=float, default=1e6, metavar="N", help="begin nothing after so long; --resume goes on")
    parser.add_argument("--limit", type=float, default=Limit.seconds, metavar="S", help="seconds after which a program of others or ours is ended (3600)")
    parser.add_argument("--write", action="store_true", help="write the tables into docs/cores.md, with what is missing")
    parser.add_argument("--page", default=page.PAGE, metavar="FILE", help="another page for --write")
    options = parser.parse_args()
    defaults = {"registers": (5_000, 100_000), "cycles": (3_000_000, 10_000_000), "seconds": (1, 5), "repeat": (3, 7)}
    for name, values in defaults.items():
        if getattr(options, name) is None:
            setattr(options, name, values[options.full])
    if not options.check and not options.time:
        options.check = options.time = True
    options.smec, options.work = os.path.abspath(options.smec), os.path.abspath(options.work)
    return options


def absent(options, wanted):
    """Programs without which nothing goes; one core's compiler stops that core alone."""
    targets = [TARGETS[design.core.firmware] if isinstance(design, CoreDesign) and design.core.firmware else None for design in wanted]
    compilers = {target.prefix + "gcc" if target and not target.image else "" for target in targets}
    found = [tool for tool in compilers if not tool or shutil.which(tool)]
    return [tool for tool in (*NEEDED, options.verilator, *([] if found else sorted(compilers))) if not shutil.which(tool)]


def checked(design, options, version, kept):
    """How many steps failed."""
    steps = Steps(design, options, version, kept)
    steps.check()
    if options.missing:
        for what, text in (("missing", "has no register of its own in the source"), ("unsettled", "differs in the first cycles")):
            print("".join(f"{design.name}: {path} {text}\n" for path in steps.figures.get("registers", {}).get(what, [])), end="", flush=True)
    return steps.failed


def timed(design, options, version, kept):
    steps = Steps(design, options, version, kept)
    steps.time()
    return steps.failed


def run(options, wanted, version, kept):
    """How many steps failed. Times are taken when all else is done."""
    failed = 0
    if options.check:
        with concurrent.futures.ProcessPoolExecutor(max_workers=options.jobs) as pool:
            failed += sum(pool.map(checked, wanted, *([same] * len(wanted) for same in (options, version, kept))))
    if options.time:
        failed += sum(timed(design, options, version, kept) for design in wanted)
    return failed


def main():
    options = arguments()
    wanted = designs(options)
    if needed := absent(options, wanted):
        print(f"not found: {', '.join(needed)}")
        return 77
    os.makedirs(options.work, exist_ok=True)
    if any(isinstance(design, CoreDesign) and design.core.isSystemVerilog() for design in wanted):
        bringSlang(options.work)
    Limit.seconds = options.limit
    version = Verilator(options.verilator, options.work).version()
    print(f"Verilator {version}", flush=True)
    kept = Kept(options.work, Clock(options.minutes))
    failed = run(options, wanted, version, kept)
    for part, isRing in (("cores", False), ("ring", True)):
        rows = [page.row(kept, design.name) for design in wanted if isRing == (design.name in RINGS)]
        print("\n".join([page.head(part), *rows]) if rows else "")
    print("\n".join(line for design in wanted for line in page.missing(kept, design.name)))
    if options.write:
        page.written(kept, options.page)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
