#!/usr/bin/env python3
"""Waveforms say what CSV says, whatever the plan is."""
import os
import sys

from support import ROOT, Tally, read, scratch, smec, write

sys.path.insert(0, os.path.join(ROOT, "tests", "support"))
from waves import Dump, difference, fst

DESIGN = os.path.join(ROOT, "tests", "tools", "waves.sme")      # every kind of value
PLANS = [["--interpret"], ["--model", "m1", "--threads", "1"], ["--model", "m2", "--threads", "2"], ["--model", "m3", "--threads", "3"]]

# processes whose bodies are one
TWINS = """proc one() var n: u8 = 0; { n = n + 1; trace("{}", n); }

proc two() var m: u8 = 0; { m = m + 1; trace("{}", m); }
network top()
{
    instance a of one();
    generate i = 0 to 2 { instance b[i] of two(); instance c[i] of one(); }
}
"""

# processes that wait: twins in lines of their own, so many that they run in lanes; waits behind constants and beside one another
WAITS = """type one: bus { n: u8; };

proc first() bus o: one;
{
    o.n = 1;
    wait;
    for i = 0 to 1 { o.n = u8(i); wait 2; }
    if (false) { wait; }
    wait; wait until (o.n == 0);
}

proc second() bus o: one; { o.n = 7; wait 3; }
proc third() bus o: one; { o.n = 7; wait 3; }
network top()
{
    generate i = 0 to 19 { instance a[i] of first(); instance b[i] of second(); instance c[i] of third(); }
}
"""
WAITED = ["start", "line_6", "line_7", "line_7", "line_7", "line_7", "line_9", "line_9_2"]


