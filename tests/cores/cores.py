#!/usr/bin/env python3
"""The ladder: cores that other people wrote, from PyPI's pythondata-cpu-* packages, on our simulator. Each is imported and compiled; its registers
are compared with Icarus Verilog in every cycle, all that it asks of its buses and its result with Verilator over many more, and both are timed.
tests/cores/README.md"""
import argparse
import os
import shutil
import statistics
import sys
import time

import icarus
import registers
import ring
import verilated
from catalog import CORES, fetched
from kept import Kept
from simulators import Smec, Verilator, processes
from tools import ROOT, TARGETS, Failed, Limit, bringSlang, expected, firmware

PRINTED = ["result", "rounds", "hash"]
PAGE = os.path.join(ROOT, "docs", "cores.md")
NEEDED = ("yosys", "iverilog", "make", "gcc")


class Ladder:
    def __init__(self, options, work):
        self.options, self.work = options, work
        self.smec, self.verilator = Smec(options.smec, work), Verilator(options.verilator, work)
        self.wanted = expected(work)

    def figures(self, name):
        core = CORES[name]
        if core.firmware:
            firmware(self.work, core.firmware, TARGETS[core.firmware])
        folder = fetched(core, self.work)
        files, includes = core.sources(folder), core.includes(folder)
        figures = {}
        figures["yosys"], figures["import"], figures["cells"] = self.smec.imported(files, includes, name)
        figures["compile"] = self.smec.compiled(name)
        figures["processes"] = processes(os.path.join(self.work, f"{name}.sme"))
        figures |= self.compared(core, name, files, includes)
        if figures["named"] < 0.9 or not figures["compared"]:
            raise Failed(f"{figures['named']:.1%} of the registers' bits have a name, {figures['compared']} of them were compared")
        program, figures["verilator build"] = self.verilator.built(files, includes, name, PRINTED, options=core.verilatorOptions())
        figures["rounds"] = self.sameResults(core, name, program)
        return figures | (self.times(name, {"flat": program, **self.others(core, name, files, includes)}) if self.options.repeat else {})

    def others(self, core, name, files, includes):
        """Verilator's other ways, where it can take them."""
        made = {}
        for kind, options, block in (("blocks", [], core.top), ("two", ["--threads", "2"], None)):
            try:
                made[kind], _ = self.verilator.built(files, includes, f"{name}.{kind}", PRINTED, options=[*core.verilatorOptions(), *options], block=block)
            except Failed as problem:
                print(f"{name}: Verilator, {kind}: {str(problem).splitlines()[-1]}", flush=True)
        return made

    def compared(self, core, name, files, includes):
        what = (f"./{name}", self.work, files, includes, self.options.registers)
        return verilated.compare(*what, self.verilator, core.verilatorOptions()) if core.isTwoState else icarus.compare(*what)

    def sameResults(self, core, name, program):
        cycles = self.options.cycles
        ours, _ = self.smec.run(name, cycles, 1, [f"{port}.v" for port in PRINTED])
        theirs, _ = self.verilator.run(program, cycles)
        if ours != theirs:
            raise Failed(f"after {cycles} cycles result, rounds and hash are {ours}, in Verilator {theirs}")
        if core.firmware and (ours[1] == 0 or ours[0] != self.wanted):
            raise Failed(f"round {ours[1]} of the firmware gave {ours[0]}, not {self.wanted}")
        return ours[1] if core.firmware else None

    def times(self, name, programs):
        """kHz, medians of runs by turns. One thread by its processor time, which other programs disturb least; two by the clock on the wall."""
        runs = {f"smec {threads}": lambda cycles, threads=threads: self.smec.run(name, cycles, threads, [])[1] for threads in (1, 2, "auto")}
        runs |= {kind: lambda cycles, program=program: self.verilator.run(program, cycles)[1] for kind, program in programs.items()}
        cycles = {kind: self.cyclesFor(run) for kind, run in runs.items()}
        taken = {kind: [] for kind in runs}
        for _ in range(self.options.repeat):
            for kind, run in runs.items():
                taken[kind].append(run(cycles[kind]))
        kHz = {}
        for kind, ran in taken.items():
            isAlone = kind in ("smec 1", "flat", "blocks")
            kHz[kind] = cycles[kind] / statistics.median(one.cpu if isAlone else one.wall for one in ran) / 1000
        kHz["smec 1 wall"] = cycles["smec 1"] / statistics.median(one.wall for one in taken["smec 1"]) / 1000
        return kHz

    def cyclesFor(self, run):
        """Enough for a run of --seconds, which its first ones foretell."""
        cycles = 10_000
        for seconds in (0.2, self.options.seconds):
            cycles = max(cycles, int(cycles * seconds / run(cycles).wall))
        return cycles


