#!/usr/bin/env python3
"""Counts what a process step costs, for `smec`'s simulators and the hand-written limits: instructions, cache misses, mispredicted branches.

    counts.py --smec PATH [--only NAMES] [--cycles N]

By cachegrind, with the sizes of this machine's first and last level caches, as the difference of runs of N and 3 N cycles, so that starting
does not count. Valgrind does not know AVX-512: everything is compiled for x86-64-v3, with vectors of 32 bytes, and the last column
divides instructions for that machine, not times.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

import commands
from contenders import Workshop
from workloads import DESIGNS, fullRows

MARCH = "x86-64-v3"
COUNTED = {"I": "I   refs", "D1": "D1  misses", "LL": "LL misses", "branches": "Mispredicts"}


class CountedWorkshop(Workshop):
    """Builds for a processor that Valgrind knows."""

    def optimised(self):
        return ["-O3", f"-march={MARCH}"]

    def program(self, kind, row, folder):
        if kind == "limit":
            return self.buildLimit(kind, row, folder)[0]
        source = self.source(row.design, row.parameters, "sme")
        constants = [word for name, value in self.constants(row.design, row.parameters).items() for word in ("-G", f"{name}={value}")]
        commands.run([self.smec, "compile", source, "-q", "-Wno-unused", "--march", MARCH, "-o", "program", "--build-dir", "build", *constants],
                     folder, 600, 12)
        return os.path.join(folder, "program")


def counts(command, folder):
    out = subprocess.run(["valgrind", "--tool=cachegrind", "--cache-sim=yes", "--branch-sim=yes", "--cachegrind-out-file=/dev/null", *command],
                         cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if out.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {out.returncode}\n{out.stderr[-2000:]}")
    return {key: int(re.search(rf"{text}: +([\d,]+)", out.stderr).group(1).replace(",", "")) for key, text in COUNTED.items()}


def perStep(kind, program, row, cycles):
    def command(count):
        return [program, str(count)] if kind == "limit" else [program, "--cycles", str(count), "--threads", "1", "--quiet"]
    few, many = counts(command(cycles), DESIGNS), counts(command(3 * cycles), DESIGNS)
    return {key: (many[key] - few[key]) / (2 * cycles * row.steps) for key in COUNTED}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--smec", required=True)
    parser.add_argument("--only", default="mesh 64,hetero 1000,comb,wait 10000,systolic 16", help="as for the suite")
    parser.add_argument("--cycles", type=int, default=200)
    options = parser.parse_args()
    words = [word.strip().replace(",", "") for word in options.only.split(",")]
    chosen = [row for row in fullRows() if any(re.search(rf"\b{word}\b", row.name.replace(",", "")) for word in words)]
    folder = tempfile.mkdtemp(prefix="sme_counts_")
    workshop = CountedWorkshop(os.path.abspath(options.smec), folder, False, 1, 600, True)
    print("| network | | instructions | D1 misses | LL misses | mispredicted | ours / limit |\n|---|---|---|---|---|---|---|")
    try:
        for row in chosen:
            found = {kind: perStep(kind, workshop.program(kind, row, workshop.emptied(os.path.join(folder, kind))), row, options.cycles)
                     for kind in ("limit", "ours")}
            for kind, one in found.items():
                ratio = f"{found['ours']['I'] / found['limit']['I']:.2f}" if kind == "ours" else ""
                print(f"| {row.name} | {kind} | {one['I']:.3f} | {one['D1']:.4f} | {one['LL']:.5f} | {one['branches']:.5f} | {ratio} |", flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


main()
