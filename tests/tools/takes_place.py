#!/usr/bin/env python3
"""`./sme run` builds smec-run, which interprets nothing: where it has to, ./sme takes its place with the same words, and nothing was said
before. (tests/verilog/first.sh: the same of Verilog.)"""
import os
import re
import shutil
import subprocess

from support import ROOT, SMEC, Tally, read, scratch, smec, write

PROGRAM = """proc p() { trace("{}", u8(cycle()) + 40); if (cycle() == 2) { stop; } }
network top() { instance _ of p(); }
"""
NO_COMPILER = {"PATH": "/nowhere", "CXX": ""}


def alone(folder, *words, env=None):
    """smec-run, where ./sme is a program that tells its words; its status and what was said."""
    run = subprocess.run([os.path.join(folder, "bin", "smec-run"), *words], cwd=folder, capture_output=True, text=True, check=False,
                         env=dict(os.environ, **(env or {})))
    return run.returncode, run.stdout.splitlines(), run.stderr


def install(folder):
    """smec-run as in a build tree."""
    bin = os.path.join(folder, "bin")
    os.mkdir(bin)
    shutil.copy(os.path.join(os.path.dirname(SMEC), "smec-run"), bin)
    script = write(folder, "script", '#!/bin/sh\nfor word; do echo "$word"; done\nexit 5\n')
    os.chmod(script, 0o755)
    paths = read(os.path.join(os.path.dirname(SMEC), "smec-paths.txt"))
    write(bin, "smec-paths.txt", re.sub(r"(?m)^script=.*$", f"script={script}", paths))


def handsOver(tally, folder):
    for words, env in ((("main.sme", "--interpret", "--cycles", "2"), {}), (("-q", "main.sme", "--trace=a b.csv"), NO_COMPILER),
                       (("main.sme",), NO_COMPILER)):
        tally.equal(alone(folder, "run", *words, env=env), (5, ["smec", "run", *words], ""), f"{words} is handed over")
    for words, status in ((("main.sme", "--interpret", "--explain", "p"), 2), (("main.sme", "-o", "made"), 3)):
        got = alone(folder, "run", *words, env=NO_COMPILER)
        tally.equal(got[:2], (status, []), f"{words} is not: {got[2]}")


def behavesAlike(tally, folder):
    """The real ./sme, which builds nothing inside a test."""
    for words in (("main.sme", "--interpret", "--quiet"), ("main.sme", "--interpret", "--cycles", "1", "--quiet"), ("absent.sme", "--interpret")):
        run = subprocess.run([os.path.join(ROOT, "sme"), "run", *words], cwd=folder, capture_output=True, text=True, check=False,
                             env=dict(os.environ, SME_INSIDE_TEST=os.path.dirname(os.path.dirname(SMEC))))
        tally.equal((run.returncode, run.stdout, run.stderr), smec("run", *words, cwd=folder), f"./sme run {words}")


def main():
    tally = Tally()
    with scratch() as folder:
        write(folder, "main.sme", PROGRAM)
        install(folder)
        handsOver(tally, folder)
        behavesAlike(tally, folder)
    tally.end()


main()
