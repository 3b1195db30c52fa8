#!/usr/bin/env python3
"""Every example gives the same checksum and trace under the interpreter and every plan.

Runs each example through the interpreter and compiled at -O0 and -O2 under m1 (every chunk scheme) and m2 (both orchestrations) with 1, 2, 3
and 8 threads, with a CSV trace of everything, and compares standard output, exit status and trace.
"""
import glob
import hashlib
import os
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "judge"))
from sample import sampled  # noqa: E402

SMEC = os.environ["SMEC"]
EXAMPLES = os.path.join(os.environ["SMEC_SOURCE_DIR"], "examples")
PLANS = [["--model", "m1", "--chunk", chunk] for chunk in ("static", "ss", "gss", "pss")] + \
        [["--model", "m2", "--orchestrate", how] for how in ("even", "thesis", "profile:3")] + \
        [["--model", "m3", "--chunk", chunk] for chunk in ("mfsc", "ss")]
THREADS = ["1", "2", "3", "8"]


def directives(path):
    cycles, args = [], []
    with open(path, encoding="utf-8") as f:
        for line in f:
            m = re.match(r"//\s*(cycles|args):\s*(.*?)\s*$", line)
            if m and m.group(1) == "cycles":
                cycles = ["--cycles", m.group(2)]
            elif m:
                args += shlex.split(m.group(2))
    return cycles, args


def observe(command, trace, scratch):
    """What a run shows: exit status, standard output, hash of its trace."""
    p = subprocess.run(command + ["--trace", trace, "--trace-all", "--checksum", "--quiet"], cwd=scratch, stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)
    if not os.path.exists(os.path.join(scratch, trace)):
        return p.returncode, p.stdout, "no trace: " + p.stderr.decode(errors="replace")[-300:]
    with open(os.path.join(scratch, trace), "rb") as f:
        return p.returncode, p.stdout, hashlib.sha256(f.read()).hexdigest()


def compare(path, scratch):
    cycles, args = directives(path)
    if "ring.sme" in path:
        args += ["-G", "n=500"]       # a trace of 20,000 columns is not the point here
    base = [SMEC, "run", path, "--loop-limit", "100000000"] + cycles + args
    wanted = observe(base + ["--interpret"], "wanted.csv", scratch)
    failures, runs = [], 0
    for level in ("-O0", "-O2"):
        ways = [plan + ["--threads", threads] for plan in PLANS for threads in THREADS]
        for way in sampled(ways, name=lambda way, level=level: f"{os.path.basename(path)} {level} {' '.join(way)}"):
            got = observe(base + [level] + way, "got.csv", scratch)
            runs += 1
            if got != wanted:
                failures.append(f"{level} {' '.join(way)}: {got[0]} {got[2]} instead of {wanted[0]} {wanted[2]}")
    return runs, failures


def main():
    failed = passed = 0
    for path in sorted(glob.glob(os.path.join(EXAMPLES, "*", "*.sme"))):
        with tempfile.TemporaryDirectory(prefix="sme determinism ") as scratch:
            runs, failures = compare(path, scratch)
        print(f"{os.path.basename(path)}: {runs} runs, {len(failures)} differ")
        for text in failures[:5]:
            print("    " + text)
        failed += bool(failures)
        passed += not failures
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
