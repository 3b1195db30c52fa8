#!/usr/bin/env python3
"""Grids that ranks have in blocks show what they show in one process; without being asked ranks take blocks or not, as they like."""
import os
import re
import subprocess
import sys
import tempfile

from ranks import ENVIRONMENT, LAUNCHERS, LIMIT, SMEC, kinds

BLOCKS = {"SME_RANKS_CUT": "blocks"}
# Two closed grids of one process, of other sizes; one of three dimensions, whose sums are taken in the same cycle; an open one.
DESIGN = """
type w: bus { v: u32; };
proc cell(in north: w, in south: w, in east: w, in west: w, out o: w, const first: u32)
    var age: u32 = first;
{
    age = (age + 1) % 200;
    o.v = u32((north.v + south.v * 3 + east.v * 5 + west.v * 7 + age) % 4294967296);
    if (age == 77 && first == 5) { trace("cell {}", o.v); }
    CHECK
}
proc part(in a: w, in b: w, in c: w, out o: w, const first: u32)
    var kept: u32 = first;
{
    kept = u32((kept * 3 + a.v + b.v) % 65536);
    o.v = u32((kept + c.v * 11) % 4294967296);
}
async proc sum(in a: w, in b: w, out o: w) { o.v = u32((a.v + b.v) % 4294967296); }
proc edge(in near: w, out o: w) { o.v = near.v / 2 + 1; }
network grid(const rows: uint, const columns: uint) {
    exposed bus a[rows * columns]: w;
    generate r = 0 until rows { generate c = 0 until columns {
        instance x[r][c] of cell(a[(r + rows - 1) % rows * columns + c], a[(r + 1) % rows * columns + c], a[r * columns + (c + 1) % columns],
                                 a[r * columns + (c + columns - 1) % columns], a[r * columns + c], (r * 7 + c) % 50);
    } }
}
network cube(const n: uint) {
    bus a[n * n * n]: w;
    exposed bus s[n * n * n]: w;
    generate x = 0 until n { generate y = 0 until n { generate z = 0 until n {
        instance p[x][y][z] of part(s[(x + 1) % n * n * n + y * n + z], s[x * n * n + (y + 1) % n * n + z], s[x * n * n + y * n + (z + n - 1) % n],
                                    a[x * n * n + y * n + z], (x * 5 + y * 3 + z) % 60);
        instance q[x][y][z] of sum(a[x * n * n + y * n + z], a[x * n * n + y * n + (z + 1) % n], s[x * n * n + y * n + z]);
    } } }
}
network open(const n: uint) {
    exposed bus a[n * n]: w;
    generate r = 0 until n { generate c = 0 until n {
        generate if (r == 0 || c == 0 || r == n - 1 || c == n - 1) { instance e[r][c] of edge(a[(r + (r == 0 ? 1 : n - 1)) % n * n + c], a[r * n + c]); }
        else { instance x[r][c] of cell(a[(r - 1) * n + c], a[(r + 1) * n + c], a[r * n + c + 1], a[r * n + c - 1], a[r * n + c], (r + c) % 50); }
    } }
}
network top() {
    instance small of grid(24, 37);
    instance large of grid(40, 64);
    instance deep of cube(12);
    instance bounded of open(30);
}
"""


class Blocks:
    def __init__(self, folder):
        self.folder, self.checks, self.failures = folder, 0, []

    def compile(self, name, check):
        with open(os.path.join(self.folder, name + ".sme"), "w", encoding="utf-8") as f:
            f.write(DESIGN.replace("CHECK", check))
        subprocess.run([SMEC, "compile", name + ".sme", "--top", "top", "-O0", "-q", "-Wno-unread", "-o", name], cwd=self.folder, check=True, timeout=LIMIT)

    def run(self, name, *options, launcher=(), environment=None):
        """Status, standard output, standard error."""
        done = subprocess.run([*launcher, os.path.join(self.folder, name), *options], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=LIMIT, env={**ENVIRONMENT, **(environment or {})}, check=False)
        return done.returncode, done.stdout, done.stderr

    def check(self, is_good, text):
        self.checks += 1
        if not is_good:
            self.failures.append(text)

    def same(self, name, *options):
        arguments = [*options, "--quiet", "--checksum"]
        wanted = self.run(name, *arguments, "--threads", "1")
        for ranks in (2, 3, 4, 6, 7, 16):
            for threads, model, environment in (("1", "m2", BLOCKS), ("2", "m1", BLOCKS), ("1", "m2", None)):
                got = self.run(name, *arguments, "--ranks", str(ranks), "--threads", threads, "--model", model, "--oversubscribe", environment=environment)
                self.check(got == wanted, f"{name} on {ranks} ranks, {model}:{threads}, {environment}: {got}\n  wanted {wanted}")
        for kind in kinds():
            for more in ({}, {"SME_RANKS_APART": "1"}):
                got = self.run(name, *arguments, "--threads", "1", launcher=[*LAUNCHERS[kind], "4"], environment={**BLOCKS, **more})
                self.check(got[:2] == wanted[:2] and wanted[2] in got[2], f"{name} under {kind}, {more}: {got}\n  wanted {wanted}")
        return wanted

    def cut(self):
        """Blocks are what was asked for: more neighbours than rows have, and all processes."""
        told = self.run("good", "--cycles", "1", "--ranks", "9", "--threads", "1", "--report", "text", "--quiet", environment=BLOCKS)
        lines = re.findall(r"^ +\d+ +(\d+) +[\d.]+% +\d+ +(\d+) ", told[1] + told[2], re.M)
        self.check(len(lines) == 9, f"a line for each rank: {told}")
        self.check(sum(int(processes) for processes, _ in lines) == 24 * 37 + 40 * 64 + 12 ** 3 * 2 + 30 ** 2, f"all processes: {lines}")
        self.check(min(int(neighbours) for _, neighbours in lines) > 2, f"blocks have more neighbours: {lines}")

    def resumed(self):
        rest = ["--cycles", "90", "--checksum", "--quiet", "--threads", "1"]
        wanted = self.run("good", *rest)
        for before, environment in (("1", None), ("4", BLOCKS), ("7", BLOCKS), ("3", None)):
            kept = self.run("good", "--cycles", "37", "--quiet", "--threads", "1", "--ranks", before, "--checkpoint", "state", environment=environment)
            for after, other in (("1", None), ("6", BLOCKS), ("2", None)):
                got = self.run("good", *rest, "--ranks", after, "--resume", "state", environment=other)
                self.check((got[0], kept[1] + got[1], kept[2] + got[2]) == wanted, f"{after} ranks after {before}: {kept}, {got}, wanted {wanted}")


def main():
    with tempfile.TemporaryDirectory(prefix="sme blocks ") as folder:
        test = Blocks(folder)
        test.compile("good", "")
        status, output, _ = test.same("good", "--cycles", "90")
        test.check(status == 0 and "cell" in output, f"it runs and tells: {status}, {output}")
        test.cut()
        test.resumed()
        test.compile("bad", "assert(age != 90 || first != 49);")
        test.check(test.same("bad", "--cycles", "200", "--trace-all", "--trace", "t.csv")[0] == 1, "an assertion fails")
    for text in test.failures[:10]:
        print(text)
    print(f"{test.checks} checks, {len(test.failures)} failed")
    return 1 if test.failures else 0


if __name__ == "__main__":
    sys.exit(main())
