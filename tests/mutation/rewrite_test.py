#!/usr/bin/env python3
"""The rewriter at work on sample.cpp: it finds what the comments say, changes nothing unasked, and each mutant shows.

Exit status 77 (skipped) without libclang's Python binding. A mutant shows when the program prints something else, crashes or does
not end.
"""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SAMPLE = os.path.join(HERE, "sample.cpp")
try:
    import rewrite
    rewrite.cindex.Index.create()
except Exception as problem:
    print(f"skipped: {problem}")
    sys.exit(77)


def compileSample(source, program):
    subprocess.run(["g++", "-std=c++20", "-O0", "-w", "-I" + HERE, source, "-o", program], check=True)


def run(program, **environment):
    try:
        done = subprocess.run([program], env=dict(os.environ, **environment), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=2)
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        return None


def expectations():
    with open(SAMPLE, encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            m = re.search(r"// mutants: (.*)$", line)
            if m:
                yield number, sorted(m.group(1).split("; "))


def check(sites, text):
    found = {}
    for site in sites:
        found.setdefault(text.count(b"\n", 0, site.start) + 1, []).extend(site.mutants)
    wanted = dict(expectations())
    return [f"line {n}: found {sorted(found.get(n, []))}, expected {wanted.get(n, [])}"
            for n in sorted(set(found) | set(wanted)) if sorted(found.get(n, [])) != wanted.get(n, [])]


def main():
    with open(SAMPLE, "rb") as f:
        text = f.read()
    sites = rewrite.findSites(SAMPLE, ["-std=c++20", "-x", "c++"])
    count = rewrite.number(sites, 0)
    problems = check(sites, text)
    with tempfile.TemporaryDirectory() as folder:
        plain, mutated, seen = (os.path.join(folder, n) for n in ("plain", "mutated", "seen"))
        with open(mutated + ".cpp", "w", encoding="utf-8") as f:
            f.write(rewrite.render(text, sites))
        with open(mutated + ".cpp", encoding="utf-8") as f:
            if f.read().count("\n") != text.count(b"\n") + 2:
                problems.append("lines moved")
        compileSample(SAMPLE, plain)
        compileSample(mutated + ".cpp", mutated)
        with open(seen, "wb") as f:
            f.truncate(count)
        wanted = run(plain)
        if run(mutated, SMEC_MUTANT_SEEN=seen) != wanted or run(mutated, SMEC_MUTANT=str(count)) != wanted:
            problems.append("the rewritten program prints something else")
        with open(seen, "rb") as f:
            problems += [f"mutant {i} seen as {bits}" for i, bits in enumerate(f.read()) if bits != 3]
        what = [m for site in sites for m in site.mutants]
        problems += [f"mutant {i} ({what[i]}) does not show" for i in range(count) if run(mutated, SMEC_MUTANT=str(i)) == wanted]
    print("\n".join(problems))
    print(f"{count} mutants, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
