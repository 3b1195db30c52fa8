#!/usr/bin/env python3
"""A state that one engine keeps, another one goes on from: random programs, saved at a random cycle, and the rest of the run is that of one run.

    states.py [--smec PATH] [--seed N] [--count N] [--batch N] [--moves N] [--keep DIR]

Networks of the random programs (networks.py) stand below one top, as fuzz.py has them. An engine is the interpreter, or a build under a plan: a
state is kept by one and taken up by another, chosen at random. What both print, rows of the trace behind the state, the checksum and the counts of
`cover` have to be those of the interpreter's run from cycle 0.
"""
import os
import random
import shutil
import sys

import campaign
import networks
from cases import Case, moduleOf
from fuzz import chosenFeatures
from tester import Failure, Outcome, Tester, reports

BUILDS = {"plain": ["-O0"], "nosimd": ["-O0", "--no-simd"], "parts": ["-O0", "--partition-size", "1"], "lanes": ["-O2"]}
PLANS = (["--model", "m1", "--threads", "1"], ["--model", "m2", "--threads", "1"], ["--model", "m2", "--threads", "2"], ["--model", "m3", "--threads", "2"],
         ["--ranks", "2", "--threads", "1"])
CYCLES = 24


class Campaign:
    def __init__(self, options, scratch):
        self.options, self.scratch = options, scratch
        self.tester = Tester(options.smec, scratch, CYCLES)
        self.programs = self.moved = self.ended = self.findings = 0

    def main(self):
        campaign.batches(self.options, lambda: self.findings >= self.options.most, self.batch,
                         lambda: f"{self.programs} programs, {self.moved} states moved, {self.findings} findings")
        print(f"{self.programs} programs ({self.ended} more ended before the last cycle), {self.moved} states moved; {self.findings} findings")
        return 1 if self.findings or self.programs == 0 else 0

    def runs(self, case):
        """Whether it runs to the last cycle; one that fails or stops ends all."""
        wanted = self.tester.interpret([case], "checked")
        good = not isinstance(wanted, Failure) and wanted.status == 0 and wanted.cycles == CYCLES and self.tester.supported([case], "checked") is None
        self.ended += not good
        return good

    def batch(self, seeds):
        rng = random.Random(seeds[0] * 104729 + 1)
        cases = [Case(seed, networks.network(seed, chosenFeatures("now,-failures,-stop"), f"f{seed}", ())) for seed in seeds]
        cases = [case for case in cases if self.runs(case)]
        if not cases:
            return
        self.programs += len(cases)
        wanted = self.tester.interpret(cases, "checked")
        names = rng.sample(sorted(BUILDS), 2)
        for name in names:
            if not self.build(name):
                return self.report(cases, "build " + name, "it cannot be built")
        for number in range(self.options.moves):
            # each direction between interpreter and simulator at least once, the rest as it comes
            ways = {0: ("interpreter", names[0]), 1: (names[1], "interpreter")}.get(number) or tuple(rng.choices([*names, "interpreter"], k=2))
            text = self.move(wanted, [self.engine(rng, way) for way in ways], rng.randint(1, CYCLES - 1))
            if text:
                return self.report(cases, " to ".join(ways), text)

    def build(self, name):
        status, _, err = self.tester.run([self.options.smec, "compile", "fuzz.sme", "--top", "fuzz_top", *BUILDS[name], "-q", "-o", name, "--build-dir",
                                          "build_" + name, *self.tester.given], 1200)
        if status != 0:
            print(err[-600:], flush=True)
        return status == 0

    def engine(self, rng, name):
        if name == "interpreter":
            return [self.options.smec, "run", "fuzz.sme", "--top", "fuzz_top", "--interpret", *self.tester.given]
        return ["./" + name, "--oversubscribe", *rng.choice(PLANS)]

    def move(self, wanted, engines, middle):
        """The first difference as text, or an empty one."""
        state = os.path.join(self.scratch, "middle.state")
        if os.path.exists(state):
            os.remove(state)
        self.moved += 1
        where = f"at {middle}, {' '.join(engines[0][1:])} to {' '.join(engines[1][1:])}: "
        status, before, err = self.tester.run([*engines[0], *self.tester.input, "--cycles", str(middle), "--checkpoint", state])
        if status != 0:
            return where + f"no state is kept: status {status}, {err[-600:]}"
        status, after, err = self.tester.run([*engines[1], "--resume", state, *self.tester.watched("got.csv")])
        head, *rows = wanted.trace.split("\n")
        expected = Outcome(0, wanted.out, wanted.err, "\n".join([head, *rows[middle:]]), 0)
        text = expected.difference(Outcome(status, before + after, reports(err), self.tester.traced("got.csv"), 0))
        return text and where + text + (f" ({err[-600:]})" if status != 0 else "")

    def report(self, cases, label, text):
        self.findings += 1
        stem = os.path.join(self.options.keep, f"state_{cases[0].seed}")
        os.makedirs(stem, exist_ok=True)
        with open(stem + ".sme", "w", encoding="utf-8") as f:
            f.write(f"// {label}: {text}\n".replace("\n", " ") + "\n" + moduleOf(cases))
        for name in os.listdir(self.scratch):
            if name.endswith((".sme", ".csv", ".state", ".hex")) and os.path.isfile(os.path.join(self.scratch, name)):
                shutil.copy(os.path.join(self.scratch, name), stem)
        print(f"FINDING {stem}.sme: {label}: {text}", flush=True)


def main():
    parser = campaign.parser("states of random programs, from engine to engine", count=200, batch=40)
    parser.add_argument("--moves", type=int, default=12, help="states of each build that are moved")
    options = parser.parse_args()
    return campaign.inScratch(options, "states", lambda scratch: Campaign(options, scratch).main())


if __name__ == "__main__":
    sys.exit(main())
