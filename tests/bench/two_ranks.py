#!/usr/bin/env python3
"""Two ranks of a thread each beside one thread and two: microseconds a cycle, by turns, and what an exchange of the same bytes takes alone.

    two_ranks.py [--smec PATH] [--only NAME]... [--rounds 7] [--seconds 0.3] [--keep FOLDER] [--smoke]

Ratios are of runs of one round, which stand next to each other: their median, and the least and most of all rounds. "Allowed" is two threads
and twice the ping-pong of as many bytes. --keep builds into a folder, or takes what is built there.
"""
import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

import commands
from cores_on_ranks import ENVIRONMENT, LAUNCHERS, SOON, kinds

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
RING = os.path.join(ROOT, "examples", "08_ring", "ring.sme")
# Of each network its source, the constant that says how large it is, and that size.
NETWORKS = {"ring 20,000": (RING, "n", 20000), "ring 1,000,000": (RING, "n", 1000000),
            **{f"mesh {n:,}": ("mesh.sme", "n", n) for n in (64, 256, 1024)}, "systolic 64": ("systolic.sme", "k", 64),
            "noc 32": ("noc.sme", "r", 32), "cpu 1,024": ("cpu.sme", "c", 1024), "hetero 5,000": (None, "n", 5000),
            "hetero 20,000": (None, "n", 20000)}
SMALL = {"ring 20,000": 500, "mesh 64": 16, "hetero 5,000": 40}
LIMIT = 1800


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--smec", default=os.path.join(ROOT, "build", "release", "bin", "smec"))
    parser.add_argument("--only", action="append", choices=list(NETWORKS))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.3, help="of a run, about")
    parser.add_argument("--keep", metavar="FOLDER")
    parser.add_argument("--smoke", action="store_true", help="small networks, few cycles: only their checksums")
    options = parser.parse_args()
    if options.smoke:
        ENVIRONMENT.update(SOON)
    return options


def run(command, folder):
    try:
        return commands.run(command, folder, LIMIT, environment=ENVIRONMENT)
    except (commands.Failed, commands.Unfinished) as problem:
        sys.exit(f"{' '.join(command)}: {problem}")


def built(name, options, folder):
    """The simulator of a network."""
    source, constant, size = NETWORKS[name]
    size = SMALL[name] if options.smoke else size
    program = os.path.join(folder, f"{re.sub(r'[^a-z]', '', name)}_{size}")
    if os.path.exists(program):
        return program
    words = ["-G", f"{constant}={size}"]
    path = os.path.join(HERE, "designs", source) if source else program + ".sme"
    if not source:
        words = []
        with open(path, "wb") as f:
            subprocess.run([sys.executable, os.path.join(HERE, "hetero.py"), str(size)], stdout=f, check=True)
    run([os.path.abspath(options.smec), "compile", path, *words, "-q", "-o", program, "--build-dir", program + ".build",
         *(["-O1"] if options.smoke else [])], folder)
    return program


def measured(command, cycles, folder):
    """Its checksum and microseconds a cycle."""
    done = run([*command, "--cycles", str(cycles), "--checksum"], folder)
    checksum = re.search(r"^[0-9a-f]{16}$", done.out, re.M)
    seconds = re.search(r"^wall time +(\S+) s$", done.err, re.M)
    if not checksum or not seconds:
        sys.exit(f"{' '.join(command)}: no checksum or no time\n{done.out}{done.err}")
    return checksum.group(), float(seconds.group(1)) * 1e6 / cycles


def cyclesOf(program, options, folder):
    """So many as take about the seconds of a run."""
    cycles = 16
    while not options.smoke:
        micros = measured([program, "--threads", "1"], cycles, folder)[1]
        if micros * cycles > options.seconds * 1e5:
            return max(cycles, int(options.seconds * 1e6 / micros))
        cycles *= 4
    return cycles


def spread(ratios):
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f} … {max(ratios):.2f})"


def exchangeOf(program, folder):
    """Microseconds that the parcels of a cycle take, alone."""
    link = json.loads(run([program, "--report", "ranks:2"], folder).out)
    return sum(link["exchange"] + link["few"] * min(level["bytes"], link["fewBytes"])
               + link["byte"] * max(0, level["bytes"] - link["fewBytes"]) for level in link["levels"]) * 1e6


def row(name, options, folder):
    """A line of the table, and whether all checksums were one."""
    program = built(name, options, folder)
    cycles = cyclesOf(program, options, folder)
    ways = {"1": [program, "--threads", "1"], "2": [program, "--threads", "2"], "ranks": [program, "--ranks", "2", "--threads", "1"]}
    ways |= {kind: [*LAUNCHERS[kind], "2", program, "--threads", "1"] for kind in kinds(options.smec)}
    took = {way: [] for way in ways}
    sums = set()
    exchanges = []
    for _ in range(1 if options.smoke else options.rounds):
        for way, command in ways.items():
            checksum, micros = measured(command, cycles, folder)
            sums.add(checksum)
            took[way].append(micros)
        exchanges.append(exchangeOf(program, folder))
    numbers = [f"{statistics.median(took[way]):.3g}" if way in took else "–" for way in ("1", "2", "ranks", *LAUNCHERS)]
    quotient = lambda a, b: [x / y for x, y in zip(took[a], took[b])]
    allowed = [x / (y + 2 * exchange) for x, y, exchange in zip(took["ranks"], took["2"], exchanges)]
    print("| " + " | ".join([name, *numbers, f"{statistics.median(exchanges):.2g}", spread(quotient("ranks", "1")), spread(quotient("ranks", "2")), spread(allowed)]) + " |",
          flush=True)
    return len(sums) == 1


def main():
    options = arguments()
    names = list(SMALL) if options.smoke else options.only or list(NETWORKS)
    print("| | 1 thread | 2 threads | 2 ranks | " + " | ".join(LAUNCHERS[kind][0] for kind in LAUNCHERS)
          + " | ping-pong | ranks by 1 thread | by 2 threads | by what is allowed |\n|---|---|---|---|---|---|---|---|---|---|")
    folder = options.keep or tempfile.mkdtemp(prefix="sme_two_ranks_")
    os.makedirs(folder, exist_ok=True)
    try:
        areEqual = [row(name, options, folder) for name in names]
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    if not all(areEqual):
        print("checksums differ")
    return 0 if all(areEqual) else 1


if __name__ == "__main__":
    sys.exit(main())
