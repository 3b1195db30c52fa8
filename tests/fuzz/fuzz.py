#!/usr/bin/env python3
"""Random programs, through the interpreter and compiled, compared. README.md beside this file says how to use it.

    fuzz.py [--smec PATH] [--seed N] [--count N] [--minutes M] [--features LIST] [--keep DIR]
"""
import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

import generate
import networks
import shrink
import tree

PLANS = [["--model", "m1", "--threads", "1"], ["--model", "m1", "--threads", "2", "--chunk", "static"],
         ["--model", "m1", "--threads", "3", "--chunk", "gss"], ["--model", "m1", "--threads", "3", "--chunk", "ss"],
         ["--model", "m2", "--threads", "1"], ["--model", "m2", "--threads", "2", "--orchestrate", "thesis"],
         ["--model", "m2", "--threads", "3", "--orchestrate", "even"]]
BUILDS = [[], [], [], ["--no-simd"], ["--partition-size", "40"], ["--march", "generic"]]
MODES = {"checked": [], "unchecked": ["--unchecked"], "hold": ["--unwritten", "hold"]}
DEADLINE = 120          # seconds for one interpreter run or simulator run; a C++ build gets five times that


class Failure:
    """`kind` is what the shrinker preserves: rejected (by the interpreter), refused (by the compiler alone), crash, build, differs, hang."""

    def __init__(self, kind, label, detail):
        self.kind, self.label, self.detail = kind, label, detail


class Case:
    def __init__(self, seed, program):
        self.seed, self.program = seed, program
        self.cycles = None

    @property
    def prefix(self):
        return f"f{self.seed}"


def joined(cases):
    """All these networks and their top as one program, so that it can shrink as a whole."""
    program = tree.Node("program", *[k for c in cases for k in c.program.kids])
    program.a["whole"] = True
    instances = [tree.Node("instance", name=f"a{c.seed}", of=c.prefix + "_net", args=[]) for c in cases]
    program.kids.append(tree.Node("network", tree.Node("items"), tree.Node("items", *instances), name="fuzz_top"))
    return program


def moduleOf(cases):
    """One file with all these networks below one top."""
    if len(cases) == 1 and cases[0].program.a.get("whole"):
        return tree.source(cases[0].program)
    text = "".join(tree.source(c.program) for c in cases)
    return text + "network fuzz_top() {\n" + "".join(f"    instance a{c.seed} of {c.prefix}_net();\n" for c in cases) + "}\n"


def leaves(path, t):
    """The columns of a field: [(name, type)]."""
    if isinstance(t, tree.Array):
        return [x for i in range(t.size) for x in leaves(f"{path}[{i}]", t.element)]
    if isinstance(t, tree.Struct):
        return [x for name, inner in t.fields for x in leaves(f"{path}.{name}", inner)]
    return [(path, t)]


def sample(rng, t):
    if isinstance(t, tree.Int):
        return str(rng.choice((t.low, t.high, rng.randint(t.low, t.high), max(t.low, min(t.high, rng.randint(-9, 9))))))
    if isinstance(t, tree.Enum):
        name, value = rng.choice(t.members)
        return rng.choice((name, str(value)))
    return rng.choice(("true", "false")) if t is tree.BOOL else rng.choice(("0.0", "-0.0", "1.5", "-1e10", "0.1", "inf"))


def inputColumns(cases, rows):
    """[[name, value, …]] for some leaves of the inputs of these networks. A column depends on its name alone, so it outlives shrinking."""
    columns = []
    for c in cases:
        for n in networks.walk(c.program):
            for field, t in n.a.get("input", ()):
                for name, leaf in leaves(f"a{c.seed}.{n.a['bus']}.{field}", t):
                    rng = random.Random(name)
                    if rng.random() < 0.8:
                        columns.append([name] + [sample(rng, leaf) for _ in range(rows)])
    return columns


