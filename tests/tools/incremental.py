#!/usr/bin/env python3
"""What a second `smec compile` writes: nothing for lines that only moved, one unit for one process that changed, also where
processes are ordered by minimum cut, or are one block whose functions stand in several units."""
import os
import shutil
import subprocess
import sys
import tempfile

PROGRAM = """proc a(out y) { y.v = 1; }
proc b(in x, out y)
    var n: u8;
{
    n = n + x.v;
    y.v = n * 3;
}
network top() {
    bus p[8] { v: u8; };
    exposed bus q[8] { v: u8; };
    generate i = 0 until 8 {
        instance s[i] of a(p[i]);
        instance t[i] of b(p[i], q[i]);
    }
}
"""


HETERO = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "bench", "hetero.py")


def units(folder):
    return {name: os.stat(os.path.join(folder, name)).st_mtime_ns for name in os.listdir(folder)
            if name.startswith("unit_") and name.endswith(".cpp")}


CHAIN = """
proc count() exposed bus o { v: u8; }; var n: u8; { n = n + 3; o.v = n; }
async proc twice(in x) exposed bus o { v: u8; }; { o.v = x.v * 2; }
async proc more(in x) exposed bus o { v: u8; }; { o.v = x.v + 5; }
proc sum(in x) exposed bus o { v: u8; }; var n: u8; { n = n + x.v; o.v = n; }
network top() {
    instance c of count();
    instance t of twice(c.o);
    instance m of more(t.o);
    instance s of sum(m.o);
}
"""


def compiled(smec, text, *options):
    with open("two.sme", "w", encoding="utf-8") as f:
        f.write(text)
    subprocess.run([smec, "compile", "two.sme", "--build-dir", "build", "--partition-size", "1", "-O0", "-q", *options], check=True)
    return units("build")


def ran(*words):
    return subprocess.run(["./two", *words, "--quiet"], check=True, capture_output=True, text=True).stdout


def checkEdit(smec, text, before, after, words, wanted, *options):
    first = compiled(smec, text, *options)
    check(len(first) >= 2, f"two units at least, not {sorted(first)}")
    check(compiled(smec, "// a line\n\n" + text, *options) == first, "lines that moved do not rewrite units")
    edited = compiled(smec, "// a line\n\n" + text.replace(before, after), *options)
    changed = [name for name in edited if edited[name] != first.get(name)]
    check(len(changed) == 1, f"one process, one unit, not {changed}")
    check(ran(*words) == wanted, f"the new program runs, not {ran(*words)!r}")


def hetero(smec, edit):
    """With --stats, for which all is compiled, also a text that was compiled before."""
    text = subprocess.run([sys.executable, HETERO, "600", "--edit", str(edit)], check=True, capture_output=True, text=True).stdout
    with open("hetero.sme", "w", encoding="utf-8") as f:
        f.write(text)
    subprocess.run([smec, "compile", "hetero.sme", "--build-dir", "hetero-build", "-O0", "-q", "--stats"], check=True, stderr=subprocess.DEVNULL)
    return units("hetero-build")


def check(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


def main():
    smec = os.environ["SMEC"]
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        checkEdit(smec, PROGRAM, "n * 3", "n * 5", ["--cycles", "4", "--print", "q[3].v"], "q[3].v: 15\n", "--without", "whole-block")
        shutil.rmtree("build")
        checkEdit(smec, CHAIN, "x.v + 5", "x.v + 7", ["--cycles", "3", "--print", "s.o.v"], "s.o.v: 39\n")
        check(len(units("build")) == 4, "functions of a block have units of their own")

        first = hetero(smec, -1)
        check(len(first) >= 4 and len(first) % 4 == 0, f"four units or a multiple, not {sorted(first)}")
        for process in (0, 321):
            edited = hetero(smec, process)
            changed = [name for name in edited if edited[name] != first.get(name)]
            check(len(changed) == 1, f"process {process}, one unit, not {changed}")
            first = hetero(smec, -1)
    print("passed")


main()
