#!/usr/bin/env python3
"""The scripts that stand beside examples, at small sizes: they run, say what they measured, and draw the same picture from the same numbers."""
import os
import re
import shutil

from environment import PYTHON, SOURCE, WORK, run


def script(path, *options):
    folder = os.path.join(WORK, "examples")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    shown = run(PYTHON, os.path.join(SOURCE, "examples", path), *options, "--picture", "picture.svg", cwd=folder)
    with open(os.path.join(folder, "picture.svg"), encoding="utf-8") as file:
        return shown, file.read()


def main():
    options = ("--cycles", "400", "--sizes", "4", "8")
    shown, picture = script("12_mesh/latency.py", *options)
    points = [tuple(map(float, point)) for point in re.findall(r"(\d+) x \d+ +(\S+) wanted +(\S+) accepted +(\S+) cycles", shown)]
    assert len(points) == 24, shown
    for size, wanted, accepted, cycles in points:
        assert accepted < 1.3 * wanted + 0.01 and cycles > size, shown  # nothing comes from nowhere, or before it can
    assert points[-1][3] > 2 * points[12][3], shown  # a full network is slow
    assert (shown, picture) == script("12_mesh/latency.py", *options), "two runs differ"

    shown, picture = script("08_ring/threads.py", "--n", "100", "--threads", "1", "2", "--repeat", "1", "--seconds", "0.001")
    assert len(re.findall(r"100 processes  m[12]  [12] threads  \d+\.\d+ ns", shown)) == 4, shown
    assert "<svg" in picture


if __name__ == "__main__":
    main()
