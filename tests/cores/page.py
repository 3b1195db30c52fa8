"""The tables of docs/cores.md, of figures that are kept."""
import os
import re

from catalog import CORES
from designs import KINDS, RINGS
from tools import ROOT

PAGE = os.path.join(ROOT, "docs", "cores.md")
SPEEDS = ["smec: {}, 1 thread", "2 threads", "`auto`, of 1 thread", *("Verilator: {}, flat", "`--hierarchical`", "2 threads"), "ratio of the best (of the pairs)",
          "shortest run, s"]
COLUMNS = {
    "cores": ["core (licence)", "runs", "cells", "kinds of processes", "bits of registers compared (of all)", "cycles: registers; outputs; other plans compared", "Yosys, CPU s", "smec and g++, CPU s",
              "Verilator and g++, CPU s", *(text.format("kHz") for text in SPEEDS), "code"],
    "ring": ["cores", "cycles: outputs; other plans compared", "smec and g++, CPU s", "with Yosys, by the clock, s", "Verilator and g++, CPU s", *(text.format("µs a cycle") for text in SPEEDS), "code"],
}
STEPS = {"sources": "its files", "smec": "smec's program", "registers": "registers", "outputs": "outputs", "plans": "other plans", "choice": "speeds of Verilator", "speeds": "speeds", "threads": "speeds of threads"}
WANTED = ("smec", "registers", "outputs", "plans", "speeds", "threads")


def head(part):
    return f"| {' | '.join(COLUMNS[part])} |\n|{'---|' * len(COLUMNS[part])}"


class Figures:
    """What is kept of a design: `self["smec"]` is {} where there is nothing."""

    def __init__(self, kept, name):
        self.kept, self.name = kept, name

    def __getitem__(self, step):
        return (self.kept.read(self.name, step) or {}).get("figures", {})

    def key(self, step):
        return (self.kept.read(self.name, step) or {}).get("key", {})

    def builds(self):
        """Verilator's, by their ways."""
        return {kind: f["build"] for kind in KINDS if (f := self[f"verilator.{kind}"])}

    def verilators(self):
        """Versions that built programs, the last time."""
        return [self.key(f"verilator.{kind}").get("verilator") for kind in KINDS]

    def isThere(self):
        return any(self[step] for step in STEPS)


def row(kept, name):
    f = Figures(kept, name)
    cells = ringCells(f) if name in RINGS else coreCells(f)
    return "| " + " | ".join([*cells, *speeds(f, (lambda kHz: f"{1000 / kHz:,.2f}") if name in RINGS else (lambda kHz: f"{kHz:,.0f}")), code(f)]) + " |"


def firstCell(name):
    return f"{RINGS[name]:,}" if name in RINGS else f"{CORES[name].title} ({CORES[name].licence})"


def coreCells(f):
    core, smec, registers, outputs = CORES[f.name], f["smec"], f["registers"], f["outputs"]
    rounds = outputs.get("rounds")
    what = "random words" if not core.firmware else f"firmware, {rounds:,} rounds" if rounds else "firmware"
    cycles = cyclesOf(f, "registers", "outputs", "plans")
    return [firstCell(f.name), what, figure(smec, "cells", ","), figure(smec, "processes", ""),
            f"{registers['registers']:,} ({registers['named']:.1%})" if registers else "", cycles, figure(smec, "yosys", ".1f"), figure(smec, "build", ".1f"), theirBuild(f)]


def ringCells(f):
    return [firstCell(f.name), cyclesOf(f, "outputs", "plans"), figure(f["smec"], "build", ".1f"), figure(f["smec"], "wall", ".1f"), theirBuild(f)]


def cyclesOf(f, *steps):
    return "; ".join(f"{f.key(step)['cycles']:,}" if f.key(step) else "" for step in steps)


def figure(figures, name, form):
    return format(figures[name], form) if name in figures else ""


def theirBuild(f):
    """Of the way that the speeds are of."""
    builds = f.builds()
    best = f["choice"].get("best", "flat")
    return f"{builds[best]:,.1f}" if best in builds else ""


def speeds(f, told):
    """The median of all runs is that of one way; what one run gave is in parentheses."""
    ours, threads, tried = f["speeds"].get("kHz", {}), f["threads"].get("kHz", {}), f["choice"].get("kHz", {})
    cells = [told(ours["smec"]) if ours else "", told(threads["2"]) if threads else "", f"{threads['auto'] / threads['1']:.2f}" if threads else ""]
    cells += [told(ours[kind]) if kind in ours else f"({told(tried[kind])})" if kind in tried else "" for kind in KINDS]
    return [*cells, ratio(f["speeds"]), figure(f["speeds"], "shortest", ".2f") if ours else ""]


def ratio(speeds):
    """Of the medians of the best ways, and the least and the greatest of the pairs that ran one after the other."""
    ways = [kind for kind in ("smec", "smec on two") if kind in speeds.get("kHz", {})]
    theirs = [kind for kind in KINDS if kind in speeds.get("kHz", {})]
    if not ways or not theirs:
        return ""
    best = max(ways, key=speeds["kHz"].get)
    pairs = [our / their for our, their in zip(speeds["all"][best], speeds["all"][theirs[0]])]
    return f"{speeds['kHz'][best] / speeds['kHz'][theirs[0]]:.2f} ({min(pairs):.2f}–{max(pairs):.2f})"


def code(f):
    return f"`{f['smec']['code'][:7]}`" if f["smec"] else ""


def missing(kept, name):
    """Lines on what is not there, and what is of another code than the program that there is now."""
    f = Figures(kept, name)
    title = f"ring of {RINGS[name]:,}" if name in RINGS else CORES[name].title
    steps = {**{step: text for step, text in STEPS.items() if step != "registers" or name not in RINGS},
             **{f"verilator.{kind}": f"Verilator, {text}" for kind, text in KINDS.items()}}
    lines = []
    for step, text in steps.items():
        problem = kept.problem(name, step)
        if problem:
            said = re.sub(r"/\S*/", "", " ".join(problem.split()))     # folders are of one machine
            lines.append(f"* {title}: {text}: {said[:200]}")
        elif step in WANTED and not kept.read(name, step):
            lines.append(f"* {title}: {text}: not measured")
        elif (of := f.key(step).get("code")) and of != f["smec"].get("code"):
            lines.append(f"* {title}: {text}: of other code ({of[:7]})")
        elif (of := f.key(step).get("verilator")) and of not in f.verilators():
            lines.append(f"* {title}: {text}: of another Verilator ({of})")
    return lines


def written(kept, path=PAGE):
    """Puts tables between the marks of a page, where rows of designs without any figures stay, and what is missing below them."""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    for part, names in (("cores", list(CORES)), ("ring", list(RINGS))):
        begin, end = f"<!-- {part} -->\n", f"<!-- end of {part} -->"
        before, rest = text.split(begin)
        inside, after = rest.split(end)
        measured = [name for name in names if Figures(kept, name).isThere()]
        rows = {line.split("|")[1].strip(): line for line in inside.splitlines()[2:] if line.startswith("|")}
        rows = [row(kept, name) if name in measured else rows[first] for name in names if name in measured or (first := firstCell(name)) in rows]
        problems = [line for name in measured for line in missing(kept, name)]
        below = "\nMissing:\n\n" + "\n".join(problems) + "\n" if problems else ""
        text = before + begin + "".join(line + "\n" for line in [head(part), *rows]) + below + end + after
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
