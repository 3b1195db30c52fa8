#!/usr/bin/env python3
"""What chooses by name and finds nothing says so, with a near name; and no file is empty in silence."""
import os

from support import Tally, read, scratch, smec, write

DESIGN = """type light: bus { n: u8; };
proc crossing()
    hold bus o: light;
{
    o.n = 1;
    wait 3;
    cover(o.n == 1, "one");
    cover(o.n == 9, "nine");
    o.n = 2;
    wait 2; o.n = 3;
}
network top() { instance c of crossing(); instance d[0] of crossing(); }
"""
WAITS = "matches only where processes wait, which '{}' does not show; .vcd and .fst do"
NOTHING = "matches no field or variable"


def main():
    tally = Tally()
    with scratch() as folder:
        write(folder, "c.sme", DESIGN)

        def run(plan, *options):
            status, _, err = smec("run", "-O0", "-Wno-unread", "c.sme", "--cycles", "4", "--quiet", *plan, *options, cwd=folder)
            return status, err.replace("simulator: ", "smec: ")

        def wanted(plan, options, status, *lines):
            got, err = run(plan, *options)
            tally.equal((got, [line for line in err.splitlines() if line.startswith("smec: ")]), (status, [f"smec: {line}" for line in lines]), f"{plan} {options}")

        def filters(*globs):
            return [word for glob in globs for word in ("--trace-filter", glob)]

        for plan in [], ["--interpret"]:
            for name in "x.csv", "x.vcd", "x.fst":
                if os.path.exists(os.path.join(folder, name)):
                    os.remove(os.path.join(folder, name))
            wanted(plan, ["--trace", "x.csv", *filters("c.wait")], 2, "error: --trace-filter 'c.wait' " + WAITS.format("x.csv"))
            wanted(plan, ["--trace", "x.vcd", "--trace", "x.csv", *filters("*.wait", "c.m.n")], 2, "error: --trace-filter '*.wait' " + WAITS.format("x.csv"))
            wanted(plan, ["--trace", "x.vcd", *filters("c.m.n", "zzz")], 2, f"error: --trace-filter 'c.m.n' {NOTHING}; did you mean 'c.o.n'?")
            wanted(plan, ["--trace", "x.vcd", *filters("zzzzzzz")], 2, f"error: --trace-filter 'zzzzzzz' {NOTHING}; --list shows them")
            tally.check(not os.path.exists(os.path.join(folder, "x.csv")), "nothing is written of what is refused")
            wanted(plan, ["--trace", "x.vcd", *filters("c.wait")], 0)
            wanted(plan, ["--trace", "x.vcd", "--trace", "x.csv", *filters("c.wait", "*.n", "c.m.n")], 0, f"warning: --trace-filter 'c.m.n' {NOTHING}; did you mean 'c.o.n'?",
                   "warning: --trace-filter 'c.wait' " + WAITS.format("x.csv"))
            tally.equal(read(os.path.join(folder, "x.csv")).splitlines()[0], "cycle,c.o.n,d[0].o.n", "columns")
            wanted(plan, ["--trace", "-", *filters("*")], 0)
            wanted(plan, filters("c.o.n"), 0, "warning: --trace-all and --trace-filter say what a trace shows, and no trace is written; give --trace FILE")
            wanted(plan, ["--print", "c.m.n"], 2, "error: --print: no field or variable 'c.m.n'; did you mean 'c.o.n'?")
            write(folder, "rows.csv", "cycle\n0\n1\n")
            wanted(plan, ["--expect", "rows.csv"], 0, "warning: --expect 'rows.csv' names no field or variable, so that nothing is compared")
            _, err = run(plan)
            tally.equal(err, "".join(f"cover 'one' in '{i}': 1 cycle\nwarning: cover 'nine' in '{i}': 0 cycles\n" for i in ("c", "d[0]")), f"{plan}: covers")
        wanted([], ["--own-thread", "crosing"], 2, "error: --own-thread 'crosing' matches no process; did you mean 'crossing'?")
        wanted([], ["--own-thread", "d[1]"], 2, "error: --own-thread 'd[1]' matches no process; did you mean 'd[0]'?")
        wanted([], ["--own-thread", "zzzzzz"], 2, "error: --own-thread 'zzzzzz' matches no process; --report text lists them")
    tally.end()


main()
