"""What is done with a design, step by step. Each step's figures are kept by themselves, with what they depend on, and one that fails stops only those that need it."""
import os

from designs import KINDS
from kept import PROBLEMS, digest
from simulators import FLAGS, Smec, Verilator
from timing import times
from tools import Failed

CHOICE = 1   # seconds of the run by which Verilator's best way is chosen
THREADS = 3  # runs of smec on several threads, and
BRIEF = 2    # the seconds that each takes, or less where --seconds says so

PLANS = (("--threads", "2"), ("--threads", "2", "--model", "m1"))  # which give the state that one thread gives


class Steps:
    """Of one design. `figures`: of the steps that are done, by their names."""

    def __init__(self, design, options, version, kept):
        self.design, self.options, self.version, self.kept = design, options, version, kept
        self.smec, self.verilator = Smec(options.smec, design.folder), Verilator(options.verilator, design.folder)
        self.figures, self.failed = {}, 0

    def check(self):
        if not self.built(not self.options.resume):
            return
        if self.design.isTwoState:
            self.step("verilator.registers", self.theirKey(), lambda: self.timed(*self.design.modelOfRegisters(self.verilator)), isKept=isThere)
        if self.design.hasRegisters:
            self.step("registers", self.key(cycles=self.options.registers), self.registers)
        self.step("outputs", self.key(cycles=self.design.cycles), self.outputs)
        self.step("plans", self.key(cycles=self.options.registers), self.plans)

    def time(self):
        self.built(False)
        theirs = {kind: self.programOf(kind) for kind in KINDS if f"verilator.{kind}" in self.figures}
        if theirs:
            self.step("choice", self.key(code=None, kinds=sorted(theirs)), lambda: self.choice(theirs))
        best = self.figures.get("choice", {}).get("best")
        if "smec" in self.figures:
            how = {"atLeast": self.options.seconds, "repeat": self.options.repeat}
            self.step("threads", self.key(**how), self.threads)
            ways = self.ways()
            self.step("speeds", self.key(**how, best=best, ways=sorted(ways)), lambda: self.speeds(ways, best and (best, theirs[best])))

    def step(self, name, key, make, isAnew=None, isKept=lambda figures: True):
        """Whether it is done."""
        isAnew = not self.options.resume if isAnew is None else isAnew
        try:
            self.figures[name] = self.kept.made(self.design.name, name, key, make, (lambda figures: False) if isAnew else isKept)
        except PROBLEMS as problem:
            self.failed += 1
            print(f"{self.design.name}: {name}: {problem}", flush=True)
        return name in self.figures

    def key(self, **more):
        """Figures stay while smec makes the same C++ of a design."""
        return {"code": self.figures.get("smec", {}).get("code"), "verilator": self.version, "sources": self.design.sources(), **more}

    def built(self, isAnew):
        """Both simulators' programs; whether smec's is there."""
        if not self.step("sources", {}, self.prepared, isAnew=True):
            return False
        isDone = self.step("smec", {**self.figures["sources"], "sources": self.design.sources()}, self.smecBuilt, isAnew, isTimed)
        for kind in self.kinds():
            self.step(f"verilator.{kind}", self.theirKey(), lambda kind=kind: self.timed(*self.design.verilatorBuilt(self.verilator, kind)), isAnew, isThere)
        return isDone

    def theirKey(self):
        return {"verilator": self.version, "sources": self.design.sources(), "flags": FLAGS}

    def timed(self, path, seconds):
        return {"build": seconds, "program": path, "stamp": stamp(path)}

    def kinds(self):
        return [kind for kind in self.design.kinds if kind in self.options.kinds]

    def prepared(self):
        self.design.prepare()
        library = os.path.join(os.path.dirname(os.path.dirname(self.options.smec)), "lib", "libsme_runtime.a")
        return {"smec": digest(self.options.smec, *([library] if os.path.exists(library) else []))}

    def smecBuilt(self):
        figures = self.design.smecBuilt(self.smec)
        path = os.path.join(self.design.folder, self.design.name)
        return figures | {"code": self.smec.code(self.design.name), "program": path, "stamp": stamp(path)}

    def programOf(self, kind):
        return self.figures[f"verilator.{kind}"]["program"]

    def registers(self):
        if self.design.isTwoState and "verilator.registers" not in self.figures:
            raise Failed("no model of Verilator that tells registers")
        return self.design.registers(self.programOf("registers") if self.design.isTwoState else None, self.options.registers)

    def outputs(self):
        """The same in both after all cycles."""
        kind = next((kind for kind in self.kinds() if f"verilator.{kind}" in self.figures), None)
        if not kind:
            raise Failed("no program of Verilator")
        ours, _ = self.smec.run(self.design.name, self.design.cycles, 1, self.design.shown)
        theirs, _ = self.verilator.run(self.programOf(kind), self.design.cycles)
        if ours != theirs:
            raise Failed(f"after {self.design.cycles} cycles {', '.join(self.design.ports)} are {ours}, in Verilator {theirs}")
        return self.design.verified(ours)

    def plans(self):
        """One state after all cycles, whatever shares the work out, and where the run is one that goes on half way."""
        cycles, half = self.options.registers, f"{self.design.name}.half"
        wanted = self.smec.state(self.design.name, cycles, "--threads", "1")
        self.smec.state(self.design.name, cycles // 2, "--threads", "1", "--checkpoint", half)
        for how in PLANS + (("--threads", "2", "--resume", half),):
            found = self.smec.state(self.design.name, cycles, *how)
            if found != wanted:
                raise Failed(f"after {cycles} cycles {' '.join(how)} has {found}, one thread {wanted}")
        return {"plans": [" ".join(how) for how in PLANS]}

    def ours(self, threads):
        return lambda cycles: self.smec.run(self.design.name, cycles, threads, [])[1]

    def theirs(self, path):
        return lambda cycles: self.verilator.run(path, cycles)[1]

    def choice(self, programs):
        """kHz of each of Verilator's programs by one run."""
        kHz = {kind: times({kind: self.theirs(path)}, min(CHOICE, self.options.seconds), 1)["kHz"][kind] for kind, path in programs.items()}
        return {"kHz": kHz, "best": max(kHz, key=kHz.get)}

    def ways(self):
        """smec's that run beside Verilator's best, and their threads: one, and two where two are faster."""
        tried = self.figures.get("threads", {}).get("kHz", {})
        return {"smec": 1} | ({"smec on two": 2} if tried and tried["2"] > tried["1"] else {})

    def speeds(self, ways, best):
        """By turns."""
        runs = {way: self.ours(threads) for way, threads in ways.items()} | ({best[0]: self.theirs(best[1])} if best else {})
        figures = times(runs, self.options.seconds, self.options.repeat, ("two", "smec on two"))
        print(f"{self.design.name}: the shortest of {self.options.repeat * len(runs)} runs took {figures['shortest']:.2f} s", flush=True)
        return figures

    def threads(self):
        """By the clock on the wall."""
        runs = {str(threads): self.ours(threads) for threads in (1, 2, "auto")}
        return times(runs, min(BRIEF, self.options.seconds), min(THREADS, self.options.repeat), ("1", "2", "auto"))


def stamp(path):
    stat = os.stat(path)
    return [stat.st_size, stat.st_mtime_ns]


def isTimed(figures):
    """Also by the clock on the wall, which figures of before are not."""
    return "wall" in figures and isThere(figures)


def isThere(figures):
    """Whether the program is the one that was built then."""
    return os.path.exists(figures["program"]) and figures["stamp"] == stamp(figures["program"])
