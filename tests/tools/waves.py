#!/usr/bin/env python3
"""Waveforms say what CSV says, whatever the plan is."""
import os
import sys

from support import ROOT, Tally, read, scratch, smec

sys.path.insert(0, os.path.join(ROOT, "tests", "support"))
from waves import Dump, difference

DESIGN = os.path.join(ROOT, "tests", "tools", "waves.sme")      # every kind of value
PLANS = [["--model", "m1", "--threads", "1"], ["--model", "m2", "--threads", "2"], ["--model", "m3", "--threads", "3"]]


def main():
    tally = Tally()
    with scratch() as folder:
        def run(*options, status=0):
            words = ["run", "-O0", "-Wno-unread", DESIGN, "--cycles", "40", "--quiet", "--oversubscribe", *options]
            got, _, err = smec(*words, cwd=folder)
            tally.equal(got, status, " ".join(options) + ": status, " + err)
            return err

        def file(name):
            return read(os.path.join(folder, name))

        first = None
        for plan in PLANS:
            run(*plan, "--trace-all", "--trace", "a.csv", "--trace", "a.vcd", "--trace-elements", "1000")
            tally.equal(difference(file("a.csv"), Dump(file("a.vcd"))), "", " ".join(plan))
            first = first or file("a.vcd")
            tally.check(file("a.vcd") == first, " ".join(plan) + ": the same bytes")
        run("--trace-all", "--trace", "few.vcd", "--trace", "all.csv")
        few = Dump(file("few.vcd"))
        tally.check("a[0].held[63]" in few.types and "a[0].held[64]" not in few.types, "64 elements of an array")
        tally.check("a[0].held[99]" in file("all.csv"), "all elements in CSV")
        tally.equal(difference(file("all.csv"), few, set(few.types)), "", "values of 64 elements")
        tally.equal(few.clocks, [10 * k for k in range(1, 40)], "rising edges")
        run("--trace-filter", "a[1].o.p", "--trace", "b.vcd", "--trace", "b.csv", "--trace-start", "7", "--trace-stop", "9",
            "--clock-period", "4")
        part = Dump(file("b.vcd"), 4)
        tally.equal(difference(file("b.csv"), part), "", "a window")
        tally.equal(sorted(part.rows), [7, 8, 9], "a window's rows and its end")
        tally.equal(part.rows[9], {**part.rows[8], "clk": 0}, "the end changes nothing")
        run("--trace", "/no/such/folder/x.vcd", "--trace-all", status=3)
        run("--trace", "c.vcd", "--trace", "c.vcd", "--trace-all", status=2)
    tally.end()


main()
