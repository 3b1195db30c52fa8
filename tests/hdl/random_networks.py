#!/usr/bin/env python3
"""Random networks, exported and simulated: every field of every cycle against the interpreter.

    random_networks.py [--smec PATH] [--seed N] [--count N] [--cycles N] [--tools icarus,verilator,lint,lint2005,yosys,yosys2005,ice40,xilinx,ghdl,synth,written]
                       [--without TOOL:SEED,…] [--narrow] [--async-reset] [--keep DIR] [-v]

Prints each finding with its seed; exit status 1 when there is one. What hardware cannot do (floats, random numbers, loops without
constant bounds) is not made, or counted and left out. With lint2005 or yosys2005 the Verilog is Verilog-2005. `--narrow`: numbers of at most 8 bits, for ice40 and xilinx, since Yosys takes
minutes for wide divisions.
"""
import argparse
import concurrent.futures
import os
import re
import shutil
import sys
import tempfile
import time

from judges import TOOLS, languagesOf, run

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "fuzz"))
import features  # noqa: E402
import networks  # noqa: E402
from cases import Case, filesOf, options as constantsOf  # noqa: E402

LEFT_OUT = {"floats", "sim"}
BENCHES = {"icarus", "verilator", "ghdl"}  # tools that run the test bench


def judge(seed, options, scratch):
    """(what came out, text): "passed", "left out", "found"."""
    folder = os.path.join(scratch, f"n{seed}")
    os.makedirs(folder)
    limits = ["hardware"] + ["narrow"] * options.narrow
    case = Case(seed, networks.network(seed, [f for f in features.FEATURES["now"] if f not in LEFT_OUT], f"f{seed}", limits))
    for name, text in filesOf([case]).items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
            if options.narrow:
                text = text.replace("cycle()", "u8(cycle())").replace(str(2**64 - 1), "255")  # a label
            f.write(text)
    dialect = ["--std", "v2005"] if {"lint2005", "yosys2005"} & set(options.tools) else []
    reset = ["--reset", "async", "--reset-polarity", "low"] if options.async_reset else []
    status, out = run([options.smec, "export", "fuzz.sme", "--top", "fuzz_top", *languagesOf(options.tools), *dialect, *reset, "-o", "rtl",
                       "--cycles", str(options.cycles), *constantsOf([case])], folder)
    if status == 1 and "cannot be exported as hardware" in out:
        shutil.rmtree(folder)
        return "left out", re.search(r"error: (.*)", out).group(1)
    problem = None if status == 0 else f"export: status {status}: " + "\n".join(out.splitlines()[:4])
    if status == 0:
        hasBench = "there is no test bench" not in out  # the design fails in cycle 0
        for tool in [t for t in options.tools if (hasBench or t not in BENCHES) and f"{t}:{seed}" not in options.without]:
            problem = problem or TOOLS[tool](os.path.join(folder, "rtl"))
    if problem is None:
        shutil.rmtree(folder)
        return "passed", ""
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
        shutil.copytree(folder, os.path.join(options.keep, f"n{seed}"), dirs_exist_ok=True)
    return "found", problem


def main():
    parser = argparse.ArgumentParser(description="random networks as hardware")
    parser.add_argument("--smec", default=os.environ.get("SMEC", "smec"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--cycles", type=int, default=40)
    parser.add_argument("--tools", default="icarus,lint")
    parser.add_argument("--without", default="", metavar="TOOL:SEED,…", help="tools that are not asked about these networks, since they take minutes")
    parser.add_argument("--narrow", action="store_true")
    parser.add_argument("--async-reset", action="store_true")
    parser.add_argument("--keep")
    parser.add_argument("-j", type=int, default=2, dest="jobs")
    parser.add_argument("-v", action="store_true", dest="verbose")
    options = parser.parse_args()
    options.smec = os.path.abspath(options.smec)
    options.tools = [t for t in options.tools.split(",") if t]
    options.without = options.without.split(",")
    for tool in options.tools:
        if tool not in TOOLS:
            parser.error(f"no such tool: {tool}")
    scratch, start = tempfile.mkdtemp(prefix="sme-hardware-"), time.time()
    counts, reasons = {"passed": 0, "left out": 0, "found": 0}, {}
    try:
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            seeds = range(options.seed, options.seed + options.count)
            for seed, (what, text) in zip(seeds, pool.map(lambda s: judge(s, options, scratch), seeds)):
                counts[what] += 1
                if what == "found":
                    print(f"seed {seed}: {text}", flush=True)
                if what == "left out":
                    reasons[text] = reasons.get(text, 0) + 1
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    if options.verbose:
        for text, count in sorted(reasons.items(), key=lambda r: -r[1]):
            print(f"  {count:4}  {text}")
    print(f"{counts['passed']} networks agree ({', '.join(options.tools)}), {counts['left out']} left out, {counts['found']} findings; "
          f"{time.time() - start:.0f} s")
    return 1 if counts["found"] or not counts["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
