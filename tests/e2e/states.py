#!/usr/bin/env python3
"""A state that is kept in the middle of a run ends as the run does, under another model and number of threads: every example."""
import glob
import os
import re
import subprocess
import sys
import tempfile

SMEC = os.environ["SMEC"]
ROOT = os.environ["SMEC_SOURCE_DIR"]
EXAMPLES = os.path.join(ROOT, "examples")
# waits, delays, generators of random numbers and counters are hidden variables
HIDDEN = re.compile(r"\bwait\b|\bdelay\b|\brandom\(|\bcover\b")
CYCLES = 300


def cycles(path):
    with open(path, encoding="utf-8") as f:
        m = re.search(r"^//\s*cycles:\s*(\d+)", f.read(), re.M)
    return min(CYCLES, int(m.group(1))) if m else CYCLES


def hides_state(path):
    """Whether a test of the language has more state than its fields and variables, and is a plain run."""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    return HIDDEN.search(text) and not re.search(r"expect-(error|failure|status)|args:|extern|modes:", text)


def programs():
    yield from sorted(glob.glob(os.path.join(EXAMPLES, "**", "*.sme"), recursive=True))
    yield from (path for path in sorted(glob.glob(os.path.join(ROOT, "tests", "lang", "statements", "*.sme"))) if hides_state(path))


def probe(path, library, scratch):
    """Exit status and text of the program's own simulator with the probe in place of its command line."""
    build = os.path.join(scratch, "build")
    p = subprocess.run([SMEC, "compile", path, "-O1", "-q", "--build-dir", build, "-o", os.path.join(scratch, "simulator")],
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
    if p.returncode != 0:
        return p.returncode, p.stdout
    with open(os.path.join(build, "build.ninja"), encoding="utf-8") as f:
        ninja = f.read()
    flags = re.search(r"^flags = (.*)$", ninja, re.M).group(1)
    link = re.search(r"command = (.*) \$in -o \$out (.*)$", ninja, re.M)
    objects = [o for o in re.search(r"^build simulator: link ([^|\n]*)", ninja, re.M).group(1).split() if o != "main.cpp.o"]
    command = (f"g++ {flags} -w -Drun=probe -c main.cpp -o probed.o && "
               f"{link.group(1)} probed.o {' '.join(objects)} '{library}' -o probed {link.group(2)} && ./probed {cycles(path)}")
    p = subprocess.run(["bash", "-c", command], cwd=build, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, text=True, timeout=300)
    return p.returncode, p.stdout


def main():
    failures, count = 0, 0
    for path in programs():
        with tempfile.TemporaryDirectory() as scratch:
            status, text = probe(path, sys.argv[1], scratch)
        count += 1
        print(os.path.relpath(path, ROOT) + ": " + text.strip())
        failures += status != 0
    print(f"{count} programs, {failures} failures")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main())
