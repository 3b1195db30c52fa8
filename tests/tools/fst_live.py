#!/usr/bin/env python3
"""A file in FST can be read while the run goes on, and after its writer was killed (SMEC_KILLS=N times)."""
import os
import random
import signal
import subprocess
import sys

from support import ROOT, Tally, scratch, smec, write

sys.path.insert(0, os.path.join(ROOT, "tests", "support"))
from waves import fst

# a, b and c are functions of the cycle; long lines through a pipe let the run be ahead of the test by some thousand cycles only
DESIGN = """
proc count()
    bus o { a: u32; b: u7; c: f64; };
    var n: u32 = 0;
{
    n = u32(n + 1);
    o.a = n;
    o.b = u7(n / 5 % 128);
    o.c = f64(n % 1000);
    if (n % 4 == 0) { trace("{:01000}", n); }
}
network top() { instance p of count(); }
"""
KILLS = int(os.environ.get("SMEC_KILLS", "3"))


def wrong(dump):
    """What in a dump is not as in the design; and until which cycle it goes."""
    rows = sorted(row for row in dump.rows if row * dump.period < dump.end)
    for cycle in rows[-2000:]:
        n = cycle
        wanted = {"p.o.a": n, "p.o.b": n // 5 % 128, "p.o.c": n % 1000, "p.n": n}
        shown = {name: dump.rows[cycle][name] for name in wanted}
        if shown != wanted:
            return f"cycle {cycle}: {shown}", cycle
    return "", rows[-1] if rows else 0


def until_more(run, path, reached, lines, tally):
    """Reads lines of the run and the file until that shows a later cycle."""
    for _ in range(1000):
        for _ in range(lines):
            last = int(run.stdout.readline())
        try:
            problem, cycle = wrong(fst(path))
        except subprocess.CalledProcessError:   # no block yet
            problem, cycle = ("nothing to be seen", 0) if reached else ("", 0)
        tally.equal(problem, "", "while it runs")
        tally.check(cycle >= reached, "what was shown stays")
        if cycle > reached:
            break
    return last, cycle


def main():
    tally = Tally()
    pick = random.Random(5)
    with scratch() as folder:
        write(folder, "count.sme", DESIGN)
        status, _, err = smec("compile", "-O1", "-Wno-unread", "-q", "count.sme", "-o", "count", cwd=folder)
        tally.equal(status, 0, err)
        path = os.path.join(folder, "x.fst")
        for _ in range(KILLS):
            run = subprocess.Popen([os.path.join(folder, "count"), "--cycles", "1000000000", "--trace-all", "--trace", path, "--quiet", "--threads", "1"],
                                   stdout=subprocess.PIPE, encoding="utf-8")
            last, reached = 0, 0
            try:
                for _ in range(2):
                    last, reached = until_more(run, path, reached, pick.randrange(1, 20), tally)
            finally:
                run.send_signal(signal.SIGKILL)
                run.communicate()
            problem, cycle = wrong(fst(path))
            tally.equal(problem, "", "after it was killed")
            tally.check(cycle >= reached > 0, f"after cycle {last}: {cycle}")
    tally.end()


main()
