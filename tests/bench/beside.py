#!/usr/bin/env python3
"""Two compilers side by side: the simulators that both make of each workload, run in turn.

    beside.py --smec NEW --other OLD [--only ring,mesh] [--repeat 9] [--seconds 0.15] [--smoke]

A figure is the median of the ratios new / old of runs that stood beside each other, with the lowest and the highest. Runs are made again
where programs that this script did not start used more than 1 % of the processors. Rows that are slower by more than 3 % on one thread
are marked. Results that differ are exit status 1.
"""
import argparse
import os
import re
import statistics
import sys
import tempfile

from contenders import Workshop
from disturbed import FOREIGN, TICK, usedTicks
from workloads import fullRows, quickRows

SLOWER = 1.03
PATIENCE = 4
FORMS = ("m2-1", "m2-2")
BUILD_SECONDS = 600


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--smec", required=True)
    parser.add_argument("--other", required=True, help="the compiler to compare with")
    parser.add_argument("--only", default="", metavar="NAMES", help="rows whose name has one of these words")
    parser.add_argument("--repeat", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.15, help="of a run")
    parser.add_argument("--smoke", action="store_true", help="one short run of each of the small rows, for the test")
    options = parser.parse_args()
    if options.smoke:
        options.repeat, options.seconds = 1, 0.001
    return options


def chosen(options):
    rows = list(quickRows() if options.smoke else fullRows())
    words = [re.escape(word.strip()) for word in options.only.split(",") if word.strip()]
    names = set()
    for row in rows:
        name = row.name.replace(",", "")
        if name not in names and (not words or any(re.search(rf"\b{word}\b", name) for word in words)):
            names.add(name)
            yield row


def alone(run, patience):
    """A run that strangers did not disturb, while there is patience."""
    for _ in range(patience):
        used, every, before = *usedTicks(), os.times()
        ran = run()
        usedAfter, everyAfter, after = *usedTicks(), os.times()
        ours = (after.children_user + after.children_system - before.children_user - before.children_system) * TICK
        if usedAfter - used - ours - 2 <= FOREIGN * (everyAfter - every):
            break
    return ran


def cyclesFor(run, aim):
    cycles = 64
    while True:
        seconds = run(cycles).seconds
        if seconds >= aim / 2 or cycles >= 1 << 31:
            return max(1, int(cycles * aim / max(seconds, 1e-7)))
        cycles *= 4


def compared(row, shops, options):
    """Ratios for each form, the CPU seconds of both compilations, and whether the results are the same."""
    programs, costs = zip(*(shop.build("ours", row) for shop in shops))
    ratios, same = {}, True
    for form in FORMS:
        def run(which, cycles):
            return shops[which].run(f"ours-{form}", programs[which], row, cycles)
        cycles = cyclesFor(lambda count: run(0, count), options.seconds)
        ratios[form] = []
        for number in range(options.repeat):
            ran = {which: alone(lambda: run(which, cycles), 1 if options.smoke else PATIENCE) for which in ((0, 1) if number % 2 == 0 else (1, 0))}
            ratios[form].append(ran[0].seconds / ran[1].seconds)
            same = same and ran[0].results == ran[1].results
    return ratios, [cost.compileSeconds for cost in costs], same


def main():
    options = arguments()
    differ = slower = rows = 0
    print("| network | one thread, new / old | two threads, new / old | compile, new / old CPU s | |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="sme_beside_") as work:
        shops = []
        for name, smec in (("new", options.smec), ("old", options.other)):
            os.makedirs(os.path.join(work, name))
            shops.append(Workshop(os.path.abspath(smec), os.path.join(work, name), options.smoke, 1, BUILD_SECONDS, True))
        for row in chosen(options):
            ratios, costs, same = compared(row, shops, options)
            note = "" if same else "**results differ**"
            if same and statistics.median(ratios[FORMS[0]]) > SLOWER:
                note, slower = "slower", slower + 1
            figures = [f"{statistics.median(ratios[form]):.2f} ({min(ratios[form]):.2f} … {max(ratios[form]):.2f})" for form in FORMS]
            print(f"| {row.name} | {figures[0]} | {figures[1]} | {costs[0]:.2f} / {costs[1]:.2f} | {note} |", flush=True)
            rows, differ = rows + 1, differ + (not same)
    print(f"\n{rows} rows; {slower} slower by more than 3 % on one thread; {differ} with other results")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
