#!/usr/bin/env python3
"""Random networks, and the text of their IR behind each pass: ir_text.cpp says what holds of it.

    ir_text.py PROGRAM [--seed N] [--count N]
"""
import argparse
import os
import subprocess
import sys
import tempfile

import features
import networks
from cases import Case, filesOf

BATCH = 20  # networks of one design


def check(program, first, count):
    cases = [Case(seed, networks.network(seed, features.FEATURES["now"], f"f{seed}")) for seed in range(first, first + count)]
    with tempfile.TemporaryDirectory() as folder:
        for name, text in filesOf(cases).items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
                f.write(text)
        run = subprocess.run([program, "fuzz.sme"], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    isGood = run.returncode == 0 and run.stdout.startswith("1 designs")
    if not isGood:
        print(f"seeds {first} to {first + count - 1}:\n{run.stdout[-2000:]}")
    return isGood


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="ir_text of a build tree")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=2000, help="networks")
    options = parser.parse_args()
    bad = sum(not check(os.path.abspath(options.program), seed, min(BATCH, options.seed + options.count - seed))
              for seed in range(options.seed, options.seed + options.count, BATCH))
    print(f"{options.count} networks, {bad} batches with a mistake")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