def main():
    tally = Tally()
    with scratch() as folder:
        def run(*options, status=0):
            words = ["run", "-O0", "-Wno-unread", DESIGN, "--cycles", "40", "--quiet", "--oversubscribe", *options]
            got, _, err = smec(*words, cwd=folder)
            tally.equal(got, status, " ".join(options) + ": status, " + err)
            return err

        def content(name):
            with open(os.path.join(folder, name), "rb") as f:
                return f.read()

        def waves(name, *rest):
            return fst(os.path.join(folder, name), *rest)

        def file(name):
            return read(os.path.join(folder, name))

        first = None
        for plan in PLANS:
            run(*plan, "--trace-all", "--trace", "a.csv", "--trace", "a.vcd", "--trace", "a.fst", "--trace-elements", "1000")
            tally.equal(difference(file("a.csv"), Dump(file("a.vcd"))), "", " ".join(plan))
            tally.equal(difference(file("a.csv"), waves("a.fst")), "", " ".join(plan) + ", FST")
            both = [file("a.vcd"), content("a.fst"), file("a.gtkw")]
            first = first or both
            tally.check(both == first, " ".join(plan) + ": the same bytes")
        tally.equal(waves("a.fst").enums["s.o.c"], {0: "RED", 5: "GREEN", 6: "BLUE"}, "names of values")
        with open(DESIGN, encoding="utf-8") as f:
            lines = {line.split("(")[0].removeprefix("proc "): k for k, line in enumerate(f, 1) if line.startswith("proc")}
        tally.equal(waves("a.fst").places, {"a[0]": (DESIGN, lines["source"]), "a[1]": (DESIGN, lines["source"]), "s": (DESIGN, lines["slow"])},
                    "where processes stand in the source")
        run("--trace-all", "--trace", "few.vcd", "--trace", "few.fst", "--trace", "all.csv")
        few = Dump(file("few.vcd"))
        tally.check("a[0].held[63]" in few.types and "a[0].held[64]" not in few.types, "64 elements of an array")
        tally.check("a[0].held[99]" in file("all.csv"), "all elements in CSV")
        tally.equal(difference(file("all.csv"), few, set(few.types)), "", "values of 64 elements")
        tally.equal(difference(file("all.csv"), waves("few.fst"), set(few.types)), "", "values of 64 elements, FST")
        tally.equal(set(waves("few.fst").types), set(few.types), "the same signals")
        tally.equal(waves("few.fst").clocks, [10 * k for k in range(1, 40)], "rising edges, FST")
        tally.equal(few.clocks, [10 * k for k in range(1, 40)], "rising edges")
        run("--trace-filter", "a[1].o.p", "--trace", "b.vcd", "--trace", "b.csv", "--trace", "b.fst", "--trace-start", "7", "--trace-stop", "9",
            "--clock-period", "4")
        part = Dump(file("b.vcd"), 4)
        tally.equal(difference(file("b.csv"), part), "", "a window")
        tally.equal(difference(file("b.csv"), waves("b.fst", 4)), "", "a window, FST")
        tally.equal(sorted(part.rows), [7, 8, 9], "a window's rows and its end")
        tally.equal(part.rows[9], {**part.rows[8], "clk": 0}, "the end changes nothing")
        run("--trace", "/no/such/folder/x.vcd", "--trace-all", status=3)
        run("--trace-filter", "s.o.u", "--no-trace-clock", "--trace", "d.fst", "--trace", "d.csv")
        tally.equal(difference(file("d.csv"), waves("d.fst")), "", "without a clock, FST")
        os.mkfifo(os.path.join(folder, "pipe.fst"))
        reader = os.open(os.path.join(folder, "pipe.fst"), os.O_RDONLY | os.O_NONBLOCK)
        for plan in PLANS[:2]:
            told = run(*plan, "--trace-all", "--trace", "whole.vcd", "--trace", "pipe.fst", status=2)
            tally.check("cannot write a trace to 'pipe.fst': .fst is not written from front to back" in told, "no FST through a pipe: " + told)
        os.close(reader)
        tally.check(not os.path.exists(os.path.join(folder, "whole.vcd")), "told before anything is written")
        os.symlink("/dev/null", os.path.join(folder, "null.fst"))
        run("--trace-all", "--trace", "null.fst")
        tally.check(not os.path.exists(os.path.join(folder, "null.gtkw")), "no save file beside a device")
        mine = "[*] mine\n"
        write(folder, "a.gtkw", mine)
        for plan in PLANS[:2]:
            run(*plan, "--trace-all", "--trace", "a.vcd")
            tally.equal(file("a.gtkw"), mine, "a save file that somebody else made stays")
        first = None        # so long that a thread of its own writes them
        for plan in PLANS:
            run(*plan, "--cycles", "4000", "--trace-filter", "a[0].*", "--trace", "e.csv", "--trace", "e.vcd", "--trace", "e.fst")
            all_ = [content("e.csv"), content("e.vcd"), content("e.fst")]
            first = first or all_
            tally.check(all_ == first, " ".join(plan) + ": the same bytes of a long run")
            tally.equal(file("e.csv").count("\n"), 4001, " ".join(plan) + ": all rows")
        write(folder, "twins.sme", TWINS)
        for plan in PLANS[:2]:
            status, _, err = smec("run", "-O0", "twins.sme", "--cycles", "3", "--quiet", "--trace-all", "--trace", "twins.fst", *plan, cwd=folder)
            tally.equal(status, 0, err)
            wanted = {"a": 1, **{f"b[{i}]": 3 for i in range(3)}, **{f"c[{i}]": 1 for i in range(3)}}
            tally.equal(waves("twins.fst").places, {name: ("twins.sme", line) for name, line in wanted.items()}, " ".join(plan) + ": twins")
        write(folder, "waits.sme", WAITS)
        first = None
        for plan in [*(["-O0", *plan] for plan in PLANS), ["-O2"], ["-O0", "--no-simd"]]:
            status, _, err = smec("run", "-Wno-unread", "waits.sme", "--cycles", "30", "--quiet", "--oversubscribe", "--trace-all", "--trace", "w.vcd",
                                  "--trace", "w.fst", "--trace", "w.csv", *plan, cwd=folder)
            tally.equal(status, 0, err)
            all_ = [content("w.vcd"), content("w.fst"), content("w.csv")]
            first = first or all_
            tally.check(all_ == first, " ".join(plan) + ": the same bytes of processes that wait")
        dump = Dump(file("w.vcd"))
        shown = [dump.row(cycle)["a[3].wait"] for cycle in range(30)]
        tally.equal(shown[:len(WAITED)], WAITED, "where a process waits")
        tally.equal([dump.row(cycle)[name + "[19].wait"] for name in "bc" for cycle in (0, 1, 3)], ["start", "line_12", "line_12", "start", "line_13", "line_13"],
                    "where twins wait")
        numbers, names = (lambda wave: ([wave.row(cycle)["a[3].wait"] for cycle in range(30)], wave.enums["a[3].wait"]))(waves("w.fst"))
        tally.equal([names[number] for number in numbers], shown, "the same in FST")
        tally.check("wait" not in file("w.csv"), "not in CSV")
        run("--trace", "c.vcd", "--trace", "c.vcd", "--trace-all", status=2)
    tally.end()


main()
