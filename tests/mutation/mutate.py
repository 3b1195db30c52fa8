#!/usr/bin/env python3
"""Mutation check: which flipped operators and conditions of the compiler do the tests miss? See README.md.

    mutate.py [--only GLOB] [--sample N --seed S] [-j N] [--again] [--list] [--show N]
"""
import argparse
import collections
import concurrent.futures
import fnmatch
import hashlib
import json
import multiprocessing
import os
import random
import re
import subprocess
import sys

import build
import suite
from suite import Result

LIMIT_FACTOR, LIMIT_SECONDS = 10, 3     # a test of a mutant may take so many times what it takes unmutated, and so many seconds more

tests = []                              # the workers inherit it
options = None


def say(text):
    print(f"mutate: {text}", file=sys.stderr, flush=True)


# -------------------------------------------------------------------- what the tests reach


def observe(index, count):
    """Runs a test unmutated: passed, seconds, and for each mutant whether it was reached (1) and could have differed (3)."""
    test = tests[index]
    seen = os.path.join(options.work, f"seen.{os.getpid()}")
    with open(seen, "wb") as f:
        f.truncate(count)
    os.environ["SMEC_MUTANT_SEEN"] = seen
    try:
        started = os.times().elapsed
        passed = suite.withScratch(lambda scratch: observeIn(test, scratch))
        seconds = os.times().elapsed - started
    except subprocess.TimeoutExpired:
        passed, seconds = False, 0.0
    finally:
        del os.environ["SMEC_MUTANT_SEEN"]
    with open(seen, "rb") as f:
        return passed, seconds, f.read(), getattr(test, "text", None)


def observeIn(test, scratch):
    if test.builds:
        test.text = test.generate(scratch, 60)
        started = os.times().elapsed
        assert test.generate(scratch, 60) == test.text, f"{test.name}: the generated text is not stable"
        test.seconds = os.times().elapsed - started
        del os.environ["SMEC_MUTANT_SEEN"]
        try:
            return runWhole(test, scratch)
        finally:
            os.environ["SMEC_MUTANT_SEEN"] = ""
    return test.run(scratch, 120) == Result.PASSED


def runWhole(test, scratch):
    """Also where the text is as expected."""
    text, test.text = test.text, None
    try:
        return test.run(scratch, 120) == Result.PASSED
    finally:
        test.text = text


def stampOf(test, programs):
    total = hashlib.sha256(test.name.encode())
    for path in [programs["smec"]] if not isinstance(test, suite.Case) else [test.command[0]]:
        with open(path, "rb") as f:
            total.update(f.read())
    if isinstance(test, suite.Program):
        with open(test.program.path, "rb") as f:
            total.update(f.read())
        total.update((test.program.expectedOutput() or "").encode("utf-8", "surrogateescape"))
    return total.hexdigest()


def observeAll(programs, count):
    """By mutant: the tests in which it could differ; and the set of mutants that are reached at all."""
    cache = os.path.join(options.work, "observed")
    os.makedirs(cache, exist_ok=True)
    stamps = [os.path.join(cache, stampOf(test, programs)) for test in tests]
    todo = [i for i in range(len(tests)) if not os.path.exists(stamps[i])]
    say(f"{len(tests)} tests, {len(todo)} of them to be observed")
    with pool() as workers:
        for i, (passed, seconds, seen, text) in zip(todo, workers.map(observe, todo, [count] * len(todo), chunksize=4)):
            with open(stamps[i], "wb") as f:
                f.write(json.dumps([passed, seconds, text]).encode() + b"\n" + seen)
    reached, differing = set(), collections.defaultdict(list)
    for i, test in enumerate(tests):
        with open(stamps[i], "rb") as f:
            (passed, test.seconds, test.text), seen = json.loads(f.readline()), f.read()
        if not passed:
            say(f"fails unmutated, left out: {test.name}")
            continue
        for hit in re.finditer(rb"[\1\3]", seen):
            reached.add(hit.start())
            if hit.group() == b"\3":
                differing[hit.start()].append(i)
    return reached, differing


