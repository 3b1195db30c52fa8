#!/usr/bin/env python3
"""The programs of tests/bench/bodies beside their loops by hand: speed of ours divided by theirs.

    bodies.py [--smec PATH] [--only NAMES] [--sizes small,large] [--threads 1] [--seconds 0.3] [--repeat 5] [--json F] [--markdown F] [--svg F] [--smoke]

Each program is a network NAME.sme with a parameter n, and a NAME.cpp that simulates the same; corpus.json has the two sizes and the counters. Their sums are equal
after 1, 2 and 1,000 cycles, or the exit status is 1. Processor time of runs by turns, without that of a run of one cycle; two threads: wall time.
"""
import argparse
import hashlib
import itertools
import json
import math
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from xml.sax.saxutils import escape

import commands

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BODIES = os.path.join(HERE, "bodies")
NAMES_AT_ONCE = 4096
MASK = 2**64 - 1
MARKS = {"small": 'r="4" fill="#1f6fd0"', "large": 'r="6" fill="none" stroke="#d0741f" stroke-width="2"'}  # seen where they lie upon one another


def programs(only):
    with open(os.path.join(BODIES, "corpus.json"), encoding="utf-8") as f:
        rows = json.load(f)
    unknown = set(only) - set(rows)
    if unknown:
        sys.exit(f"no program is called '{sorted(unknown)[0]}'; there are {', '.join(rows)}")
    return {name: row for name, row in rows.items() if not only or name in only}


def checkHashes():
    """They are as they were first written."""
    with open(os.path.join(BODIES, "SHA256SUMS"), encoding="utf-8") as f:
        wanted = {name: digest for digest, name in (line.split() for line in f)}
    found = {}
    for name in sorted(os.listdir(BODIES)):
        if name.endswith((".sme", ".cpp")):
            with open(os.path.join(BODIES, name), "rb") as f:
                found[name] = hashlib.sha256(f.read()).hexdigest()
    for name in sorted(set(wanted) | set(found)):
        if wanted.get(name) != found.get(name):
            sys.exit(f"{name} is not as SHA256SUMS has it")


def paths(pattern, n):
    """`core[*].hits` for each of n instances."""
    parts = pattern.split("[*]")
    for numbers in itertools.product(range(n), repeat=len(parts) - 1):
        yield "".join(part + (f"[{number}]" if k < len(numbers) else "") for k, (part, number) in enumerate(zip(parts, [*numbers, 0])))


