#!/usr/bin/env python3
"""Ranks of each MPI that is here, simulators and the library that ties them to it built with AddressSanitizer and UndefinedBehaviorSanitizer: what they show
is what one process shows, and nothing is reported."""
import os
import re
import subprocess
import sys
import tempfile

import ranks

LIMIT = 240
# MPIs bring their own allocators, and map memory that the sanitizer does not know of; what they lose comes from libraries that are unloaded before it is
# reported, so that it cannot be told from ours: leaks are looked for in the unit tests. Libraries are found as where nothing is installed.
ENVIRONMENT = {**ranks.ENVIRONMENT, "ASAN_OPTIONS": "detect_leaks=0:protect_shadow_gap=0", "UBSAN_OPTIONS": "print_stacktrace=1",
               "UCX_ERROR_SIGNALS": "", "LD_LIBRARY_PATH": ranks.LIBRARIES}
REPORT = re.compile(r"ERROR: (Address|Leak|Undefined)\w*Sanitizer|runtime error:.*\.(cpp|h):\d+|SUMMARY: \w+Sanitizer")
done = []


def check(holds, what):
    done.append(holds)
    if not holds:
        print(f"FAILED: {what}")


# What ranks do otherwise: by messages, ahead of the answer, with what others read first.
MESSAGES, AHEAD = dict(ranks.APART), {**ranks.APART, **ranks.AHEAD, **ranks.OVERLAP}
RUNS = [("input", {}), ("input", AHEAD), ("failure", MESSAGES), ("stop", AHEAD)]


def run(words, folder, environment=None):
    p = subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT, check=False,
                       env={**ENVIRONMENT, **(environment or {})})
    return p.returncode, p.stdout, p.stderr


def compare(what, got, wanted):
    found = REPORT.search(got[2]) or REPORT.search(got[1])
    check(not found, f"{what}: {got[2][-3000:]}")
    check(got[:2] == wanted[:2], f"{what}: {got} is not {wanted}")


def onRanks(folder, program, kind):
    launch = [*ranks.LAUNCHERS[kind], "3", program]
    for case, environment in RUNS:
        arguments = ["--input", f"{case}.csv", "--quiet", "--checksum", "--threads", "1", "--trace-all", "--trace", "out.csv"]
        wanted = run([program, *arguments], folder)
        check(wanted[0] == ranks.CASES[case][3], f"{case}: {wanted}")
        compare(f"{kind}, {case}, {environment}", run([*launch, *arguments], folder, environment), wanted)
    whole = ["--input", "input.csv", "--quiet", "--checksum", "--threads", "1"]
    compare(f"{kind} keeps a state", run([*launch, *whole, "--checkpoint", f"{kind}.state:4"], folder, MESSAGES), run([program, *whole], folder))
    rest = [*whole, "--resume", f"{kind}.state"]
    compare(f"{kind} goes on", run([*launch[:-2], "2", program, *rest], folder), run([program, *rest], folder))


def main():
    kinds = ranks.kinds()
    if not kinds:
        print("no MPI: install libopenmpi-dev or libmpich-dev")
        return 77
    with tempfile.TemporaryDirectory(prefix="sme-ranks-sanitized-") as folder:
        program = os.path.join(folder, "ranks")
        subprocess.run([ranks.SMEC, "compile", os.path.join(ranks.SOURCE, ranks.DESIGNS["ranks"]), "-O0", "-o", program], check=True, cwd=folder,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=LIMIT)
        for case in ("input", "failure", "stop"):
            with open(os.path.join(folder, f"{case}.csv"), "w", encoding="utf-8") as f:
                f.write("cycle,cmd.v\n" + "".join(f"{cycle},{value}\n" for cycle, value in enumerate(ranks.CASES[case][1])))
        for kind in kinds:
            onRanks(folder, program, kind)
    print(f"{sum(done)} of {len(done)} checks passed")
    return 0 if all(done) else 1


if __name__ == "__main__":
    sys.exit(main())
