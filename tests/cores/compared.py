#!/usr/bin/env python3
"""registers.py finds what differs, and nothing else; kept.py, steps.py and page.py keep figures and tell what is missing;
timing.py counts no run that is shorter than asked."""
import os
import sys
import tempfile
import types

import designs
import kept
import page
import registers
import steps
import timing
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
    """Figures stay with what they depend on."""
    made = []
    def figures():
        made.append(1)
        return {"cells": len(made)}
    there = kept.Kept(folder, kept.Clock(9))
    check(there.made("tiny", "smec", {"code": 1}, figures) == there.made("tiny", "smec", {"code": 1}, figures) == {"cells": 1}, "figures are made twice")
    check(there.made("tiny", "speeds", {"code": 1}, figures) == {"cells": 2}, "another step")
    check(there.made("tiny", "smec", {"code": 2}, figures) == {"cells": 3}, "another code")
    check(there.made("tiny", "smec", {"code": 2}, figures, lambda found: found["cells"] != 3) == {"cells": 4}, "the program is gone")
    late = kept.Kept(folder, kept.Clock(0))
    check(late.made("tiny", "smec", {"code": 2}, figures) == {"cells": 4}, "what is there takes no time")
    try:
        late.made("tiny", "smec", {"code": 3}, figures)
        check(False, "begun without time")
    except tools.Failed as problem:
        check("--resume" in str(problem) and len(made) == 4, f"no time: {problem}")
    check(there.read("tiny", "smec")["figures"] == {"cells": 4} and "--resume" in there.problem("tiny", "smec"), "a step that failed keeps what was there")
    there.made("tiny", "smec", {"code": 3}, figures)
    check(there.problem("tiny", "smec") is None, "done at last")


def isFailing(folder):
    """A step that fails stops those that need it alone."""
    options = types.SimpleNamespace(smec=os.path.join(folder, "none"), verilator=os.path.join(folder, "none"), resume=True, kinds=["flat"], registers=1, cycles=2, seconds=3,
                                    repeat=4, work=folder)
    design = designs.CoreDesign("tiny", folder, options)
    design.prepare = lambda: None
    there = steps.Steps(design, options, "5.0", kept.Kept(folder, kept.Clock(9)))
    there.check()
    check(there.failed == 1 and "none" in there.kept.problem("tiny", "sources"), "without a compiler")
    arePlansCompared(there)


def arePlansCompared(there):
    """States of other plans, and of a run that goes on half way, are those of one thread."""
    asked = []
    for wrong in ((), ("m1",), ("--resume", "tiny.half"), ("--threads", "2")):
        there.smec = types.SimpleNamespace(state=lambda name, cycles, *how, wrong=wrong: asked.append((cycles, *how)) or ("other" if wrong and set(wrong) <= set(how) else f"after {cycles}"))
        there.options.registers = 1000
        try:
            there.plans()
            check(not wrong, f"plans: {wrong}")
        except tools.Failed as problem:
            check(wrong and "after 1000 cycles" in str(problem) and " ".join(wrong) in str(problem), f"plans: {wrong}: {problem}")
    check((500, "--threads", "1", "--checkpoint", "tiny.half") in asked and (1000, "--threads", "2", "--resume", "tiny.half") in asked, f"half way: {asked}")


def isWritten(folder):
    """A page has what is kept, the old rows of others, and what is missing."""
    there, path = kept.Kept(os.path.join(folder, "page"), kept.Clock(9)), os.path.join(folder, "page.md")
    rows = "| head |\n|---|\n| SERV (ISC) | old |\n| tiny (`tests/cores`) (MIT) | old |\n"
    with open(path, "w", encoding="utf-8") as f:
        f.write(f"before\n<!-- cores -->\n{rows}<!-- end of cores -->\nbetween\n<!-- ring -->\n<!-- end of ring -->\nafter\n")
    for step, key, figures in (("smec", {}, {"cells": 1234, "processes": 4, "yosys": 1.5, "build": 2.25, "code": "0123456789"}), ("outputs", {"code": "0123456789", "cycles": 5000}, {"rounds": 7}), ("plans", {"cycles": 900}, {}),
                               ("choice", {}, {"kHz": {"flat": 100, "two": 200}, "best": "two"}),
                               ("speeds", {"code": "fedcba9876"}, {"kHz": {"smec": 400, "two": 250}, "all": {"smec": [390, 400, 440], "two": [260, 250, 220]}, "shortest": 5.125}),
                               ("threads", {"verilator": "4.0"}, {"kHz": {"1": 100, "2": 50, "auto": 96}}), ("verilator.two", {"verilator": "5.0"}, {"build": 10})):
        there.made("tiny", step, key, lambda figures=figures: figures)
    page.written(there, path)
    with open(path, encoding="utf-8") as f:
        text = f.read()
    wanted = "| tiny (`tests/cores`) (MIT) | firmware, 7 rounds | 1,234 | 4 |  | ; 5,000; 900 | 1.5 | 2.2 | 10.0 | 400 | 50 | 0.96 | (100) |  | 250 | 1.60 (1.50–2.00) | 5.12 | `0123456` |\n| SERV (ISC) | old |\n"
    check(wanted in text, f"a row: {text}")
    check("* tiny (`tests/cores`): registers: not measured\n* tiny (`tests/cores`): speeds: of other code (fedcba9)\n* tiny (`tests/cores`): speeds of threads: of another Verilator (4.0)\n" in text, f"what is missing: {text}")
    check(text.startswith("before\n") and "\nbetween\n" in text and text.endswith("after\n"), "around the tables")
    page.written(there, path)
    with open(path, encoding="utf-8") as f:
        check(f.read() == text, "written twice")


