"""Compares the contenders of a row, and times them."""
import os
import statistics
import sys
from dataclasses import dataclass, field

import commands
from commands import Failed, Unfinished
from contenders import Cost, buildOf, isMissing

AIM = 0.5  # seconds of one timed run
MOST_CYCLES = 1 << 32


@dataclass
class Measured:
    """One contender on one row."""
    cycles: int = 0
    nsPerStep: list = field(default_factory=list)  # one a repeat
    cpuNsPerStep: list = field(default_factory=list)  # of all threads, and of starting
    traceBytes: float = 0  # a step
    note: str = ""  # why there are no figures

    @property
    def median(self):
        return statistics.median(self.nsPerStep) if self.nsPerStep else None


@dataclass
class RowResult:
    row: object
    measured: dict = field(default_factory=dict)  # contender -> Measured
    costs: dict = field(default_factory=dict)  # build -> Cost
    wrong: list = field(default_factory=list)  # texts
    estimate: float = 0  # ns per step


class Results:
    """What the targets ask."""

    def __init__(self):
        self.rows = {}

    def measured(self, row, contender):
        result = self.rows.get(row)
        found = result and result.measured.get(contender)
        return found if found and found.nsPerStep else None

    def median(self, row, contender):
        found = self.measured(row, contender)
        return found.median if found else None

    def ratio(self, overRow, over, underRow, under):
        """The median of the ratios of runs that stood beside each other; across rows, the ratio of the medians."""
        a, b = self.measured(overRow, over), self.measured(underRow, under)
        if not a or not b:
            return None
        if overRow != underRow or len(a.nsPerStep) != len(b.nsPerStep):
            return a.median / b.median
        return statistics.median(x / y for x, y in zip(a.nsPerStep, b.nsPerStep))

    def cost(self, row, build, what):
        cost = row in self.rows and self.rows[row].costs.get(build)
        if not cost:
            return None
        return cost.peakMiB if what == "peakMiB" else cost.translateSeconds + cost.compileSeconds


def say(text):
    print(text, file=sys.stderr, flush=True)


def same(a, b):
    """Results are texts; floats may be written in two ways."""
    return a == b or (any(c in a + b for c in ".en") and float(a) == float(b))


class Measurement:
    def __init__(self, workshop, families, repeat, scale, everything):
        self.workshop, self.families = workshop, families
        self.repeat, self.scale, self.everything = repeat, scale, everything

    # ------------------------------------------------------------ who takes part

    def wanted(self, contender):
        return any(contender == name or contender.startswith(name + "-") for name in self.families)

    def obstacle(self, contender, row):
        family = contender.split("-")[0]
        missing = isMissing(family)
        if missing:
            return f"{', '.join(missing)} not installed"
        return "" if self.everything else row.skipped.get(family, "")

    def prepared(self, result):
        """contender -> program, of those that could be built."""
        row, programs, built = result.row, {}, {}
        for contender in filter(self.wanted, row.contenders or row.design.contenders):
            result.measured[contender] = Measured(note=self.obstacle(contender, row))
            if result.measured[contender].note:
                continue
            kind = buildOf(contender)
            if kind not in built:
                built[kind] = self.built(kind, result)
            program, result.measured[contender].note = built[kind]
            if program:
                programs[contender] = program
        return programs

    def built(self, kind, result):
        """(program, why there is none)"""
        try:
            program, result.costs[kind] = self.workshop.build(kind, result.row)
            return program, ""
        except Unfinished as problem:
            say(f"  {kind}: {problem}")
            return None, str(problem)
        except Failed as problem:
            result.wrong.append(f"{kind} was not built: {problem}")
            return None, "failed"

    # ------------------------------------------------------------ comparing

    def ran(self, contender, programs, result, cycles):
        """None where the run failed; then the contender takes no further part."""
        try:
            return self.workshop.run(contender, programs[contender], result.row, cycles)
        except (Failed, Unfinished) as problem:
            del programs[contender]
            result.measured[contender].note = "failed" if isinstance(problem, Failed) else str(problem)
            result.wrong.append(f"{contender}, {cycles} cycles: {problem}")
            return None

    def compare(self, seen, contender, cycles, results, result):
        """Against the first that ran as many cycles. seen: cycles -> (contender, results)"""
        first, expected = seen.setdefault(cycles, (contender, results))
        if len(expected) != len(results) or not all(map(same, expected, results)):
            result.wrong.append(f"after {cycles} cycles {first} has {' '.join(expected)}, {contender} {' '.join(results)}")

    def check(self, programs, result):
        seen, first = {}, result.row.checkCycles
        for cycles in (first, first + 1):
            for contender in list(programs):
                ran = self.ran(contender, programs, result, cycles)
                if ran:
                    self.compare(seen, contender, cycles, ran.results, result)
        return seen

    # ------------------------------------------------------------ timing

    def calibrated(self, contender, programs, result):
        """A power of two of cycles that take about as long as a run shall, so that contenders often run equally many.

        The last run counts: short ones may have spent their time on memory that is touched for the first time.
        """
        aim, cycles = AIM * self.scale, 1
        while True:
            ran = self.ran(contender, programs, result, cycles)
            if not ran:
                return 0
            share = aim / max(ran.seconds, 1e-6)
            if share < 2.8 or cycles >= MOST_CYCLES:
                break
            cycles <<= int(min(share, 1024)).bit_length() - 1
        while share < 0.7 and cycles > 1:
            cycles, share = cycles // 2, share * 2
        return cycles

    def time(self, programs, result, seen):
        cycles = {}
        for contender in list(programs):
            cycles[contender] = result.measured[contender].cycles = self.calibrated(contender, programs, result)
        for _ in range(self.repeat):
            for contender in list(programs):
                ran = self.ran(contender, programs, result, cycles[contender])
                if ran:
                    self.compare(seen, contender, cycles[contender], ran.results, result)
                    self.note(result.measured[contender], ran, cycles[contender] * result.row.steps)

    @staticmethod
    def note(measured, ran, steps):
        measured.nsPerStep.append(ran.seconds * 1e9 / steps)
        measured.cpuNsPerStep.append(ran.cpuSeconds * 1e9 / steps)
        measured.traceBytes = ran.traceBytes / steps

    def estimate(self, probe, row):
        line = row.estimate
        out = commands.run([probe, str(int(line.footprint))], self.workshop.work, 60).out
        rates = {name: float(value) for name, value in map(str.split, out.splitlines())}
        return 1e9 * max(line.bytes / rates["bytes"], line.operations / rates[line.kind])

    def measure(self, row, timed, probe):
        result = RowResult(row)
        programs = self.prepared(result)
        seen = self.check(programs, result)
        if timed:
            self.time(programs, result, seen)
            result.estimate = self.estimate(probe, row)
        for text in result.wrong:
            say(f"  wrong: {text}")
        return result
