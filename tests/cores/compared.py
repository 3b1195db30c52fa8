#!/usr/bin/env python3
"""registers.py finds what differs, and nothing else."""
import os
import sys
import tempfile
import types

import cores
import kept
import registers
import tools

SHAPE = (4, 0, 4)
done = []


def check(holds, what):
    done.append(holds)
    if not holds:
        print(f"FAILED: {what}")


def compared(ours, theirs, shape=SHAPE, cycles=100):
    try:
        return registers.registerCompared("r", shape, ours, theirs, cycles)
    except registers.Different as found:
        return str(found)


check(compared([(0, "0"), (70, "101")], [(0, "0"), (70, "101")]) == (400, False), "equal")
check("cycle 70: r is 0100 there" in compared([(0, "0"), (70, "101")], [(0, "0"), (70, "100")]), "a bit")
check("cycle 71" in compared([(0, "0"), (70, "101")], [(0, "0"), (70, "101"), (71, "0")]), "a change of theirs alone")
check("cycle 64" in compared([(0, "1")], [(0, "0")]), "from the first cycle on")
check(compared([(0, "1")], [(0, "0"), (9, "1")]) == (4 * 91, True), "settled")
check(compared([(0, "1111")], [(0, "x1")]) == (100, False), "x above")
check("cycle 64" in compared([(0, "1101")], [(0, "xx1x")]), "one known bit")
check(compared([(0, "11")], [(0, "1101")], shape=(4, 2, 2)) == (200, False), "part of a variable")
there = registers.Variables()
for parts in (["cpu", "state"], ["cpu", "genblk7", "count"], ["cpu", "genblk2", "d"], ["cpu", "genblk3", "d"], ["cpu", "\\m[2]"]):
    there.add(parts, ("!", 8, "reg", ".".join(parts)))
check(registers.changes(["#0\n", "1!\n", "b101 \"\n", "#20\n", "0!\n", "1!\n"], {"!", '"'}, registers.smecCycle) == {"!": [(0, "1"), (2, "1")], '"': [(0, "101")]},
      "changes")
check(registers.placeOf("cpu.state_3", 1, there) == ("cpu_state", 3), "a bit of a variable")
check(registers.placeOf("cpu.genblk1_count", 4, there) == ("cpu_genblk7_count", 0), "a block of another number")
check(registers.placeOf("cpu.genblk1_d", 4, there) is None, "blocks of two numbers")
check(registers.placeOf("cpu.m_2_reg", 4, there) == ("cpu_m_2", 0), "a word of an array")


def isKept(folder):
    """Figures stay with the options and the compiler that gave them."""
    with open(os.path.join(folder, "smec"), "w", encoding="utf-8") as f:
        f.write("1")
    options = types.SimpleNamespace(resume=True, smec=f.name, registers=1, cycles=2, seconds=3, repeat=4, ring=5)
    made = []
    def figures():
        made.append(1)
        return {"cells": len(made)}
    first = kept.Kept(options, folder, "5.0").made("tiny", figures)
    check(first == kept.Kept(options, folder, "5.0").made("tiny", figures) == {"cells": 1}, "figures are made twice")
    check(kept.Kept(options, folder, "5.1").made("tiny", figures) == {"cells": 2}, "another Verilator")
    options.resume = False
    check(kept.Kept(options, folder, "5.1").made("tiny", figures) == {"cells": 3}, "without --resume")
    with open(f.name, "w", encoding="utf-8") as f:
        f.write("another one")
    options.resume = True
    check(kept.Kept(options, folder, "5.1").made("tiny", figures) == {"cells": 4}, "another compiler")
    try:
        kept.Kept(options, folder, "5.1").made("serv", cores.Clock(0).inTime(figures))
        check(False, "begun without time")
    except tools.Failed as problem:
        check("--resume" in str(problem) and len(made) == 4, f"no time: {problem}")


def isEnded(folder):
    tools.Limit.seconds = 0.2
    try:
        tools.must("sh", "-c", "tail -f /dev/null & wait", folder=folder)
        check(False, "no limit")
    except tools.Failed as problem:
        check("not done after 0.2 s" in str(problem), f"a limit: {problem}")


with tempfile.TemporaryDirectory(prefix="smec-kept-") as scratch:
    isKept(scratch)
    isEnded(scratch)
check(cores.joined(["| a | 1 |", "| b | 2 |"], ["| b | 3 |", "| c | 4 |"]) == ["| a | 1 |", "| b | 3 |", "| c | 4 |"], "rows of others stay")
print(f"{sum(done)} of {len(done)} checks passed")
sys.exit(0 if all(done) else 1)
