#!/usr/bin/env python3
"""A torus of cells, and twists of it: what keeps its shape in hardware should keep its speed here.

    twists.py --smec PATH [--only plain,tiles] [--size 256] [--repeat 9] [--seconds 0.1] [--smoke]

Each twist is built for one thread, and by hand where that says something (C++, -O3 -march=native). All run in turn, so that ratios are of runs that
stood beside each other; the table has their medians. Exit status 1 where a twist is further from the plain torus than it may be, or results differ.
--smoke: small, for the results alone, which are held against the interpreter too.
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from typing import Callable

HERE = os.path.dirname(os.path.abspath(__file__))
MEAN = "o.v = (north.v + south.v + east.v + west.v) >> 2;"
MIXED = "o.v = (north.v ^ south.v) + (east.v >> 1) + (west.v >> 2);"
FIRST = "r % 4 == 0 && c % 4 == 0 ? 0x01000000 : 0"
NEIGHBOURS = ("p[(r + n - 1) % n][c].o", "p[(r + 1) % n][c].o", "p[r][(c + 1) % m].o", "p[r][(c + m - 1) % m].o")


# ---------------------------------------------------------------- designs


def cell(body=MEAN, name="cell", variables="", constants=""):
    return (f"proc {name}(in north, in south, in east, in west, const first: u30{constants})\n{variables}"
            f"    bus o {{ v: u30 = first; }};\n{{\n    {body}\n}}\n")


def grid(cells, declarations=""):
    return (f"network torus(const n: uint, const m: uint)\n{{\n{declarations}    generate r = 0 until n {{ generate c = 0 until m {{\n"
            f"        {cells}\n    }} }}\n}}\n")


def instance(of="cell", neighbours=NEIGHBOURS, more=""):
    return f"instance p[r][c] of {of}({', '.join(neighbours)}, {FIRST}{more});"


def plain(body=MEAN, variables="", constants="", more=""):
    return cell(body, variables=variables, constants=constants) + grid(instance(more=more))


def kinds(other, where):
    return cell() + cell(other, "other") + grid(f"generate if ({where}) {{ {instance('other')} }} else {{ {instance()} }}")


def fourKinds():
    """Every second cell is of one of three kinds, which take turns."""
    others = [("second", MIXED), ("third", MEAN.replace("+ west", "^ west")), ("fourth", "o.v = north.v - (south.v & east.v) + west.v;")]
    chosen = instance()
    for i, (name, _) in enumerate(others):
        chosen = f"generate if ((r + c) % 2 == 1 && (r + c) / 2 % 3 == {i}) {{ {instance(name)} }} else {{ {chosen} }}"
    return cell() + "".join(cell(body, name) for name, body in others) + grid(chosen)


def tiles():
    """Four by four cells each; a tile takes the cells beside it as lists."""
    north, south = ("(r + n / 4 - 1) % (n / 4)", "c"), ("(r + 1) % (n / 4)", "c")
    east, west = ("r", "(c + 1) % (m / 4)"), ("r", "(c + m / 4 - 1) % (m / 4)")
    sides = [[f"t[{tile[0]}][{tile[1]}].p[{place.format(k)}].o" for k in range(4)]
             for tile, place in ((north, "3][{}"), (south, "0][{}"), (east, "{}][0"), (west, "{}][3"))]
    lists = ",\n            ".join("[" + ", ".join(side) + "]" for side in sides)
    return cell() + f"""network tile([4] in north, [4] in south, [4] in east, [4] in west)
{{
    generate i = 0 until 4 {{ generate j = 0 until 4 {{
        instance p[i][j] of cell(i == 0 ? north[j] : p[i - 1][j].o, i == 3 ? south[j] : p[i + 1][j].o, j == 3 ? east[i] : p[i][j + 1].o,
                                 j == 0 ? west[i] : p[i][j - 1].o, i == 0 && j == 0 ? 0x01000000 : 0);
    }} }}
}}
network torus(const n: uint, const m: uint)
{{
    generate r = 0 until n / 4 {{ generate c = 0 until m / 4 {{
        instance t[r][c] of tile({lists});
    }} }}
}}
"""


def combinational():
    return f"""async proc mean(in north, in south, in east, in west, out o) {{ {MEAN} }}
