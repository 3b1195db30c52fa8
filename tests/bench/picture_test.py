#!/usr/bin/env python3
"""The picture of the suite: no mark hides another, rows without a hand-written program are left out, and docs/pictures/benchmarks.svg is what the data
beside it gives."""
import json
import os
import sys

import picture

PICTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "pictures")


def row(name, estimate=None, **medians):
    return {"name": name, "estimateNsPerStep": estimate, "contenders": {c.replace("_", "-"): {"nsPerStep": {"median": m}} for c, m in medians.items()}}


def problems():
    found = picture.lanes({"a": 100.0, "b": 104.0, "c": 112.0, "d": 108.0})
    if found != {"a": 0, "b": 1, "d": 2, "c": 0}:
        yield f"lanes: {found}"
    text = picture.svg({"rows": [row("full & odd", 0.5, limit=1, ours_m2_1=2, verilator=2.01), row("bare", 1, ours_m2_1=2),
                                 {"name": "untimed", "contenders": {"limit": {"note": "failed"}}}]})
    for words in ("full &amp; odd", "ours, 1 thread: 2 ns, 2×", "Verilator: 2.01 ns, 2.01×"):
        if words not in text:
            yield f"the picture does not have '{words}'"
    if "bare" in text or "untimed" in text:
        yield "a row without a hand-written program is there"
    with open(os.path.join(PICTURES, "benchmarks.json")) as file:
        drawn = picture.svg(json.load(file))
    with open(os.path.join(PICTURES, "benchmarks.svg")) as file:
        if file.read() != drawn:
            yield "docs/pictures/benchmarks.svg is not what its data gives: suite.py --redraw docs/pictures/benchmarks.json --picture docs/pictures/benchmarks.svg"


def main():
    wrong = list(problems())
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