class Program:
    def __init__(self, options, folder, name, size, counters):
        self.name, self.size, self.counters, self.folder = name, size, counters, folder
        self.ours, self.hand = os.path.join(folder, f"{name}_{size}"), os.path.join(folder, name + "_hand")
        self.threads = str(options.threads)
        level = ["-O0"] if options.smoke else []
        commands.run([options.smec, "compile", os.path.join(BODIES, name + ".sme"), "-G", f"n={size}", "-q", *level, "-o", self.ours], folder, 1200)
        if not os.path.exists(self.hand):
            flags = level or ["-O3", "-march=native"]
            commands.run([os.environ.get("CXX", "g++"), "-std=c++20", *flags, os.path.join(BODIES, name + ".cpp"), "-o", self.hand], folder, 1200)

    def command(self, whose, cycles):
        if whose == "hand":
            return [self.hand, str(self.size), str(cycles)]
        return [self.ours, "--cycles", str(cycles), "--threads", self.threads, "--quiet"]

    def sums(self, cycles):
        """Of ours, as the other one prints them."""
        names = [(counter, path) for counter, pattern in self.counters.items() for path in paths(pattern, self.size)]
        sums = dict.fromkeys(self.counters, 0)
        for first in range(0, len(names), NAMES_AT_ONCE):
            part = names[first:first + NAMES_AT_ONCE]
            lines = commands.run([*self.command("ours", cycles), *(word for _, path in part for word in ("--print", path))], self.folder, 1200).out.splitlines()
            for (counter, _), line in zip(part, lines, strict=True):
                sums[counter] = sums[counter] + int(line.rsplit(" ", 1)[1]) & MASK
        return " ".join(f"{counter} {value}" for counter, value in sums.items())

    def check(self, cycles):
        ours, theirs = self.sums(cycles), commands.run(self.command("hand", cycles), self.folder, 1200).out.strip()
        if ours != theirs:
            sys.exit(f"{self.name}, n = {self.size}, {cycles} cycles: {ours}\n  by hand {theirs}")

    def seconds(self, whose, cycles):
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        subprocess.run(self.command(whose, cycles), cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        return wall if self.threads != "1" else after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def measured(self, options):
        """Nanoseconds a cycle of each run: (ours, by hand)"""
        cycles = 1000
        while (took := self.seconds("hand", cycles)) < options.seconds:
            cycles = int(cycles * min(20, 1.2 * options.seconds / max(took, 1e-3))) + 1
        start = {whose: min(self.seconds(whose, 1) for _ in range(3)) for whose in ("ours", "hand")}
        runs = []
        for _ in range(options.repeat):
            runs.append(tuple(max(self.seconds(whose, cycles) - start[whose], 1e-9) / cycles * 1e9 for whose in ("ours", "hand")))
        return runs


def geometricMean(values):
    return math.exp(statistics.fmean(math.log(value) for value in values))


def picture(rows, threads):
    """A row for each program, on it a mark for each size, at ours divided by the loop by hand, on a logarithmic scale."""
    left, width, height, top = 320, 560, 20, 64
    values = [size["ratio"] for row in rows for size in row["sizes"]]
    low, high = math.floor(math.log2(min(*values, 0.5))), math.ceil(math.log2(max(*values, 2)))
    at = lambda value: left + width * (math.log2(value) - low) / (high - low)
    bottom = top + height * len(rows)
    mean = geometricMean(values)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 40}" height="{bottom + 40}" font-family="sans-serif" font-size="13">',
             '<rect width="100%" height="100%" fill="white"/>',
             f'<text x="16" y="24" font-size="15">Speed of smec divided by that of a loop by hand, {threads} thread{"s" if threads > 1 else ""}; geometric mean {mean:.2f}</text>',
             *(f'<circle cx="{left + 80 * k}" cy="44" {mark}/><text x="{left + 80 * k + 10}" y="48">{kind}</text>' for k, (kind, mark) in enumerate(MARKS.items()))]
    for power in range(low, high + 1):
        x = at(2.0 ** power)
        lines.append(f'<line x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{bottom}" stroke="{"#404040" if power == 0 else "#d0d0d0"}"/>'
                     f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{2.0 ** power:g}</text>')
    for k, row in enumerate(rows):
        y = top + height * (k + 0.5)
        lines.append(f'<text x="{left - 14}" y="{y + 4:.1f}" text-anchor="end">{escape(row["title"])}</text>')
        for mark, size in zip(MARKS.values(), row["sizes"]):
            label = f'{row["name"]}, n = {size["n"]}: {size["ratio"]:.2f}'
            lines.append(f'<circle cx="{at(size["ratio"]):.1f}" cy="{y:.1f}" {mark}><title>{escape(label)}</title></circle>')
    return "\n".join([*lines, "</svg>", ""])


def table(rows):
    lines = ["| program | n | ours, ns a cycle | by hand | speed of ours / by hand |", "|---|---|---|---|---|"]
    for row in rows:
        for size in row["sizes"]:
            lines.append(f"| {row['title']} (`{row['name']}`) | {size['n']:,} | {size['ours']:,.1f} | {size['hand']:,.1f} | {size['ratio']:.2f} ({size['least']:.2f} … {size['most']:.2f}) |")
    ratios = [size["ratio"] for row in rows for size in row["sizes"]]
    lines.append(f"| geometric mean of {len(ratios)} | | | | {geometricMean(ratios):.2f} |")
    return "\n".join(lines) + "\n"


def write(path, text):
    if path:
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)


def measure(options, name, row):
    sizes = []
    with tempfile.TemporaryDirectory(prefix="sme_bodies_") as folder:
        for kind, n in zip(("small", "large"), row["sizes"]):
            if kind not in options.sizes:
                continue
            program = Program(options, folder, name, n, row["counters"])
            for cycles in (1, 2, 100 if options.smoke else 1000):
                program.check(cycles)
            if options.smoke:
                continue
            runs = program.measured(options)
            ratios = [hand / ours for ours, hand in runs]
            sizes.append({"n": n, "ours": statistics.median(ours for ours, _ in runs), "hand": statistics.median(hand for _, hand in runs),
                          "ratio": statistics.median(ratios), "least": min(ratios), "most": max(ratios)})
    return {"name": name, "title": row["title"][0].upper() + row["title"][1:], "sizes": sizes}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--smec", default=os.path.join(ROOT, "build", "release", "bin", "smec"))
    parser.add_argument("--only", default="", metavar="NAMES", help="separated by commas")
    parser.add_argument("--sizes", default="small,large")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0.3, help="of a run by hand")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--markdown", metavar="FILE")
    parser.add_argument("--svg", metavar="FILE")
    parser.add_argument("--smoke", action="store_true", help="small, few cycles, only the counters")
    options = parser.parse_args()
    options.smec = os.path.abspath(options.smec)
    options.sizes = ["small"] if options.smoke else options.sizes.split(",")
    checkHashes()
    rows = []
    for name, row in programs([name for name in options.only.split(",") if name]).items():
        rows.append(measure(options, name, row))
        for size in rows[-1]["sizes"]:
            print(f"{name} {size['n']}: {size['ratio']:.2f}", file=sys.stderr, flush=True)
    if options.smoke:
        print(f"{len(rows)} programs: counters as by hand")
        return
    print(table(rows), end="")
    write(options.markdown, table(rows))
    write(options.json, json.dumps({"threads": options.threads, "rows": rows}, indent=1) + "\n")
    write(options.svg, picture(rows, options.threads))


if __name__ == "__main__":
    main()