# -------------------------------------------------------------------- judging


def judge(mutant, order):
    """Runs tests until one fails: how the mutant ends, by which test, how many ran, how many differ only in generated text."""
    os.environ["SMEC_MUTANT"] = str(mutant)
    builds = differing = 0
    try:
        for ran, index in enumerate(order, 1):
            test = tests[index]
            limit = LIMIT_SECONDS + LIMIT_FACTOR * test.seconds + test.patience
            try:
                more = (builds < options.most_builds,) if test.builds else ()
                result = suite.withScratch(lambda scratch: test.run(scratch, limit, *more))
            except subprocess.TimeoutExpired:
                return mutant, "killed", f"{test.name} (time)", ran, differing
            if result == Result.FAILED:
                return mutant, "killed", test.name, ran, differing
            if test.builds and (result == Result.LIMITED or test.differed):
                differing += 1
                builds += 1
        return mutant, "survived", "", len(order), differing
    finally:
        del os.environ["SMEC_MUTANT"]


def judgeAll(chosen, mutants, differing, verdicts):
    killers = collections.defaultdict(collections.Counter)      # by file: tests that failed for other mutants of it

    def orderFor(mutant):
        lucky = killers[mutants[mutant]["path"]]
        return sorted(differing[mutant], key=lambda i: (tests[i].seconds / (1 + lucky[tests[i].name]), i))

    waiting, done = collections.deque(chosen), 0
    with pool() as workers:
        running = set()
        while waiting or running:
            while waiting and len(running) < 2 * options.jobs:
                mutant = waiting.popleft()
                running.add(workers.submit(judge, mutant, orderFor(mutant)))
            finished, running = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in finished:
                mutant, verdict, test, ran, texts = future.result()
                verdicts[mutant] = dict(mutants[mutant], verdict=verdict, test=test, ran=ran, texts=texts)
                killers[mutants[mutant]["path"]][test.removesuffix(" (time)")] += verdict == "killed"
                done += 1
                if done % 100 == 0:
                    say(f"{done} of {len(chosen)}, {sum(v['verdict'] == 'survived' for v in verdicts.values())} survived")
                    save(verdicts)


def pool():
    return concurrent.futures.ProcessPoolExecutor(options.jobs, mp_context=multiprocessing.get_context("fork"),
                                                  initializer=suite.prepareWorker, initargs=(options.work,))


# -------------------------------------------------------------------- the report


def save(verdicts):
    path = os.path.join(options.work, "report.json")
    with open(path + ".tmp", "w", encoding="utf-8") as f:
        json.dump({str(m): verdicts[m] for m in sorted(verdicts)}, f, indent=0)
    os.replace(path + ".tmp", path)


def lastReport(mutants):
    """The verdicts of the last report by today's numbers: a mutant is the same at its old place, or with its old text elsewhere in the file."""
    with open(os.path.join(options.work, "report.json"), encoding="utf-8") as f:
        last = json.load(f).values()
    byPlace = {(v["path"], v["line"], v["column"], v["what"], v["text"]): m for m, v in mutants.items()}
    byText = {(v["path"], v["what"], v["text"]): m for m, v in mutants.items()}
    found = {}
    for v in last:
        mutant = byPlace.get((v["path"], v["line"], v["column"], v["what"], v["text"]), byText.get((v["path"], v["what"], v["text"])))
        if mutant is not None:
            found[mutant] = dict(v, **mutants[mutant])
    say(f"{len(last)} mutants in the last report, {len(found)} of them are still there")
    return found


def summary(verdicts):
    rows = collections.defaultdict(collections.Counter)
    for v in verdicts.values():
        for folder in (v["phase"], "all"):
            rows[folder][v["verdict"]] += 1
    print(f"{'folder':10} {'mutants':>8} {'reached':>8} {'killed':>8} {'survived':>9} {'score':>8}")
    for folder in sorted(rows, key=lambda f: (f == "all", f)):
        count = rows[folder]
        reached = count["killed"] + count["survived"]
        print(f"{folder:10} {sum(count.values()):8} {reached:8} {count['killed']:8} {count['survived']:9} "
              f"{100 * count['killed'] / max(1, reached):7.1f}%")