class Tester:
    def __init__(self, smec, scratch, cycles, plans=PLANS):
        self.smec, self.scratch, self.cycles, self.plans = smec, scratch, cycles, plans
        self.builds = self.runs = 0
        self.input = []           # options for the input file of what was written last

    def run(self, command, seconds=DEADLINE):
        """(status, stdout, stderr); the status is 'hang' after the deadline."""
        try:
            p = subprocess.run(command, cwd=self.scratch, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               timeout=seconds)
        except subprocess.TimeoutExpired:
            return "hang", "", ""
        return p.returncode, p.stdout.decode("utf-8", "replace"), p.stderr.decode("utf-8", "replace")

    def write(self, cases):
        path = os.path.join(self.scratch, "fuzz.sme")
        with open(path, "w", encoding="utf-8") as f:
            f.write(moduleOf(cases))
        columns = inputColumns(cases, self.cycles * 2 // 3)
        with open(os.path.join(self.scratch, "input.csv"), "w", encoding="utf-8") as f:
            for k, row in enumerate(zip(*columns)):
                f.write(",".join(["cycle" if k == 0 else str(k - 1), *row]) + "\n")
        self.input = ["--input", "input.csv"] if columns else []

    def watched(self, trace):
        path = os.path.join(self.scratch, trace)
        if os.path.exists(path):
            os.remove(path)
        return ["--cycles", str(self.cycles), "--checksum", "--trace", trace, "--trace-all", *self.input]

    def traced(self, trace):
        try:
            with open(os.path.join(self.scratch, trace), encoding="utf-8", errors="replace") as f:
                return f.read()
        except OSError:
            return "no trace was written"

    # ------------------------------------------------------------ the interpreter

    def interpret(self, cases, mode, quiet=False):
        """What a run shows (status, stdout, reports, trace), or the Failure of a program that cannot be run."""
        self.write(cases)
        command = [self.smec, "run", "fuzz.sme", "--top", "fuzz_top", "--interpret", *MODES[mode]]
        status, out, err = self.run(command + self.watched("wanted.csv"))
        if status == "hang":
            return Failure("hang", "interpreter", "")
        if status != 0 and not 0 < status < 126 or "internal error" in err or status == 70:
            return Failure("crash", "interpreter", firstError(err) or f"status {status}")
        if status != 0 and identifier(err):
            return Failure("rejected", identifier(err), firstError(err))
        if status in (2, 3, 4):
            ended = re.search(r"^cycles ", err, re.M)          # a stop(n) may give any status
            if not ended:
                return Failure("crash", "interpreter", firstError(err) or f"status {status}")
        found = re.search(r"^cycles +(\d+)", err, re.M)
        return Outcome(status, out, reports(err), self.traced("wanted.csv"), int(found.group(1)) if found else 0)

    # ------------------------------------------------------------ compiled

    def supported(self, cases, mode):
        """None when C++ is generated, "unsupported" for what is not done yet, else a Failure."""
        self.write(cases)
        status, _, err = self.run([self.smec, "compile", "fuzz.sme", "--top", "fuzz_top", "--no-build", "--build-dir", "check", *MODES[mode]])
        if status == 0:
            return None
        if "not-supported" in err:
            return "unsupported"
        if status == "hang":
            return Failure("hang", "code generation", "")
        if status == 1:
            return Failure("refused", identifier(err), firstError(err))
        return Failure("crash", "code generation", firstError(err) or f"status {status}")

    def build(self, level, mode):
        self.builds += 1
        simulator = os.path.join(self.scratch, "simulator")
        if os.path.exists(simulator):
            os.remove(simulator)
        status, _, err = self.run([self.smec, "compile", "fuzz.sme", "--top", "fuzz_top", *level, "-j", "1", "-o", "simulator", "--build-dir",
                                   "build" + "".join(level), *MODES[mode]], 5 * DEADLINE)
        if status == "hang":
            return Failure("hang", "build " + " ".join(level), "")
        if status != 0:
            kind = "unsupported" if "not-supported" in err else "build"
            return Failure(kind, " ".join(level), firstError(err) or f"status {status}: {err[-300:]}")
        return None

    def compare(self, cases, mode, level):
        """None when all agree with the interpreter, else the first Failure."""
        wanted = self.interpret(cases, mode)
        if isinstance(wanted, Failure):
            return wanted
        failure = self.build(level, mode)
        if failure is not None:
            return failure if failure.kind != "unsupported" else None
        for plan in self.plans:
            self.runs += 1
            status, out, err = self.run(["./simulator", "--oversubscribe", *plan] + self.watched("got.csv"))
            label = " ".join(level + plan) + ", " + mode
            if status == "hang":
                return Failure("hang", label, "")
            if isinstance(status, int) and status < 0:
                return Failure("crash", label, f"signal {-status}")
            text = wanted.difference(Outcome(status, out, reports(err), self.traced("got.csv"), 0))
            if text:
                return Failure("differs", label, text)
        return None

    def isolate(self, cases, mode, level, kind):
        """The fewest of these cases that still fail in that way (one, as a rule)."""
        while len(cases) > 1:
            half = len(cases) // 2
            for part in (cases[:half], cases[half:]):
                failure = self.compare(part, mode, level)
                if failure is not None and failure.kind == kind:
                    cases = part
                    break
            else:
                break
        return cases


class Outcome:
    def __init__(self, status, out, err, trace, cycles):
        self.status, self.out, self.err, self.trace, self.cycles = status, out, err, trace, cycles

    def difference(self, other):
        """The first difference as text, or an empty one."""
        for name, a, b in (("stdout", self.out, other.out), ("reports", self.err, other.err), ("trace", self.trace, other.trace)):
            if a != b:
                return f"{name}: " + (cell(a, b) if name == "trace" else line(a, b))
        return "" if self.status == other.status else f"exit status: {self.status} interpreted, {other.status} compiled"


def line(a, b):
    for number, (x, y) in enumerate(zip(a.split("\n") + ["(end)"], b.split("\n") + ["(end)"]), 1):
        if x != y:
            return f"line {number}: '{x[:160]}' interpreted, '{y[:160]}' compiled"
    return "one goes on behind the end of the other"


def cell(a, b):
    names = a.split("\n", 1)[0].split(",")
    if names != b.split("\n", 1)[0].split(","):
        return "the headers differ: " + b[:200]
    for x, y in zip(a.split("\n")[1:], b.split("\n")[1:]):
        for name, p, q in zip(names, x.split(","), y.split(",")):
            if p != q:
                return f"cycle {x.split(',')[0]}, {name}: {p} interpreted, {q} compiled"
    return "the numbers of cycles differ"


def reports(err):
    """Failure reports and coverage of a run, without the compiler's warnings and the summary."""
    return "\n".join(x for x in err.split("\n") if re.match(r"\S+:\d+:\d+: error: |  in instance |cover ", x))


def firstError(err):
    return next((x for x in err.split("\n") if "error" in x or "Assert" in x), "")[:300]


def identifier(err):
    found = re.search(r": error: .*\[([a-z-]+)\]$", err, re.M)
    return found.group(1) if found else ""


class Campaign:
    def __init__(self, options, scratch):
        self.options, self.scratch = options, scratch
        self.tester = Tester(options.smec, scratch, options.cycles)
        self.features = options.features
        self.findings, self.kinds = 0, {}
        self.tested = self.skipped = self.failing = 0
        self.start = time.time()

    def over(self):
        return self.options.minutes is not None and time.time() - self.start > self.options.minutes * 60 or \
            self.findings >= self.options.most

    def main(self):
        seed, end = self.options.seed, None if self.options.count is None else self.options.seed + self.options.count
        while not self.over() and (end is None or seed < end):
            size = self.options.batch if end is None else min(self.options.batch, end - seed)
            self.batch(range(seed, seed + size))
            seed += size
            self.progress()
        print(f"{self.tested} networks compared, {self.failing} of them with a run-time error; {self.skipped} only interpreted; "
              f"{self.tester.builds} builds, {self.tester.runs} runs; {self.findings} findings; "
              f"next seed {seed}; {time.time() - self.start:.0f} s")
        return 1 if self.findings else 0

    def progress(self):
        if self.options.verbose:
            print(f"{time.time() - self.start:6.0f} s  {self.tested} compared  {self.skipped} interpreted  {self.findings} findings", flush=True)

    def batch(self, seeds):
        """Makes these networks and compares those that run for equally many cycles in one build."""
        rng = random.Random(seeds[0] * 7919 + 1)
        mode = self.options.mode or rng.choice(("checked", "checked", "checked", "unchecked", "hold"))
        level = ["-O2" if rng.random() < self.options.optimised else "-O0"] + rng.choice(BUILDS)
        cases = []
        for seed in seeds:
            if self.over():
                return
            cases.append(Case(seed, networks.network(seed, self.features, f"f{seed}")))
        cases = self.compilable([c for c in cases if self.runs(c, mode)], mode)
        groups = {}
        for case in cases:
            groups.setdefault(case.cycles, []).append(case)
        for _, cases in sorted(groups.items(), key=lambda g: -len(g[1])):
            if self.over():
                return
            self.tested += len(cases)
            failure = self.tester.compare(cases, mode, level)
            if failure is not None:
                culprits = self.tester.isolate(cases, mode, level, failure.kind)
                self.report(culprits, self.tester.compare(culprits, mode, level) or failure, mode, level)

    def runs(self, case, mode):
        """Whether the interpreter runs the case. A failure or a `stop` ends a run for all, so only cases of equally many cycles share a file."""
        outcome = self.tester.interpret([case], mode)
        if isinstance(outcome, Failure):
            self.report([case], outcome, mode, None)
            return False
        case.cycles = outcome.cycles
        self.failing += ": error: " in outcome.err
        return True

    def compilable(self, cases, mode):
        """Those of the cases for which C++ is generated."""
        if self.options.interpret_only:
            self.skipped += len(cases)
            return []
        if not cases or self.tester.supported(cases, mode) is None:
            return cases
        kept = []
        for case in cases:
            state = self.tester.supported([case], mode)
            if state is None:
                kept.append(case)
            elif state == "unsupported":
                self.skipped += 1
            else:
                self.report([case], state, mode, "generate")
        return kept

    def judge(self, cases, mode, level):
        """The failure that these cases show, by the means that found it."""
        if level is None:
            outcome = self.tester.interpret(cases, mode)
            return outcome if isinstance(outcome, Failure) else None
        if level == "generate":
            state = self.tester.supported(cases, mode)
            return state if isinstance(state, Failure) else None
        return self.tester.compare(cases, mode, level)

    def report(self, cases, failure, mode, level):
        same = failure.kind, kindOf(failure)
        self.kinds[same] = self.kinds.get(same, 0) + 1
        if self.kinds[same] > self.options.each:
            return
        self.findings += 1
        original = moduleOf(cases)
        seeds = ", ".join(str(c.seed) for c in cases)
        if self.options.shrink > 0 and not any("input" in n.a for c in cases[1:] for n in networks.walk(c.program)):
            if len(cases) > 1:
                cases = [Case(cases[0].seed, joined(cases))]

            def fails(program):
                found = self.judge([Case(cases[0].seed, program)], mode, level)
                return found is not None and found.kind == failure.kind and kindOf(found) == kindOf(failure)
            program = shrink.shrink(cases[0].program, fails, self.options.shrink)
            cases = [Case(cases[0].seed, program)]
            failure = self.judge(cases, mode, level) or failure
        self.save(cases, failure, mode, original, seeds)

    def save(self, cases, failure, mode, original, seeds):
        stem = os.path.join(self.options.keep, f"{failure.kind}_{cases[0].seed}")
        self.tester.write(cases)
        given = f"--input {os.path.basename(stem)}.csv" if self.tester.input else ""
        os.makedirs(self.options.keep, exist_ok=True)
        head = f"// {failure.kind}: {failure.label}\n// {failure.detail}\n" \
               f"// seed {seeds}; run with --top fuzz_top --cycles {self.options.cycles} {' '.join(MODES[mode])} {given}\n"
        with open(stem + ".sme", "w", encoding="utf-8") as f:
            f.write(head + moduleOf(cases))
        with open(stem + ".full.sme", "w", encoding="utf-8") as f:
            f.write(head + original)
        if given:
            shutil.copy(os.path.join(self.scratch, "input.csv"), stem + ".csv")
        print(f"FINDING {stem}.sme: {failure.kind}: {failure.label}: {failure.detail}", flush=True)


def kindOf(failure):
    """What two findings of one cause have in common, as far as a text can tell."""
    if failure.kind in ("rejected", "refused"):
        return failure.label
    words = re.sub(r"\S*\d\S*|'[^']*'|‘[^’]*’", "_", failure.detail)
    return words if failure.kind in ("crash", "build") else ""


def chosenFeatures(text):
    """`now`, `all`, or names; -name takes one out."""
    chosen, known = [], sum(generate.FEATURES.values(), [])
    for word in text.split(","):
        if word in ("now", "all"):
            chosen += generate.FEATURES["now"] + (generate.FEATURES["later"] + generate.FEATURES["broken"] if word == "all" else [])
        elif word.startswith("-"):
            chosen = [f for f in chosen if f != word[1:]]
        elif word in known:
            chosen.append(word)
        else:
            sys.exit(f"no feature '{word}'; there are: now, all, {', '.join(known)}")
    return chosen


def main():
    parser = argparse.ArgumentParser(description="compare random programs, interpreted and compiled")
    parser.add_argument("--smec", default=os.environ.get("SMEC", "smec"))
    parser.add_argument("--seed", type=int, default=1, help="first seed; each network has its own")
    parser.add_argument("--count", type=int, help="networks to try")
    parser.add_argument("--minutes", type=float, help="stop after that time")
    parser.add_argument("--features", type=chosenFeatures, default=chosenFeatures("now"), help="now, all, or names; -name leaves one out")
    parser.add_argument("--batch", type=int, default=40, help="networks in one C++ build")
    parser.add_argument("--cycles", type=int, default=24)
    parser.add_argument("--optimised", type=float, default=0.2, help="share of the builds that use -O2 instead of -O0")
    parser.add_argument("--mode", choices=sorted(MODES), help="default: one chosen for each batch")
    parser.add_argument("--keep", default="findings", metavar="DIR", help="where findings are written")
    parser.add_argument("--most", type=int, default=20, help="stop after so many findings")
    parser.add_argument("--each", type=int, default=3, help="findings of one kind that are shrunk and written")
    parser.add_argument("--shrink", type=float, default=60, metavar="SECONDS", help="time to shrink a finding (0: do not)")
    parser.add_argument("--interpret-only", action="store_true", help="only that the interpreter accepts and runs them")
    parser.add_argument("--print", action="store_true", help="print the network of --seed and stop")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    if options.print:
        sys.stdout.write(moduleOf([Case(options.seed, networks.network(options.seed, options.features, f"f{options.seed}"))]))
        return 0
    if options.count is None and options.minutes is None:
        options.count = 200
    options.smec, options.keep = shutil.which(options.smec) or os.path.abspath(options.smec), os.path.abspath(options.keep)
    if not os.path.exists(options.smec):
        sys.exit(f"no compiler at '{options.smec}'; give --smec PATH")
    scratch = tempfile.mkdtemp(prefix="sme-fuzz-")
    try:
        return Campaign(options, scratch).main()
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    sys.setrecursionlimit(10000)
    sys.exit(main())
