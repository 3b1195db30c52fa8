#!/usr/bin/env python3
"""How soon two threads of a ring are back at full speed after other programs had both processors for 50 ms.

    recovery.py --smec PATH [--bursts 5] [--wait adaptive] [--smoke]

The cycles of each millisecond are counted in the schedule trace of a run. A line for each burst: when the first and the last slow millisecond around
it were, in ms since the trace begins (less than 0.8 of the upper quartile, in a row but for pauses of 8 ms, two time slices), and how much longer than 50 ms that is.
"""
import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile
import time

from disturbed import RING, processors

BURST_MS = 50
PAUSE_MS = 8
SLOW = 0.8
BEFORE = 0.4  # seconds from the start of a run to its burst: threads start, and the trace begins
CYCLES = 900_000
KEPT = 520_000  # last cycles of which the trace has room
# waits for its time, and afterwards until it is killed: a program that ends takes a processor once more
BURST = "import sys, time\nat = float(sys.argv[1])\ntime.sleep(at - time.monotonic())\nwhile time.monotonic() < at + 0.05: pass\ntime.sleep(60)"
UNIT = re.compile(r'"tid": 0, "cat": "unit".*"ts": ([0-9.]+)')


def cyclesPerMs(program, trace, cycles, options):
    """Cycles of each millisecond of a run with a burst in its middle."""
    at = time.monotonic() + 2 * BEFORE
    programs = [subprocess.Popen([sys.executable, "-c", BURST, str(at)]) for _ in processors()]
    time.sleep(BEFORE)
    try:
        subprocess.run([program, "--cycles", str(cycles), "--threads", "2", "--wait", options.wait, "--quiet", "--schedule-trace", trace,
                        "--schedule-window", f"{cycles - cycles * KEPT // CYCLES}:{cycles}"], stdin=subprocess.DEVNULL, check=True)
    finally:
        for each in programs:
            each.kill()
            each.wait()
    with open(trace) as file:
        starts = [float(found.group(1)) for found in map(UNIT.search, file) if found]
    counts = collections.Counter(int((start - starts[0]) / 1000) for start in starts)
    return [counts[ms] for ms in range(max(counts) + 1)]


def longestSlow(counts):
    """First and last of the longest row of slow milliseconds; None where all are fast."""
    limit = SLOW * sorted(counts)[len(counts) * 3 // 4]
    rows = []
    for ms in (ms for ms, count in enumerate(counts) if count < limit):
        if rows and ms - rows[-1][1] <= PAUSE_MS:
            rows[-1][1] = ms
        else:
            rows.append([ms, ms])
    return max(rows, key=lambda row: row[1] - row[0], default=None)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--smec", required=True)
    parser.add_argument("--bursts", type=int, default=5)
    parser.add_argument("--wait", default="adaptive")
    parser.add_argument("--smoke", action="store_true", help="one burst in a short run, for the test")
    options = parser.parse_args()
    assert longestSlow([9, 9, 1, 1, 9, 1, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 1, 9]) == [2, 5]
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "ring")
        subprocess.run([options.smec, "compile", RING, "-q", "-G", "n=20000", "-o", program, "--build-dir", program + ".build"], check=True)
        print("| burst | slow from, ms | to | longer than it, ms |\n|---|---|---|---|")
        for number in range(1 if options.smoke else options.bursts):
            found = longestSlow(cyclesPerMs(program, os.path.join(folder, "trace.json"), 2000 if options.smoke else CYCLES, options))
            print(f"| {number + 1} | {found[0]} | {found[1]} | {found[1] - found[0] + 1 - BURST_MS} |" if found else f"| {number + 1} | – | – | – |", flush=True)


if __name__ == "__main__":
    main()
