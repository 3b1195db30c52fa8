#!/usr/bin/env python3
"""The benchmark suite: builds every workload for every contender, checks that they agree, times them, and writes tables and a picture.

    suite.py [--smec PATH] [--quick] [--only ring,mesh] [--repeat 5] [--markdown F] [--json F] [--picture F.svg]
    suite.py --redraw F.json --picture F.svg

README.md beside this file tells what is measured and how to add a workload. Exit status: 0 good; 1 results that differ, or a program
that cannot be built or run; 2 wrong usage. A missed target is told, and is no failure.
"""
import argparse
import json
import os
import re
import shutil
import sys
import tempfile

import commands
import picture
import report
from contenders import CXX, Workshop
from measure import Measurement, Results, say
from workloads import FAMILIES, HERE, ROOT, SINGLE, fullRows, quickRows


def arguments():
    parser = argparse.ArgumentParser(prog="bench", description="Build, compare and time the workloads of tests/bench.")
    parser.add_argument("--smec", default=os.environ.get("SMEC") or os.path.join(ROOT, "build", "release", "bin", "smec"))
    parser.add_argument("--verilator", metavar="PATH", help="another Verilator than the one on the search path")
    parser.add_argument("--only", metavar="NAMES", default="", help="rows whose name has one of these words, separated by commas: ring,hetero 1000")
    parser.add_argument("--list", action="store_true", help="print the names of the rows and end")
    parser.add_argument("--quick", action="store_true", help="small sizes, only compare results")
    parser.add_argument("--all", action="store_true", help="also what is known not to finish in reasonable time")
    parser.add_argument("--repeat", type=int, default=5, metavar="N", help="timed runs of each contender (default 5)")
    parser.add_argument("--contenders", default=",".join(FAMILIES), metavar="NAMES", help="families, or single ones as ours-m2-1")
    parser.add_argument("--cycles-scale", type=float, default=1, metavar="X", help="runs X times as long as half a second")
    parser.add_argument("--build-timeout", type=float, default=600, metavar="SECONDS", help="of one translation or compilation (default 600)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="of make, where Verilator's output is compiled")
    parser.add_argument("--work", metavar="DIR", help="where programs are built (default build/bench; --quick: a temporary folder)")
    parser.add_argument("--fresh", action="store_true", help="build again what an earlier run left in that folder")
    parser.add_argument("--markdown", metavar="F", help="default: standard output")
    parser.add_argument("--json", metavar="F")
    parser.add_argument("--picture", metavar="F.svg", help="SVG, and beside it what it was drawn from, if --json names no other place")
    parser.add_argument("--redraw", metavar="F.json", help="draw the picture from this file of an earlier run; measures nothing")
    options = parser.parse_args()
    options.contenders = [name.strip() for name in options.contenders.split(",")]
    for name in options.contenders:
        if name not in (*FAMILIES, *SINGLE):
            parser.error(f"there is no contender '{name}'; families are {', '.join(FAMILIES)}; single ones {', '.join(SINGLE)}")
    if options.redraw and not options.picture:
        parser.error("--redraw needs --picture")
    if options.picture and not options.redraw and not options.json:
        options.json = os.path.splitext(options.picture)[0] + ".json"
    if options.repeat < 1:
        parser.error("--repeat takes at least 1")
    if not options.redraw and not os.access(options.smec, os.X_OK):
        parser.error(f"there is no compiler at {options.smec}; build it or give --smec")
    return options


def plain(name):
    """A name without the commas within numbers, which separate the words of --only."""
    return name.replace(",", "")


def chosen(options):
    rows = list(quickRows() if options.quick else fullRows())
    words = [re.escape(word.strip()) for word in options.only.split(",") if word.strip()]
    picked = [row for row in rows if not words or any(re.search(rf"\b{word}\b", plain(row.name), re.I) for word in words)]
    if not picked:
        say(f"no workload is called '{options.only}'; --list names them")
        sys.exit(2)
    return picked


def builtProbe(work):
    probe = os.path.join(work, "probe")
    commands.run([CXX, "-std=c++20", "-O3", "-march=native", os.path.join(HERE, "probe.cpp"), "-o", probe], work, 120)
    return probe


def measureAll(rows, options, work):
    workshop = Workshop(os.path.abspath(options.smec), work, options.quick, options.jobs, options.build_timeout, options.fresh)
    measurement = Measurement(workshop, options.contenders, options.repeat, options.cycles_scale, options.all)
    probe = None if options.quick else builtProbe(work)
    results = Results()
    for number, row in enumerate(rows, 1):
        say(f"[{number}/{len(rows)}] {row.name}")
        results.rows[row.name] = measurement.measure(row, not options.quick, probe)
    return results


def write(path, text):
    if path:
        with open(path, "w") as file:
            file.write(text)


def publish(results, options):
    text = report.checkedMarkdown(results) if options.quick else report.markdown(results, options.repeat)
    write(options.markdown, text)
    if not options.markdown:
        print(text, end="")
    found = report.asJson(results)
    write(options.json, found)
    if options.picture:
        write(options.picture, picture.svg(json.loads(found)))
    wrong = sum(len(result.wrong) for result in results.rows.values())
    if wrong:
        say(f"bench: {wrong} {'results differ or programs fail' if wrong > 1 else 'result differs or program fails'}")
    return 1 if wrong else 0


def main():
    options = arguments()
    if options.redraw:
        with open(options.redraw) as file:
            write(options.picture, picture.svg(json.load(file)))
        return 0
    if options.verilator:
        os.environ["VERILATOR"] = os.path.abspath(options.verilator)
    rows = chosen(options)
    if options.list:
        print("\n".join(f"{plain(row.name):32} {row.design.name} {row.parameters}" for row in rows))
        return 0
    work = os.path.abspath(options.work) if options.work else tempfile.mkdtemp(prefix="sme_bench_") if options.quick \
        else os.path.join(ROOT, "build", "bench")
    os.makedirs(work, exist_ok=True)
    try:
        return publish(measureAll(rows, options, work), options)
    finally:
        if options.quick and not options.work:
            shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
