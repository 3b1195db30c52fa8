"""Designs that rules and numbers of the optimiser are judged by: rows of the suite, patterns of its other programs, and designs from folders."""
import glob
import os
from dataclasses import dataclass

import long_bodies
import held
import twists
import watching
from workloads import fullRows

# Of each design the sizes where something changes: small ones, and one that leaves the caches of a processor alone.
ROWS = ("ring 20,000", "ring_heavy 200", "ring_uneven 200", "hetero 200", "hetero 1,000", "mesh 64", "systolic 16", "systolic 64", "noc 8", "cpu 1", "cpu 64",
        "memory 256 words, 1 op, gap 17", "memory 4,096 words, 16 ops, gap 17", "wait 10,000, 0 % asleep", "wait 10,000, 50 % asleep", "wait 10,000, 99 % asleep",
        "idle 100 % active", "idle 10 % active", "comb 10 deep", "comb 100 deep")
TWIST_SIZE = 64
LONG = {"traces": 2000, "assignments": 5000, "alternatives": 600}  # of long_bodies.py: statements
HELD = ((16384, 2), (16384, 16))  # of held.py: words, writes a cycle


EQUAL = """proc p{k}(in a, out o) var s: u32;
{{
    s = s * 5 + a.v;
    if (s[3:0] == 3) {{ s = s ^ (s >> 7); }}
    o.v = s;
}}
"""
MEMORIES = """proc cell(in a, in m, out o, out q)
    var s: u32 = 1;
{
    s = s * 1664525 + a.v + 1013904223;
    o.v = m.w[s >> 22];
    q.w[s >> 22] = s;
}
network top(const n: uint = 64)
{
    hold bus q[n] { w: [1024]u32; };
    bus o[n] { v: u32; };
    generate i = 0 until n {
        instance c[i] of cell(o[(i + n - 1) % n], q[(i + 1) % n], o[i], q[i]);
    }
}
"""
ROUNDS = """proc cell(in x, out o)
{{
    var t: {kind} = {kind}(x.v) + {start};
    for i = 0 until 60 {{ {round} }}
    o.v = u16(x.v + {sum});
}}
network top(const n: uint = 1000)
{{
    bus o[n] {{ v: u16 = 9; }};
    generate i = 0 until n {{ instance c[i] of cell(o[(i + 1) % n], o[i]); }}
}}
"""
READY = """async proc ready(in me, out y) { y.ok = me.n < 3; }
proc stage(in up, in mine, in down, out q)
    var n: u8;
    var v: u32 = 1;
{
    if (mine.ok && up.n > 0) { n += 1; v = v * 5 + up.v; }
    if (down.ok && n > 0) { n -= 1; v = v ^ (v >> 3); }
    q.n = n;
    q.v = v;
}
network top(const n: uint = 4096)
{
    bus q[n] { n: u8 = 1; v: u32; };
    bus r[n] { ok: bool; };
    generate i = 0 until n {
        instance a[i] of ready(q[i], r[i]);
        instance s[i] of stage(q[(i + n - 1) % n], r[i], r[(i + 1) % n], q[i]);
    }
}
"""
SHEET = """proc cell(in n, in e, in s, in w, out o) { o.v = n.v ^ e.v ^ (s.v >> 1) ^ w.v; }
network top(const n: uint = 16)
{
    bus at[n + 2][n + 2] { v: u16 = 3; };
    generate y = 1 until n + 1 { generate x = 1 until n + 1 {
        instance c[y - 1][x - 1] of cell(at[y - 1][x], at[y][x + 1], at[y + 1][x], at[y][x - 1], at[y][x]);
    } }
}
"""


def equalBodies(n):
    wiring = "".join(f"    bus b{k} {{ v: u32 = {k}; }};\n    instance e{k} of p{k}(b{(k - 1) % n}, b{k});\n" for k in range(n))
    return "".join(EQUAL.format(k=k) for k in range(n)) + f"network top()\n{{\n{wiring}}}\n"


def rounds():
    """Branches in loops that are too long to be written out, of floats and of integers."""
    yield "rounds of floats", ROUNDS.format(kind="f64", start="0.25", round="if (t < 1.0) { t = t * 1e200; } else { t = t / 3.0; }", sum="(t > 2.0 ? 1 : 0)")
    yield "rounds of integers", ROUNDS.format(kind="u16", start="5", round="if (t[0:0] == 1) { t = u16(t * 3 + 1); } elif (t > 9) { t = t >> 1; }", sum="t")


@dataclass(frozen=True)
class Subject:
    """A design that is measured."""
    name: str
    path: str
    words: tuple = ()  # options of `smec compile`


def suiteRows(folder, workshop, rows):
    """rows: of workloads.py."""
    for row in rows:
        constants = workshop.constants(row.design, row.parameters)
        words = tuple(word for name, value in constants.items() for word in ("-G", f"{name}={value}"))
        yield Subject(row.name, workshop.source(row.design, row.parameters, "sme"), words)


def written(folder, name, text, words=()):
    path = os.path.join(folder, "".join(c if c.isalnum() else "_" for c in name) + ".sme")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return Subject(name, path, words)


def patterns(folder):
    for name, one in twists.TWISTS.items():
        n, m = twists.sizeOf(one, TWIST_SIZE)
        sizes = () if one.path is twists.byName else ("-G", f"n={n}", "-G", f"m={m}")
        yield written(folder, f"torus: {name}", one.source(n, m), sizes)
    for words, writes in HELD:
        yield written(folder, f"held {words}, {writes} sets", held.design(True, words, writes))
    for isCombinational in (True, False):
        name = "counter and function" if isCombinational else "two clocked processes"
        yield written(folder, name, watching.small(isCombinational)[0])
    for name, count in LONG.items():
        yield written(folder, f"long {name}", long_bodies.source(long_bodies.BODIES[name], count))
    for name, text in (("processes of equal bodies", equalBodies(300)), ("memories that others read", MEMORIES), ("neighbours' ready", READY), ("sheet with edges", SHEET), *rounds()):
        yield written(folder, name, text)


def ofFile(word):
    """A file, or FILE:NAME=VALUE,... with constants of its top network."""
    path, _, constants = word.partition(":")
    words = tuple(each for constant in constants.split(",") if constant for each in ("-G", constant))
    stem = os.path.splitext(os.path.basename(path))[0]
    return Subject(f"{stem} {constants}".strip(), os.path.abspath(path), words)


def ofPlace(word):
    """A file, or a folder: its designs, or those of its folders that are called as these are, as ./sme cores leaves them."""
    if not os.path.isdir(word):
        return [ofFile(word)]
    inner = [os.path.join(each, os.path.basename(each) + ".sme") for each in sorted(glob.glob(os.path.join(word, "*")))]
    return [ofFile(path) for path in sorted(glob.glob(os.path.join(word, "*.sme"))) + [path for path in inner if os.path.exists(path)]]


def all_(folder, workshop, places):
    rows = [row for row in fullRows() if row.name in ROWS]
    return [*suiteRows(folder, workshop, rows), *patterns(folder), *(subject for place in places for subject in ofPlace(place))]
