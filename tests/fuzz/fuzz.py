#!/usr/bin/env python3
"""Random programs, through the interpreter and compiled, compared. README.md beside this file says how to use it.

    fuzz.py [--smec PATH] [--seed N] [--count N] [--minutes M] [--features LIST] [--keep DIR]
    fuzz.py [--smec PATH] --nightly HOURS [--keep DIR]
"""
import collections
import os
import random
import re
import shutil
import subprocess
import sys
import time

import campaign
import features
import networks
import shrink
from cases import Case, filesOf, joined, moduleOf
from tester import AHEAD, MODES, BUILDS, PLANS, RANKS, UNSEEN, Failure, Tester, mpiPlans


def rulesOf(smec):
    """Names of the rules that --without switches off."""
    text = subprocess.run([smec, "compile", "--without", "help"], stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout
    return [line.split()[0] for line in text.splitlines()]


def numbersOf(smec):
    """--number words: each number half and twice as large."""
    text = subprocess.run([smec, "compile", "--number", "help"], stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout
    words = []
    for name, value in (line.split()[:2] for line in text.splitlines()):
        value = float(value.replace(",", ""))
        both = (value / 2, value * 2) if value != int(value) else (max(int(value) // 2, 1), int(value) * 2)
        words += [f"{name}={each}" for each in both]
    return words


class Campaign:
    def __init__(self, options, scratch):
        self.options, self.scratch = options, scratch
        self.tester = Tester(options.smec, scratch, options.cycles, {"all": PLANS + RANKS + AHEAD, "ranks": RANKS + AHEAD, "mpi": mpiPlans(), "unseen": UNSEEN}[options.plans])
        self.features = options.features
        self.rules = rulesOf(options.smec) if options.without else []
        self.numbers = numbersOf(options.smec) if options.without else []
        self.loud = 0                            # networks without code for cycles that nobody sees
        self.findings, self.kinds, self.saved = 0, {}, []
        self.used = collections.Counter()        # how many of the networks had a feature switched on
        self.tested = self.skipped = self.failing = 0
        self.start = time.time()

    def over(self):
        return self.options.minutes is not None and time.time() - self.start > self.options.minutes * 60 or \
            self.findings >= self.options.most

    def main(self):
        seed = campaign.batches(self.options, self.over, self.batch, self.progress)
        if self.options.nightly is not None:
            self.summary(seed)
        print(f"{self.tested} networks compared, {self.failing} of them with a run-time error; {self.skipped} only interpreted; "
              f"{self.builds()}, {self.tester.runs} runs; {self.findings} findings; "
              f"next seed {seed}; {time.time() - self.start:.0f} s")
        return 1 if self.findings or (self.options.plans == "unseen" and self.tester.unseenBuilds == 0) else 0

    def builds(self):
        unseen = f" ({self.tester.unseenBuilds} with code for cycles that nobody sees; {self.loud} networks had none)" if self.options.plans == "unseen" else ""
        return f"{self.tester.builds} builds{unseen}"

    def summary(self, seed):
        """What a night has tried and found, also as summary.txt beside the findings."""
        lines = [f"seeds {self.options.seed} to {seed - 1}, {self.tested} networks compared, {self.failing} with a run-time error",
                 f"{self.tester.builds} builds, {self.tester.runs} runs, {(time.time() - self.start) / 3600:.1f} hours", "networks with"]
        lines += [f"  {count:7}  {feature}" for feature, count in sorted(self.used.items())]
        lines += [f"findings: {len(self.saved)} kept of {sum(self.kinds.values())}"] + ["  " + one for one in self.saved]
        os.makedirs(self.options.keep, exist_ok=True)
        with open(os.path.join(self.options.keep, "summary.txt"), "w", encoding="utf-8") as f:
            f.write("\n".join(lines) + "\n")
        print("\n".join(lines), flush=True)

    def progress(self):
        return f"{time.time() - self.start:6.0f} s  {self.tested} compared  {self.skipped} interpreted  {self.findings} findings"

    def batch(self, seeds):
        """Makes these networks and compares those that run for equally many cycles in one build."""
        rng = random.Random(seeds[0] * 7919 + 1)
        mode = self.options.mode or rng.choice(("checked", "checked", "checked", "unchecked", "hold"))
        level = ["-O2" if rng.random() < self.options.optimised else "-O0"] + rng.choice(BUILDS)
        if self.options.without:
            level += [word for rule in rng.sample(self.rules, rng.randint(1, 3)) for word in ("--without", rule)]
            level += [word for number in rng.sample(self.numbers, rng.randint(0, 3)) for word in ("--number", number)]
        cases = []
        for seed in seeds:
            if self.over():
                return
            cases.append(Case(seed, networks.network(seed, self.features, f"f{seed}", self.options.limits)))
            self.used.update(cases[-1].program.a["features"])
        cases = [c for c in cases if self.runs(c, mode)]
        self.reprint(cases, mode)
        cases = self.compilable(cases, mode)
        if self.options.plans == "unseen":
            cases = self.unseen(cases, mode)
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

    def reprint(self, cases, mode):
        """Formats these programs, all at once while nothing fails."""
        if not cases or self.tester.reprint(cases) is None:
            return
        for case in cases:
            failure = self.tester.reprint([case])
            if failure is not None:
                self.report([case], failure, mode, "print")

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

    def unseen(self, cases, mode):
        """Those that have code for cycles that nobody sees."""
        kept = [case for case in cases if self.tester.goesUnseen([case], mode)]
        self.loud += len(cases) - len(kept)
        return kept

    def judge(self, cases, mode, level):
        """The failure that these cases show, by the means that found it."""
        if level is None:
            outcome = self.tester.interpret(cases, mode)
            return outcome if isinstance(outcome, Failure) else None
        if level == "print":
            return self.tester.reprint(cases)
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

    def keepFiles(self, stem, cases):
        """A program of several files gets a folder as well, ready to run."""
        files = filesOf(cases)
        if len(files) == 1:
            return
        os.makedirs(stem, exist_ok=True)
        for name, text in files.items():
            with open(os.path.join(stem, name), "w", encoding="utf-8") as f:
                f.write(text)

    def save(self, cases, failure, mode, original, seeds):
        stem = os.path.join(self.options.keep, f"{failure.kind}_{cases[0].seed}")
        self.tester.write(cases)
        given = f"--input {os.path.basename(stem)}.csv" if self.tester.input else ""
        os.makedirs(self.options.keep, exist_ok=True)
        self.keepFiles(stem, cases)
        head = f"// {failure.kind}: {failure.label}\n// {failure.detail}\n" \
               f"// seed {seeds}; run with --top fuzz_top --cycles {self.options.cycles} {' '.join(MODES[mode] + self.tester.given)} {given}\n"
        with open(stem + ".sme", "w", encoding="utf-8") as f:
            f.write(head + moduleOf(cases))
        with open(stem + ".full.sme", "w", encoding="utf-8") as f:
            f.write(head + original)
        if given:
            shutil.copy(os.path.join(self.scratch, "input.csv"), stem + ".csv")
        self.saved.append(f"{os.path.basename(stem)}.sme: {failure.kind}: {failure.label}: {failure.detail}")
        print(f"FINDING {stem}.sme: {failure.kind}: {failure.label}: {failure.detail}", flush=True)


def kindOf(failure):
    """What two findings of one cause have in common, as far as a text can tell."""
    if failure.kind in ("rejected", "refused"):
        return failure.label
    words = re.sub(r"\S*\d\S*|'[^']*'|‘[^’]*’", "_", failure.detail)
    return words if failure.kind in ("crash", "build") else ""


def chosenFeatures(text):
    """`now`, `all`, or names; -name takes one out."""
    chosen, known = [], sum(features.FEATURES.values(), [])
    for word in text.split(","):
        if word in ("now", "all"):
            chosen += features.FEATURES["now"] + (features.FEATURES["later"] + features.FEATURES["broken"] if word == "all" else [])
        elif word.startswith("-"):
            chosen = [f for f in chosen if f != word[1:]]
        elif word in known:
            chosen.append(word)
        else:
            sys.exit(f"no feature '{word}'; there are: now, all, {', '.join(known)}")
    return chosen


def night(options):
    """The settings of a nightly run. A day has a million seeds of its own."""
    day = int(time.time()) // 86400
    options.minutes, options.features, options.most = options.nightly * 60, chosenFeatures("all"), 200
    options.seed = day * 1000000 if options.seed == 1 else options.seed
    options.keep = os.path.join(options.keep, time.strftime("%Y-%m-%d", time.gmtime(day * 86400)))


def completed(options):
    """Values of options that were not given: cycles may go unseen in small networks."""
    isUnseen = options.plans == "unseen"
    options.limits = ("hardware", "async", "mixedports", "sums") if isUnseen else ()
    options.features = options.features or chosenFeatures("now,-sim" if isUnseen else "now")
    options.batch = options.batch or (2 if isUnseen else 40)
    options.cycles = options.cycles or (150 if isUnseen else 24)


def main():
    parser = campaign.parser("compare random programs, interpreted and compiled", count=None, batch=None, most=20, things="networks")
    parser.add_argument("--minutes", type=float, help="stop after that time")
    parser.add_argument("--nightly", type=float, metavar="HOURS",
                        help="all features, other seeds every day, up to 200 findings in a folder of the day, and a summary")
    parser.add_argument("--features", type=chosenFeatures, help="now, all, or names; -name leaves one out")
    parser.add_argument("--cycles", type=int, help="of each run (24)")
    parser.add_argument("--optimised", type=float, default=0.2, help="share of the builds that use -O2 instead of -O0")
    parser.add_argument("--mode", choices=sorted(MODES), help="default: one chosen for each batch")
    parser.add_argument("--plans", choices=("all", "ranks", "mpi", "unseen"), default="all",
                        help="ways to run a build; ranks: on several ranks only; mpi: on those of each MPI that is here; unseen: small networks, "
                             "without traces")
    parser.add_argument("--without", action="store_true", help="each build leaves one to three rules of the optimiser out, and has up to three numbers half or twice as large")
    parser.add_argument("--each", type=int, default=3, help="findings of one kind that are shrunk and written")
    parser.add_argument("--shrink", type=float, default=60, metavar="SECONDS", help="time to shrink a finding (0: do not)")
    parser.add_argument("--interpret-only", action="store_true", help="only that the interpreter accepts and runs them")
    parser.add_argument("--print", action="store_true", help="print the network of --seed and stop")
    options = parser.parse_args()
    completed(options)
    if options.print:
        sys.stdout.write(moduleOf([Case(options.seed, networks.network(options.seed, options.features, f"f{options.seed}", options.limits))]))
        return 0
    if options.nightly is not None:
        night(options)
    if options.count is None and options.minutes is None:
        options.count = 200
    if options.plans == "mpi" and not mpiPlans():
        sys.exit("no launcher of an MPI is here: neither mpirun.openmpi nor mpirun.mpich")
    return campaign.inScratch(options, "fuzz", lambda scratch: Campaign(options, scratch).main())


if __name__ == "__main__":
    sys.exit(main())
