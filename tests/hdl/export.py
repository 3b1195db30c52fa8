#!/usr/bin/env python3
"""Every example and every program of the standard library's tests as hardware: linted without a word, and its test bench passes.

Designs that hardware cannot do (floats, loops without constant bounds) are refused with [not-hardware]; EXPECTED names them.
"""
import concurrent.futures
import glob
import os
import sys

from judges import ROOT, SMEC, Tally, exported, ghdl, icarus, lint, scratch, synth, yosys

# What is refused, with a part of the reason.
EXPECTED = {}
# Yosys needs minutes for these: wide division or multiplication.
LONG = set()


def programs():
    found = [(p, os.path.basename(p)[:-4]) for p in sorted(glob.glob(os.path.join(ROOT, "examples", "*", "*.sme")))]
    found += [(p, "std." + os.path.basename(p)[:-4]) for p in sorted(glob.glob(os.path.join(ROOT, "tests", "stdlib", "*.sme")))]
    return found


def judge(program):
    path, name = program
    with scratch() as folder:
        size = ["-G", "n=8"] if "/08_" in path or "/09_" in path or "/10_" in path or "/11_" in path else []
        status, out = exported(path, folder, *size)
        if name in EXPECTED:
            good = status == 1 and "[not-hardware]" in out and EXPECTED[name] in out
            return [] if good else [f"{name}: not refused as it should be: {out[:400]}"]
        if status != 0:
            return [f"{name}: export ended with {status}: {out[:400]}"]
        rtl = os.path.join(folder, "rtl")
        tools = [lint, icarus, ghdl, synth] + ([yosys] if name not in LONG else [])
        return [f"{name}: {text}" for text in (tool(rtl) for tool in tools) if text]


def main():
    tally = Tally()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for program, wrong in zip(programs(), pool.map(judge, programs())):
            tally.check(not wrong, "\n".join(wrong))
    tally.end()


if __name__ == "__main__":
    main()
