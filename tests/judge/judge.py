#!/usr/bin/env python3
"""Judgements: tests that have more to try than a run of all tests has time for. There each runs a part of itself, chosen by a seed that it prints;
`./sme judge` runs them whole, one after the other.

    judge.py --build DIR                    all of them; those that passed since the program was built are not run again
    judge.py --build DIR NAME...            these (globs), in any case
    judge.py --build DIR --list             names, sizes, and how the last whole run ended
    judge.py --build DIR --sample NAME...   a part, as in the tests; --seed N another one than that of SMEC_JUDGE_SEED, or else 0

DIR/judgements/NAME.json is what CMake knows of one (smec_add_judgement in cmake/SmecTests.cmake). What was found is in DIR/judge: results.json, and of each
judgement its last output, NAME.log. The exit status is 1 where one failed, 2 for names that are none, 130 when interrupted; what ended before is kept.
"""
import argparse
import fnmatch
import glob
import json
import math
import os
import random
import subprocess
import sys
import time

SOURCES = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Judgement:
    def __init__(self, path):
        with open(path, encoding="utf-8") as f:
            content = json.load(f)
        self.name, self.whole, self.first, self.percent, self.words = (content[key] for key in ("name", "whole", "first", "percent", "command"))

    @property
    def isList(self):
        """It takes its part of a list by itself (sample.py)."""
        return self.whole == 0

    def size(self):
        return "a list" if self.isList else f"{self.whole} from {self.first}"

    def part(self, seed):
        """(first, count) of a sample. That of seed 0 is the first one."""
        count = max(1, math.ceil(self.whole * self.percent / 100))
        return self.first + (random.Random(f"{self.name}:{seed}").randrange(self.whole - count + 1) if seed else 0), count

    def command(self, first, count):
        return [word.replace("{first}", str(first)).replace("{count}", str(count)) for word in self.words]


class Results:
    def __init__(self, build):
        self.folder = os.path.join(build, "judge")
        self.path = os.path.join(self.folder, "results.json")
        try:
            with open(self.path, encoding="utf-8") as f:
                self.all = json.load(f)
        except (OSError, ValueError):
            self.all = {}

    def of(self, name):
        return self.all.get(name, {})

    def log(self, name):
        os.makedirs(self.folder, exist_ok=True)
        return os.path.join(self.folder, name + ".log")

    def add(self, name, status, seconds, built):
        self.all[name] = {"status": status, "seconds": round(seconds, 1), "built": built}
        temporary = self.path + ".new"
        with open(temporary, "w", encoding="utf-8") as f:
            json.dump(self.all, f, indent=1, sort_keys=True)
        os.replace(temporary, self.path)


def judgements(build):
    found = [Judgement(path) for path in glob.glob(os.path.join(glob.escape(build), "judgements", "*.json"))]
    return sorted(found, key=lambda judgement: judgement.name)


def builtAt(build):
    """When the compiler was linked: what passed with another one has to pass again."""
    try:
        return os.stat(os.path.join(build, "bin", "smec")).st_mtime_ns
    except OSError:
        return 0


def told(seconds):
    return f"{seconds:.0f} s" if seconds < 600 else f"{seconds / 60:.0f} min"


def sample(judgement, seed):
    environment = dict(os.environ)
    if judgement.isList:
        environment["SMEC_SAMPLE"] = f"{judgement.percent}:{seed}"
        command = judgement.command(0, 0)
    else:
        first, count = judgement.part(seed)
        print(f"sample: {count} of {judgement.whole}, from {first} on, by seed {seed} (SMEC_JUDGE_SEED); './sme judge {judgement.name}' runs all", flush=True)
        command = judgement.command(first, count)
    return subprocess.run(command, env=environment, check=False).returncode


def runWhole(judgement, results, built):
    """Its output goes into a file, and to standard output where it fails."""
    print(f"{judgement.name} ({judgement.size()}): ", end="", flush=True)
    environment = {name: value for name, value in os.environ.items() if name != "SMEC_SAMPLE"}
    start = time.monotonic()
    with open(results.log(judgement.name), "w", encoding="utf-8", errors="replace") as log:
        status = subprocess.run(judgement.command(judgement.first, judgement.whole), stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, env=environment,
                                check=False).returncode
    seconds = time.monotonic() - start
    results.add(judgement.name, status, seconds, built)
    word = {0: "passed", 77: "not possible here"}.get(status, f"FAILED (status {status})")
    print(f"{word}, {told(seconds)}", flush=True)
    if status not in (0, 77):
        with open(results.log(judgement.name), encoding="utf-8", errors="replace") as log:
            print("".join(log.readlines()[-20:]) + f"all of it: {results.log(judgement.name)}", flush=True)
    return status


def listing(found, results, built):
    for judgement in found:
        last = results.of(judgement.name)
        state = "not run yet" if not last else ("passed" if last["status"] == 0 else f"status {last['status']}") + f", {told(last['seconds'])}" + (
            "" if last["built"] == built else ", of another build")
        print(f"{judgement.name:22} {judgement.size():22} {judgement.percent:>3} % in the tests   {state}")


def chosen(found, names):
    """Those of the names; each name has to be one's."""
    for name in names:
        if not fnmatch.filter([judgement.name for judgement in found], name):
            print(f"sme judge: '{name}' is no judgement; --list names them", file=sys.stderr)
            sys.exit(2)
    return [judgement for judgement in found if not names or any(fnmatch.fnmatch(judgement.name, name) for name in names)]


def whole(options, found, results, built):
    failed = 0
    for judgement in chosen(found, options.names):
        last = results.of(judgement.name)
        if not options.names and last.get("status") == 0 and last["built"] == built:
            print(f"{judgement.name}: passed before, {told(last['seconds'])}", flush=True)
            continue
        failed += runWhole(judgement, results, built) not in (0, 77)
    print(f"{failed} failed" if failed else "all passed")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(prog="sme judge", description="run long tests whole that the test suite runs a part of",
                                     epilog="Results are kept in build/release/judge: what passed is not run again until the compiler is built anew.")
    parser.add_argument("--build", required=True, help=argparse.SUPPRESS)
    parser.add_argument("names", nargs="*", metavar="NAME", help="these alone (globs), also where they passed before")
    parser.add_argument("--list", action="store_true", help="name them, with their sizes and how they ended last")
    parser.add_argument("--sample", action="store_true", help="a part of each, as the tests run it")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("SMEC_JUDGE_SEED", "0")), metavar="N", help="of the part (default: that of SMEC_JUDGE_SEED, or 0)")
    options = parser.parse_args()
    for name, value in (("SMEC", os.path.join(options.build, "bin", "smec")), ("SMEC_BINARY_DIR", options.build), ("SMEC_SOURCE_DIR", SOURCES)):
        os.environ.setdefault(name, value)
    found, results, built = judgements(options.build), Results(options.build), builtAt(options.build)
    if not found:
        print(f"sme judge: there are none in '{options.build}'", file=sys.stderr)
        return 2
    if options.list:
        listing(found, results, built)
        return 0
    if not options.sample:
        return whole(options, found, results, built)
    statuses = [sample(judgement, options.seed) for judgement in chosen(found, options.names)]
    return next((status for status in statuses if status not in (0, 77)), max(statuses))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