proc keep(in sum, const first: u30)
    bus o {{ v: u30 = first; }};
{{
    o.v = sum.v;
}}
""" + grid(f"instance a[r][c] of mean({', '.join(NEIGHBOURS)}, sums[r][c]);\n        instance p[r][c] of keep(sums[r][c], {FIRST});",
           "    bus sums[n][m] { v: u30; };\n")


# Rows and columns of the four neighbours: some rule, but none that goes on from one cell to the next.
SHUFFLES = [(97, 31, 5, 59, 113), (41, 77, 9, 173, 21), (133, 55, 1, 11, 87), (7, 201, 3, 219, 45)]


def shuffled():
    return cell() + grid(instance(neighbours=[f"p[(r * {a} + c * {b} + {k}) % n][(c * {d} + r * {e}) % m].o" for a, b, k, d, e in SHUFFLES]))


def named(n, m):
    """As a program writes that does not know `generate`."""
    name = "b{}_{}".format
    lines = [cell().replace("    bus o { v: u30 = first; };\n", "").replace("const first: u30", "out o"), "network torus()\n{\n"]
    lines += [f"    bus {name(r, c)} {{ v: u30 = {0x1000000 if r % 4 == 0 and c % 4 == 0 else 0}; }};\n" for r in range(n) for c in range(m)]
    lines += [f"    instance _ of cell({name((r - 1) % n, c)}, {name((r + 1) % n, c)}, {name(r, (c + 1) % m)}, {name(r, (c - 1) % m)}, {name(r, c)});\n"
              for r in range(n) for c in range(m)]
    return "".join(lines) + "}\n"


WAIT = """o.v = (north.v + south.v + east.v + west.v) >> 2;
    wait;
    o.v = north.v ^ west.v;"""
STATES = """switch at {
        case GATHER { o.v = (north.v + south.v + east.v + west.v) >> 2; at = last[0] ? MIX : SHIFT; }
        case MIX { o.v = north.v ^ west.v; at = SHIFT; }
        case SHIFT { o.v = last >> 1; at = GATHER; }
    }
    last = east.v;"""
ARRAY = """mem[at] = north.v;
    o.v = (mem[u4(at + 5)] + south.v + east.v + west.v) >> 2;
    at = at + 1;"""

# ---------------------------------------------------------------- limits

MEAN_CPP = "return (no + so + ea + we) >> 2;"
MIXED_CPP = "return ((no ^ so) + (ea >> 1) + (we >> 2)) & 0x3fffffff;"
LIMIT = """
static const std::size_t kCells = N * M;
GLOBALS
static inline u32 cell(std::size_t r, std::size_t c, [[maybe_unused]] u32 first, u32 no, u32 so, u32 ea, u32 we) { CELL }
static u32 firstOf(std::size_t r, std::size_t c) { return r % 4 == 0 && c % 4 == 0 ? 0x01000000 : 0; }
static void stepRow(std::size_t r, const u32* __restrict north, const u32* __restrict south, const u32* __restrict row, u32* __restrict out) {
    out[0] = cell(r, 0, firstOf(r, 0), north[0], south[0], row[1], row[M - 1]);
#pragma GCC ivdep
    for (std::size_t c = 1; c < M - 1; ++c)
        out[c] = cell(r, c, firstOf(r, c), north[c], south[c], row[c + 1], row[c - 1]);
    out[M - 1] = cell(r, M - 1, firstOf(r, M - 1), north[M - 1], south[M - 1], row[0], row[M - 2]);
}
static void step(const u32* __restrict in, u32* __restrict out) {
    for (std::size_t r = 0; r < N; ++r)
        stepRow(r, in + (r == 0 ? N - 1 : r - 1) * M, in + (r == N - 1 ? 0 : r + 1) * M, in + r * M, out + r * M);
    AFTER
}
"""
GATHER = """
static const std::size_t kCells = N * M;
static u32 from[4][N * M];
static u32 firstOf(std::size_t r, std::size_t c) { return r % 4 == 0 && c % 4 == 0 ? 0x01000000 : 0; }
static void step(const u32* __restrict in, u32* __restrict out) {
#pragma GCC ivdep
    for (std::size_t i = 0; i < kCells; ++i)
        out[i] = (in[from[0][i]] + in[from[1][i]] + in[from[2][i]] + in[from[3][i]]) >> 2;
}
"""
MAIN = """
int main(int argc, char** argv) {
    u32 *a = zeroed<u32>(kCells), *b = zeroed<u32>(kCells);
    for (std::size_t r = 0; r < N; ++r)
        for (std::size_t c = 0; c < M; ++c)
            a[r * M + c] = firstOf(r, c);
    START
    const u32* end = twoBuffers(cyclesOf(argc, argv), a, b, step);
    printResult(std::uint64_t{end[0]});
    printResult(std::uint64_t{end[N / 2 * M + M / 2 + 1]});
    printResult(std::uint64_t{end[kCells - 1]});
}
"""


def limit(body=MEAN_CPP, variables="", start="", after=""):
    loop = LIMIT.replace("GLOBALS", variables).replace("CELL", body).replace("AFTER", after)
    return '#include "limit.hpp"\n' + loop + MAIN.replace("START", start)


def gathers():
    fill = "".join(f"from[{i}][r * M + c] = (r * {a} + c * {b} + {k}) % N * M + (c * {d} + r * {e}) % M;" for i, (a, b, k, d, e) in enumerate(SHUFFLES))
    return '#include "limit.hpp"\n' + GATHER + MAIN.replace("START", "for (u32 r = 0; r < N; ++r) for (u32 c = 0; c < M; ++c) {" + fill + "}")


# ---------------------------------------------------------------- twists


def inGrid(r, c, n, m):
    return f"p[{r}][{c}].o.v"


def inTiles(r, c, n, m):
    return f"t[{r // 4}][{c // 4}].p[{r % 4}][{c % 4}].o.v"


def byName(r, c, n, m):
    return f"b{r}_{c}.v"


@dataclass(frozen=True)
class Twist:
    source: Callable  # of the size
    most: float  # times the plain torus
    limit: str = ""  # C++
    path: Callable = inGrid
    more: tuple = (0, 0)  # rows and columns more than the size


def twist(source, most, byHand=None, **more):
    return Twist(source if callable(source) else lambda n, m: source, most, byHand or "", **more)


TWISTS = {
    "plain": twist(plain(), 1, limit()),
    "kinds that differ in a constant": twist(kinds(MEAN.replace(">> 2", ">> 3"), "c % 4 == 0"), 1.3,
                                             limit("return (no + so + ea + we) >> (c % 4 == 0 ? 3 : 2);")),
    "kinds that differ": twist(kinds(MIXED, "c % 5 == r % 5"), 2, limit(f"if (c % 5 == r % 5) {{ {MIXED_CPP} }} {MEAN_CPP}")),
    "borders of another kind": twist(kinds(MIXED, "r == 0 || c == 0 || r == n - 1 || c == m - 1"), 1.3,
                                     limit(f"if (r == 0 || c == 0 || r == N - 1 || c == M - 1) {{ {MIXED_CPP} }} {MEAN_CPP}")),
    "tiles": twist(tiles(), 1.3, limit(), path=inTiles),
    "combinational": twist(combinational(), 2, limit()),
    "odd sizes": twist(plain(), 1.3, limit(), more=(-5, 5)),
    "asserts": twist(plain("assert(north.v < 0x3fffffff);\n    " + MEAN), 1.6,
                     limit("fails |= no >= 0x3fffffff; " + MEAN_CPP, "static u32 fails = 0;")),
    "kinds that differ and may fail": twist(
        kinds("assert(west.v < 0x3fffffff);\n    " + MIXED, "c % 5 == r % 5").replace(MEAN, "assert(north.v < 0x3fffffff);\n    " + MEAN), 3,
        limit(f"if (c % 5 == r % 5) {{ fails |= we >= 0x3fffffff; {MIXED_CPP} }} fails |= no >= 0x3fffffff; {MEAN_CPP}", "static u32 fails = 0;")),
    "four kinds": twist(fourKinds(), 3),
    "arrays": twist(plain(ARRAY, "    var mem: [16]u30;\n    var at: u4;\n"), 6,
                    limit("const std::size_t i = r * M + c; mem[at * kCells + i] = no; "
                          "const u32 x = mem[((at + 5) & 15) * kCells + i]; return (x + so + ea + we) >> 2;",
                          "static u32 mem[kCells * 16], at = 0;", after="at = (at + 1) & 15;")),
    "arrays at places of their own": twist(
        plain(ARRAY, "    var mem: [16]u30;\n    var at: u4 = u4(first >> 22);\n"), 16,
        limit("const std::size_t i = r * M + c; mem[i * 16 + at[i]] = no; "
              "const u32 x = mem[i * 16 + ((at[i] + 5) & 15)]; at[i] = (at[i] + 1) & 15; return (x + so + ea + we) >> 2;",
              "static u32 mem[kCells * 16];\nstatic unsigned char at[kCells];",
              "for (u32 i = 0; i < kCells; ++i) at[i] = a[i] >> 22 & 15;")),
    "wait": twist(plain(WAIT), 2.5),
    "state machines": twist(plain(STATES, "    enum state { GATHER, MIX, SHIFT };\n    var at: state;\n    var last: u30;\n"), 3.5),
    "shuffled wiring": twist(shuffled(), 40, gathers()),
    "one name per bus": twist(named, 1.3, limit(), path=byName),
    "constants of instances": twist(plain(MEAN.replace(">> 2", "+ k >> 2"), constants=", const k: u8", more=", (r * 7 + c * 13) % 256"), 1.6,
                                    limit("return (no + so + ea + we + ((r * 7 + c * 13) & 255)) >> 2;")),
}


# ---------------------------------------------------------------- running


class Program:
    """A twist in one of its two forms."""

    def __init__(self, name, command, cells, ofLimit=False):
        self.name, self.command, self.cells, self.ofLimit = name, command, cells, ofLimit
        self.cycles, self.times = 0, []

    def run(self, cycles):
        """Results and seconds."""
        if self.ofLimit:
            out = subprocess.run([*self.command, str(cycles)], check=True, stdout=subprocess.PIPE, text=True).stdout
            return re.findall(r"result (\d+)", out), float(re.search(r"seconds (\S+)", out)[1])
        out = subprocess.run([*self.command, "--cycles", str(cycles)], check=True, stdout=subprocess.PIPE, text=True).stdout
        report = out.index("{")
        return re.findall(r": (\d+)$", out[:report], re.MULTILINE), json.loads(out[report:])["seconds"]

    def time(self):
        self.times.append(self.run(self.cycles)[1] / self.cycles / self.cells * 1e9)


def sizeOf(one, size):
    return size + one.more[0], size + one.more[1]


def build(name, one, options, folder):
    n, m = sizeOf(one, options.size)
    stem = os.path.join(folder, re.sub(r"\W", "_", name))
    with open(stem + ".sme", "w") as file:
        file.write(one.source(n, m))
    sizes = [] if one.path is byName else ["-G", f"n={n}", "-G", f"m={m}"]
    places = [(0, 0), (n // 2, m // 2 + 1), (n - 1, m - 1)]
    prints = [word for r, c in places for word in ("--print", one.path(r, c, n, m))]
    subprocess.run([options.smec, "compile", stem + ".sme", "-q", *sizes, "-o", stem, "--build-dir", stem + ".build"], check=True)
    ours = Program(name, [stem, "--quiet", "--model", "m2", "--threads", "1", "--report", "json", *prints], n * m)
    if options.smoke:
        interpreted = [options.smec, "run", stem + ".sme", *sizes, "--interpret", "--quiet", "--cycles", "9", *prints]
        out = subprocess.run(interpreted, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
        if re.findall(r": (\d+)$", out, re.MULTILINE) != ours.run(9)[0]:
            sys.exit(f"{name}: the interpreter has other results")
    if not one.limit:
        return ours, None
    with open(stem + ".cpp", "w") as file:
        file.write(one.limit)
    subprocess.run(["g++", "-std=c++20", "-O3", "-march=native", f"-DN={n}", f"-DM={m}", "-I", os.path.join(HERE, "designs"), stem + ".cpp",
                    "-o", stem + ".limit"], check=True)
    byHand = Program(name, [stem + ".limit"], n * m, ofLimit=True)
    if byHand.run(37)[0] != ours.run(37)[0]:
        sys.exit(f"{name}: {ours.run(37)[0]}, by hand {byHand.run(37)[0]}")
    return ours, byHand


def cyclesFor(program, aim):
    """The first cycles, which touch all memory for the first time, say nothing of the others."""
    cycles, seconds = 20, program.run(20)[1]
    while seconds < aim / 2:
        cycles *= 4
        seconds = program.run(cycles)[1]
    return max(20, int(cycles * aim / seconds))


def middle(over, under):
    return statistics.median(a / b for a, b in zip(over.times, under.times))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--smec", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--size", type=int, default=256)
    parser.add_argument("--repeat", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--smoke", action="store_true")
    options = parser.parse_args()
    if options.smoke:
        options.size, options.repeat, options.seconds = 32, 1, 0.001
    names = ["plain", *(name for name in TWISTS if name != "plain" and (not options.only or name in options.only.split(",")))]
    with tempfile.TemporaryDirectory() as folder:
        built = {name: build(name, TWISTS[name], options, folder) for name in names}
        programs = [program for pair in built.values() for program in pair if program]
        for program in programs:
            program.cycles = cyclesFor(program, options.seconds)
        for _ in range(options.repeat):
            for program in programs:
                program.time()
    above = 0
    print("| twist | ns a cell | to plain | allowed | by hand | to it |\n|---|---|---|---|---|---|")
    for name in names:
        ours, byHand = built[name]
        toPlain, most = middle(ours, built["plain"][0]), TWISTS[name].most
        above += toPlain > most
        hand = f"{statistics.median(byHand.times):.3f} | {middle(ours, byHand):.2f}" if byHand else "|"
        print(f"| {name} | {statistics.median(ours.times):.3f} | {toPlain:.2f} | {most:g} | {hand} |")
    return 1 if above and not options.smoke else 0


if __name__ == "__main__":
    sys.exit(main())