def row(core, f):
    what = f"firmware, {f['rounds']:,} rounds" if core.firmware else "random words"
    build = f["import"] + f["compile"]
    cells = [f"{core.title} ({core.licence})", what, f"{f['cells']:,}", f"{f['processes']}", f"{f['registers']:,} ({f['named']:.1%})", f"{f['yosys']:.1f}",
             f"{build:.1f}", f"{f['verilator build']:.1f}"]
    if "smec 1" in f:
        theirs = [f.get(kind, 0) for kind in ("flat", "blocks", "two")]
        cells += [f"{f['smec 1']:,.0f}", f"{f['smec 2']:,.0f}", f"{f['smec auto'] / f['smec 1 wall']:.2f}"]
        cells += [*(f"{one:,.0f}" if one else "" for one in theirs), f"{max(f['smec 1'], f['smec 2']) / max(theirs):.2f}"]
    else:
        cells += [""] * 7
    return "| " + " | ".join(cells) + " |"


HEAD = """| core (licence) | runs | cells | kinds of processes | bits of registers compared (of all) | Yosys, CPU s | smec and g++, CPU s | Verilator and g++, CPU s | smec: kHz, 1 thread | 2 threads | `auto`, of 1 thread | Verilator: kHz, flat | `--hierarchical` | 2 threads | ratio of the best |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"""


def joined(old, new):
    """Rows of a table: those that are new in place of theirs, behind all where they have none."""
    rows = {line.split("|")[1].strip(): line for line in old}
    rows |= {line.split("|")[1].strip(): line for line in new}
    return list(rows.values())


def written(part, head, lines):
    """Puts rows between the marks of docs/cores.md, where rows of others stay."""
    with open(PAGE, encoding="utf-8") as f:
        text = f.read()
    begin, end = f"<!-- {part} -->\n", f"<!-- end of {part} -->"
    before, rest = text.split(begin)
    inside, after = rest.split(end)
    old = [line for line in inside.splitlines()[2:] if line.startswith("|")]
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(before + begin + "".join(line + "\n" for line in [head, *joined(old, lines)]) + end + after)


class Clock:
    """For how long something may be begun."""

    def __init__(self, minutes):
        self.ends = time.monotonic() + minutes * 60

    def inTime(self, make):
        def made():
            if time.monotonic() >= self.ends:
                raise Failed("no time left; the same with --resume goes on here")
            return make()
        return made


def ladder(options, work, kept, clock):
    """(rows, names of those that failed or were left out)"""
    made, lines, failed = Ladder(options, work), [], []
    print(HEAD)
    for name in options.only or CORES:
        try:
            figures = kept.made(name, clock.inTime(lambda name=name: made.figures(name)))
        except (Failed, registers.Different) as problem:
            failed.append(name)
            print(f"{name}: {problem}", flush=True)
            continue
        lines.append(row(CORES[name], figures))
        print(lines[-1], flush=True)
        if options.missing:
            print("".join(f"{name}: {path} has no register of its own in the source\n" for path in figures["missing"]), end="")
            print("".join(f"{name}: {path} differs before cycle {registers.SETTLED}\n" for path in figures["unsettled"]), end="")
    return lines, failed