class Simulator:
    """A clock that runs faster than it says at first: so many seconds to start, so many cycles a second, by processor time; twice as long by the clock on the wall."""

    def __init__(self, start, rates):
        self.start, self.rates, self.runs = start, rates, []

    def run(self, cycles):
        self.runs.append(cycles)
        cpu = self.start + cycles / self.rates[min(len(self.runs), len(self.rates)) - 1]
        return tools.Ran("", cpu, 2 * cpu)


def isTimed():
    """No counted run is shorter than asked, whatever short runs foretold."""
    steady, late, slow = Simulator(0.5, [1e6]), Simulator(0.5, [1e6] * 8 + [4e6, 2e6]), Simulator(1, [1e5])
    found = timing.times({"steady": steady.run, "late": late.run, "two": slow.run}, 5, 3)
    check(abs(found["kHz"]["steady"] - 1000) < 1 and found["all"]["steady"] == [found["kHz"]["steady"]] * 3, f"the start counts: {found}")
    check(abs(found["kHz"]["late"] - 2000) < 1 and max(late.runs) > 10e6, f"a run that was too short: {found} {late.runs}")
    check(abs(found["kHz"]["two"] - 50) < 0.1, f"the clock on the wall: {found}")
    check(found["shortest"] >= 5 and found["shortest"] < 5.5 and len(slow.runs) < 10, f"the shortest: {found} {slow.runs}")
    turns = []
    timing.times({"a": lambda cycles: turns.append("a") or steady.run(cycles), "b": lambda cycles: turns.append("b") or steady.run(cycles)}, 5, 3)
    check(turns[-6:] == ["a", "b"] * 3, f"by turns: {turns}")
    try:
        timing.times({"ended": lambda cycles: tools.Ran("", 0.25, 0.25)}, 5, 3)
        check(False, "a program that ends by itself")
    except tools.Failed as problem:
        check("cycles take 0.000 s" in str(problem), f"a program that ends by itself: {problem}")
    check(page.ratio({"kHz": {"smec": 30, "smec on two": 40, "flat": 10}, "all": {"smec": [30], "smec on two": [40], "flat": [10]}}) == "4.00 (4.00–4.00)", "two threads are best")
    check(page.ratio({"kHz": {"smec": 30}, "all": {"smec": [30]}}) == page.ratio({}) == "", "nothing beside")


def isOfFirmware():
    """An image is of the firmware as it is, and of no other."""
    target = tools.TARGETS["lm32"]
    words = tools.imageOf(target)
    check(len(words) > 100 and words[0] == 0x98000000, f"an image: {words[:4]}")
    try:
        tools.imageOf(tools.Target(target.prefix, [*target.options, "-DOTHER"], image=target.image))
        check(False, "an image of other options")
    except tools.Failed as problem:
        check("make_image.py" in str(problem), f"an image of other options: {problem}")


def isEnded(folder):
    """A program that takes too long, or too much memory."""
    greedy = ("python3", "-c", "bytearray(1 << 30)")
    tools.must(*greedy, folder=folder, bounds=tools.Bounds(60, 8 << 30))
    for bounds, words, said in ((tools.Bounds(60, 1 << 29), greedy, "MemoryError"), (tools.Bounds(0.2, 8 << 30), ("sh", "-c", "tail -f /dev/null & wait"), "not done after 0.2 s")):
        try:
            tools.must(*words, folder=folder, bounds=bounds)
            check(False, f"no bounds: {said}")
        except tools.Failed as problem:
            check(said in str(problem), f"bounds: {problem}")
    tools.Limit.seconds = 0.2
    try:
        tools.must("sh", "-c", "tail -f /dev/null & wait", folder=folder)
        check(False, "no limit")
    except tools.Failed as problem:
        check("not done after 0.2 s" in str(problem), f"a limit: {problem}")


with tempfile.TemporaryDirectory(prefix="smec-kept-") as scratch:
    isKept(scratch)
    isFailing(scratch)
    isWritten(scratch)
    isTimed()
    isOfFirmware()
    isEnded(scratch)
print(f"{sum(done)} of {len(done)} checks passed")
sys.exit(0 if all(done) else 1)
