#!/usr/bin/env python3
"""icarus.py finds what differs, and nothing else."""
import sys

import icarus

SHAPE = (4, 0, 4)
done = []


def check(holds, what):
    done.append(holds)
    if not holds:
        print(f"FAILED: {what}")


def compared(ours, theirs, shape=SHAPE, cycles=100):
    try:
        return icarus.registerCompared("r", shape, ours, theirs, cycles)
    except icarus.Different as found:
        return str(found)


check(compared([(0, "0"), (70, "101")], [(0, "0"), (70, "101")]) == (400, False), "equal")
check("cycle 70: r is 0100 in Icarus" in compared([(0, "0"), (70, "101")], [(0, "0"), (70, "100")]), "a bit")
check("cycle 71" in compared([(0, "0"), (70, "101")], [(0, "0"), (70, "101"), (71, "0")]), "a change of theirs alone")
check("cycle 64" in compared([(0, "1")], [(0, "0")]), "from the first cycle on")
check(compared([(0, "1")], [(0, "0"), (9, "1")]) == (4 * 91, True), "settled")
check(compared([(0, "1111")], [(0, "x1")]) == (100, False), "x above")
check("cycle 64" in compared([(0, "1101")], [(0, "xx1x")]), "one known bit")
check(compared([(0, "11")], [(0, "1101")], shape=(4, 2, 2)) == (200, False), "part of a variable")
check(icarus.changes(["#0\n", "1!\n", "b101 \"\n", "#20\n", "0!\n", "1!\n"], {"!", '"'}, icarus.smecCycle) == {"!": [(0, "1"), (2, "1")], '"': [(0, "101")]},
      "changes")
check(icarus.placeOf("cpu.state_3", 1, {"cpu_state": ("!", 8, "reg", "cpu.state")}) == ("cpu_state", 3), "a bit of a variable")
print(f"{sum(done)} of {len(done)} checks passed")
sys.exit(0 if all(done) else 1)