def describe(number, v):
    text = v["text"] if len(v["text"]) < 90 else v["text"][:87] + "..."
    note = f"  [{v['texts']} programs generate other text]" if v.get("texts") else ""
    return f"{v['path']}:{v['line']}:{v['column']}: {v['what']}  in  {text}  (mutant {number}, {v.get('ran', 0)} tests){note}"


def parseOptions():
    parser = argparse.ArgumentParser(description="flip operators and conditions of the compiler one at a time; list what the tests miss")
    parser.add_argument("--tree", default=os.path.join(build.ROOT, "build/release"), help="finished build tree to start from")
    parser.add_argument("--work", default=os.path.join(build.ROOT, "build/mutation"), help="folder for everything that is made")
    parser.add_argument("--only", metavar="GLOB", help="mutants of these sources: 'compiler/elab/*'")
    parser.add_argument("--tests", metavar="GLOB", action="append", help="judge by tests with such names only: 'test_ir: *'")
    parser.add_argument("--sample", type=int, metavar="N", help="judge N mutants, chosen at random")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--again", action="store_true", help="the mutants of the last report that were not killed: do new tests kill them?")
    parser.add_argument("--most-builds", type=int, default=12, metavar="N", help="programs compiled for one mutant (default 12)")
    parser.add_argument("--list", action="store_true", help="list the mutants and stop")
    parser.add_argument("--show", type=int, metavar="N", help="run every test that could tell mutant N, and say what each says")
    parser.add_argument("-j", type=int, default=2, dest="jobs", metavar="N")
    return parser.parse_args()


def show(mutant, order):
    suite.prepareWorker(options.work)
    for index in order:
        _, verdict, _, _, texts = judge(mutant, [index])
        print(f"{'fails' if verdict == 'killed' else 'other text' if texts else 'passes':10}  {tests[index].name}", flush=True)


def main():
    global options
    options = parseOptions()
    options.tree, options.work = os.path.abspath(options.tree), os.path.abspath(options.work)
    mutants, programs = build.build(options.tree, options.work, options.jobs, say)
    chosen = sorted(m for m in mutants if not options.only or fnmatch.fnmatch(mutants[m]["path"], options.only))
    if options.list:
        print("\n".join(describe(m, mutants[m]) for m in chosen))
        return 0
    wanted = options.tests or ["*"]
    tests.extend(t for t in suite.collect(programs) if any(fnmatch.fnmatch(t.name, glob) for glob in wanted))
    reached, differing = observeAll(programs, max(mutants) + 1)
    if options.show is not None:
        print(describe(options.show, mutants[options.show]))
        show(options.show, differing[options.show])
        return 0
    verdicts, last = {}, {}
    if options.again:
        last = lastReport(mutants)
        chosen = sorted(last)
        verdicts = {m: v for m, v in last.items() if v["verdict"] == "killed"}
    elif options.sample is not None:
        chosen = sorted(random.Random(options.seed).sample(chosen, min(options.sample, len(chosen))))
    for mutant in chosen:
        if mutant not in reached and mutant not in verdicts:
            verdicts[mutant] = last.get(mutant) or dict(mutants[mutant], verdict="not reached")
    todo = [m for m in chosen if m not in verdicts]
    random.Random(options.seed).shuffle(todo)
    judgeAll(todo, mutants, differing, verdicts)
    save(verdicts)
    for verdict in ("not reached", "survived"):
        print(f"-- {verdict}")
        print("\n".join(describe(m, verdicts[m]) for m in sorted(verdicts) if verdicts[m]["verdict"] == verdict))
    summary(verdicts)
    return 0


if __name__ == "__main__":
    sys.exit(main())