def rings(options, work, kept, clock):
    """(rows, names of those that failed or were left out)"""
    lines, failed = [], []
    print(ring.HEAD)
    for name, make in ring.rows(options, work):
        try:
            lines.append(kept.made(name, clock.inTime(make)))
            print(lines[-1], flush=True)
        except Failed as problem:
            failed.append(name)
            print(f"{name}: {problem}", flush=True)
    return lines, failed


def arguments():
    parser = argparse.ArgumentParser(prog="./sme cores", description=__doc__)
    parser.add_argument("--only", action="append", choices=sorted(CORES), help="a core; as often as wanted (default: all)")
    parser.add_argument("--smec", default=os.environ.get("SMEC", os.path.join(ROOT, "build/release/bin/smec")), help="the compiler")
    parser.add_argument("--work", default=os.path.join(ROOT, "build", "cores"), help="folder for packages and all that is made")
    parser.add_argument("--verilator", default="verilator", metavar="PATH", help="another Verilator")
    parser.add_argument("--registers", type=int, metavar="N", help="cycles in which registers are compared with Icarus (5,000)")
    parser.add_argument("--cycles", type=int, metavar="N", help="cycles after which results and hashes are compared with Verilator (3,000,000)")
    parser.add_argument("--seconds", type=float, metavar="S", help="how long a timed run takes, about (1)")
    parser.add_argument("--repeat", type=int, metavar="N", help="timed runs, of which the median counts (3); 0: results are compared, no more")
    parser.add_argument("--ring", type=int, default=100_000, metavar="N", help="cycles of the ring of 64 cores; 0: without")
    parser.add_argument("--many", action="store_true", help="the ring of 1,024 cores, too")
    parser.add_argument("--full", action="store_true", help="100,000 cycles of registers, 10,000,000 of outputs, 7 timed runs of 5 s, and --many")
    parser.add_argument("--missing", action="store_true", help="list registers that are not compared")
    parser.add_argument("--resume", action="store_true", help="take figures that the same programs have already given with these options")
    parser.add_argument("--minutes", type=float, default=1e6, metavar="N", help="begin no core after so long; --resume goes on")
    parser.add_argument("--limit", type=float, default=Limit.seconds, metavar="S", help="seconds after which a program of others or ours is ended (3600)")
    parser.add_argument("--write", action="store_true", help="write the tables into docs/cores.md")
    options = parser.parse_args()
    defaults = {"registers": (5_000, 100_000), "cycles": (3_000_000, 10_000_000), "seconds": (1, 5), "repeat": (3, 7)}
    for name, values in defaults.items():
        if getattr(options, name) is None:
            setattr(options, name, values[options.full])
    options.many = options.many or options.full
    return options


def main():
    options = arguments()
    cores = [CORES[name] for name in options.only or CORES]
    compilers = {TARGETS[core.firmware].prefix + "gcc" for core in cores if core.firmware}
    needed = [tool for tool in (*NEEDED, *sorted(compilers), options.verilator) if not shutil.which(tool)]
    if needed:
        print(f"not found: {', '.join(needed)}")
        return 77
    options.smec, work = os.path.abspath(options.smec), os.path.abspath(options.work)
    os.makedirs(work, exist_ok=True)
    if any(core.isSystemVerilog() for core in cores):
        bringSlang(work)
    Limit.seconds = options.limit
    version = Verilator(options.verilator, work).version()
    print(f"Verilator {version}")
    kept, clock = Kept(options, work, version), Clock(options.minutes)
    lines, failed = ladder(options, work, kept, clock)
    ringLines, ringFailed = rings(options, work, kept, clock) if options.ring else ([], [])
    if options.write:
        written("cores", HEAD, lines)
        written("ring", ring.HEAD, ringLines)
    if failed or ringFailed:
        print(f"failed or left out: {', '.join(failed + ringFailed)}")
    return 1 if failed or ringFailed else 0


if __name__ == "__main__":
    sys.exit(main())
