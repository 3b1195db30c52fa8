#!/usr/bin/env python3
"""A memory in a `hold` bus beside the same in a variable: what it costs that others may read it.

    held.py [--smec PATH] [--seconds 0.5] [--repeat 9] [--smoke]

A process reads and then writes words at random addresses, some in each cycle; one thread, processor time, runs by turns. Exit status 1: both end with different sums.
"""
import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import commands

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ROWS = [(16384, 1), (16384, 2), (16384, 4), (16384, 16), (262144, 1)]  # words of 32 bits, writes a cycle
DESIGN = """type word: bus {{ v: u32; }};
type memory: bus {{ v: [{words}]u32; }};
proc writer(out o: word)
    {memory};
    var at: u32 = 1;
    var sum: u32 = 0;
{{
{body}    o.v = sum;
}}
network top(out o: word) {{ instance w of writer(o); }}
"""


def design(isHeld, words, writes):
    name, shift = ("m.v" if isHeld else "m"), 32 - (words.bit_length() - 1)
    reads = [f"    at = u32(at * 1664525 + 1013904223);\n    a{k} = at >> {shift};\n    sum = u32(sum * 31 + {name}[a{k}]);\n" for k in range(writes)]
    body = "".join(f"    var a{k}: u32 = 0;\n" for k in range(writes)) + "".join(reads) + "".join(f"    {name}[a{k}] = u32(at + {k});\n" for k in range(writes))
    return DESIGN.format(words=words, memory="hold bus m: memory" if isHeld else f"var m: [{words}]u32", body=body)


def built(options, folder, isHeld, row):
    name = f"{'held' if isHeld else 'variable'}_{row[0]}_{row[1]}"
    with open(os.path.join(folder, f"{name}.sme"), "w", encoding="utf-8") as f:
        f.write(design(isHeld, *row))
    commands.run([options.smec, "compile", f"{name}.sme", "-o", name, "-q", "-O1" if options.smoke else "-O3"], folder, 600)
    return os.path.join(folder, name)


def run(program, cycles):
    """(the last sum, seconds of processor time)"""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ran = subprocess.run([program, "--cycles", str(cycles), "--threads", "1", "--quiet", "--print", "o.v"], stdout=subprocess.PIPE, encoding="utf-8", check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ran.stdout.split()[-1], after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compared(options, folder, row):
    """ns a cycle of both, and the ratios of pairs of runs."""
    programs = [built(options, folder, isHeld, row) for isHeld in (False, True)]
    cycles = 2000
    if not options.smoke:
        start = time.monotonic()
        run(programs[0], 1_000_000)
        cycles = int(1_000_000 * options.seconds / (time.monotonic() - start))
    pairs = [[run(program, cycles) for program in programs] for _ in range(options.repeat)]
    if any(variable[0] != held[0] for variable, held in pairs):
        sys.exit(f"{row}: the sums are {pairs[0][0][0]} and {pairs[0][1][0]}")
    return [[one[k][1] / cycles * 1e9 for one in pairs] for k in (0, 1)], [held[1] / variable[1] for variable, held in pairs]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--smec", default=os.path.join(ROOT, "build", "release", "bin", "smec"))
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--repeat", type=int, default=9)
    parser.add_argument("--smoke", action="store_true", help="few cycles, only their sums")
    options = parser.parse_args()
    options.smec, options.repeat = os.path.abspath(options.smec), 1 if options.smoke else options.repeat
    print("| memory | writes a cycle | variable, ns a cycle | `hold`, ns a cycle | ratio (lowest … highest) |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="sme_held_") as folder:
        for words, writes in ROWS:
            (variable, held), ratios = compared(options, folder, (words, writes))
            print(f"| {words // 256:,} KiB | {writes} | {statistics.median(variable):.2f} | {statistics.median(held):.2f} | "
                  f"{statistics.median(ratios):.2f} ({min(ratios):.2f} … {max(ratios):.2f}) |", flush=True)


if __name__ == "__main__":
    main()
