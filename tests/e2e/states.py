#!/usr/bin/env python3
"""One table of C functions, two who stand behind it: compiled and interpreted, every example and test of the library says the same, call by
call, and what it says between two cycles is what the next row of a trace has. A state that is kept in the middle of a run ends as the run
does, under another model and number of threads, too.

    states.py PROBE [NAME...]      NAME: part of a program's path; default: all
"""
import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "judge"))
from sample import sampled  # noqa: E402

SMEC = os.environ["SMEC"]
ROOT = os.environ["SMEC_SOURCE_DIR"]
# waits, delays, generators of random numbers and counters are hidden variables
HIDDEN = re.compile(r"\bwait\b|\bdelay\b|\brandom\(|\bcover\b")
CYCLES = 300
GIVE = """#include <sme/code.h>
namespace sme { int give(const Code& code, int, char** to) { *(const Model**)to = &modelOf(code); return 0; } }
"""


def cycles(path):
    with open(path, encoding="utf-8") as f:
        m = re.search(r"^//\s*cycles:\s*(\d+)", f.read(), re.M)
    return min(CYCLES, int(m.group(1))) if m else CYCLES


def parameters(path):
    """Of what a program's `args:` say, those that set a parameter: an example is run as small as its own test runs it."""
    with open(path, encoding="utf-8") as f:
        return re.findall(r"(?<=-G )\S+", "".join(re.findall(r"^// args:.*", f.read(), re.M)))


def is_plain(path, wanted):
    """Whether a program is a plain run, with what is wanted in it."""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    return re.search(wanted, text) and not re.search(r"expect-(error|failure|status|warning)|args:|extern|modes:", text)


def programs():
    yield from sorted(glob.glob(os.path.join(ROOT, "examples", "**", "*.sme"), recursive=True))
    yield from (path for path in sorted(glob.glob(os.path.join(ROOT, "tests", "stdlib", "*.sme"))) if is_plain(path, ""))
    yield from sorted(glob.glob(os.path.join(ROOT, "tests", "e2e", "table", "*.sme")))
    yield os.path.join(ROOT, "tests", "lang", "extern", "process.sme")  # its objects are copied
    yield from (path for path in sorted(glob.glob(os.path.join(ROOT, "tests", "lang", "statements", "*.sme"))) if is_plain(path, HIDDEN))
    # what is combinational is made of other values when somebody looks
    yield from (path for path in sorted(glob.glob(os.path.join(ROOT, "tests", "lang", "*", "*.sme"))) if is_plain(path, r"\basync\b"))


def run(command, cwd):
    p = subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
    return p.returncode, p.stdout


def probe(path):
    """Exit status and text of the probe over the program, made a library."""
    with tempfile.TemporaryDirectory() as scratch:
        build = os.path.join(scratch, "build")
        sets = [word for each in parameters(path) for word in ("-G", each)]
        status, text = run([SMEC, "compile", path, *sets, "-O0", "-q", "--cxxflag=-fPIC", "--build-dir", build, "-o", os.path.join(scratch, "simulator")], scratch)
        if status != 0:
            return status, text
        with open(os.path.join(build, "build.ninja"), encoding="utf-8") as f:
            ninja = f.read()
        flags = re.search(r"^flags = (.*)$", ninja, re.M).group(1)
        objects = [o for o in re.search(r"^build simulator: link ([^|\n]*)", ninja, re.M).group(1).split() if o != "design.cpp.o"]
        with open(os.path.join(build, "give.cpp"), "w", encoding="utf-8") as f:
            f.write(GIVE)
        status, text = run(["bash", "-c", f"g++ {flags} -w -Drun=give -Dmain=give_main -c design.cpp -o main.o && g++ {flags} -w -c give.cpp -o give.o && "
                            f"g++ -shared -o design.so main.o give.o {' '.join(objects)}"], build)
        if status != 0:
            return status, text
        return run([os.path.abspath(sys.argv[1]), os.path.join(build, "design.so"), path, str(cycles(path)), scratch, *parameters(path)], scratch)


def main():
    wanted = [p for p in sampled(programs(), name=lambda path: os.path.relpath(path, ROOT)) if len(sys.argv) < 3 or any(name in p for name in sys.argv[2:])]
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        for path, (status, text) in zip(wanted, pool.map(probe, wanted)):
            print(os.path.relpath(path, ROOT) + ": " + text.strip(), flush=True)
            failures += status != 0
    print(f"{len(wanted)} programs, {failures} failures")
    return 1 if failures or not wanted else 0


if __name__ == "__main__":
    sys.exit(main())
