#!/usr/bin/env python3
"""--number NAME=VALUE, and --without RULE: each rule of the optimiser can be left out, and what it does to a design is then not done. (That results stay: fuzz.py --without.)"""
import os
import random
import re

from support import ROOT, Tally, scratch, smec, write


def tests():
    body = "".join(f"    if (x == {i * 7}) {{ y = u16(y + {i}); }}\n" for i in range(2600))
    return f"proc p(out o) var x: u16; var y: u16;\n{{\n    x = u16(x * 5 + 1);\n{body}    o.v = y;\n}}\nnetwork top() {{ exposed bus b {{ v: u16; }}; instance i of p(b); }}\n"


def long_block():
    def process(k):
        cases = "".join(f"        case {j} {{ a = {(j * 37 + k) % 65536}; }}\n" for j in range(1900))
        return f"proc p{k}(in i, out o) var a: u16;\n{{\n    switch (a) {{\n{cases}    }}\n    o.v = u16(i.v + a);\n}}\n"
    return ("".join(process(k) for k in range(10)) + "async proc c(in i, out o) { o.v = u16(i.v + 1); }\nnetwork top() {\n"
            + "".join(f"    bus b{k} {{ v: u16; }};\n" for k in range(11)) + "    instance c of c(b9, b10);\n    instance q0 of p0(b10, b0);\n"
            + "".join(f"    instance q{k} of p{k}(b{k - 1}, b{k});\n" for k in range(1, 10)) + "}\n")


def scattered(n=300):
    rng = random.Random(1)
    places = rng.sample(range(n), n)
    before = {places[k]: places[k - 1] for k in range(n)}
    processes = "".join(f"proc p{k}(in i, out o) var a: u16;\n{{\n" + "".join(f"    a = u16(a * {2 * j + 3} + i.v + {rng.randint(1, 9999)});\n" for j in range(20))
                        + "    o.v = a;\n}\n" for k in range(n))
    return (processes + "network top() {\n" + "".join(f"    bus b{k} {{ v: u16; }};\n" for k in range(n))
            + "".join(f"    instance q{k} of p{k}(b{before[k]}, b{k});\n" for k in range(n)) + "}\n")


DECODER = """proc fetch(out o) var n: u8; var ir: u32; { n += 1; if (n[2:0] == 0) { ir = u32(ir * 5 + n); } o.ir = ir; }
async proc decode(in i, out o) { o.a = u8(i.ir[7:0] ^ i.ir[15:8] + i.ir[23:16] * 3); o.b = i.ir[31:24] == 7 || i.ir[3:0] == 2 && i.ir[9:8] != 1; }
proc work(in d, out o) var s: u8; { if (d.b) { s += d.a; } o.v = s; }
network top()
{
    bus f { ir: u32; };
    bus d { a: u8; b: bool; };
    exposed bus r { v: u8; };
    instance c of work(d, r);
    instance b of decode(f, d);
    instance a of fetch(f);
}
"""


CONDITIONS = """proc p(in x, out y)
    var list: [8]u8 = 1;
    var n: u8;
{
    if (n != 7 && list[n % 8] == 1 && list[0] != 9 && list[1] != 9 && list[2] != 9) { list[n % 8] = 2; }
    n = u8(n + x.v);
    y.v = list[n % 8];
}
network top() { bus a { v: u8; }; instance i of p(a, a); }
"""


def table():
    numbers = ", ".join(str(k * 37 % 251) for k in range(3000))
    return f"proc p(out o)\n    const numbers: [3000]u8 = [{numbers}];\n    var n: u16;\n{{\n    n = n == 2999 ? 0 : u16(n + 1);\n    o.v = numbers[n];\n}}\nnetwork top() {{ exposed bus b {{ v: u8; }}; instance i of p(b); }}\n"


MADE = {"tests": tests, "long": long_block, "scattered": scattered, "decoder": lambda: DECODER, "table": table, "conditions": lambda: CONDITIONS}
# A design that each rule does something to, a file of the tests or one that is made here, and options with it.
DESIGNS = {
    "merged-classes": "lang/structure/element_dependencies", "interleaved-kinds": "lang/statements/many_instances_kinds",
    "instance-order": "lang/statements/many_instances_kinds", "replicas": "lang/structure/neighbours_ready", "set-logs": "lang/model/held_memory",
    "lanes": "../examples/08_ring/ring", "spread-arrays": "lang/statements/arrays_in_step", "lane-stages": "lang/statements/many_instances_memories",
    "lane-rounds": "lang/statements/many_instances_rounds", "switches": "tests", "straight-code": "../examples/01_counter/counter",
    "merged-loops": "lang/structure/levels", "joined-steps": "golden/constructs",
    "light-levels": "lang/structure/levels", "whole-block": "golden/row", "function-cuts": "long", "minimum-cut": "scattered",
    "one-slot": "lang/model/partial_writes", "body-parts": "tests", "unobserved-cycles": "golden/whole", "mirrors": "golden/whole", "paired-cycles": "golden/whole", "resting-steps": "decoder",
    "state-references": "golden/whole", "short-circuits": "conditions", "checks-ahead": "lang/failures/checks_in_torus", "shared-walks": "lang/structure/levels",
    "level-classes": "lang/structure/levels", "written-states": "lang/statements/many_instances_waits", "written-rounds": "lang/statements/many_instances_arrays",
    "split-arrays": "lang/statements/many_instances_arrays", "packed-fields": "../examples/07_cpu/cpu", "margins": "lang/statements/many_instances_border",
    "line-splits": "golden/row", "flows": "../examples/01_counter/counter", "gathered-ports": "lang/structure/levels", "seams": "lang/failures/checks_in_torus",
    "masks": "../examples/09_ring_heavy/ring_heavy", "filled-vectors": "lang/statements/rounds_in_lanes", "data-tables": "table",
    "uniform-memories": "lang/storing/filled_memories", "unit-flags": "golden/whole",
}
OPTIONS = {"minimum-cut": ["--partition-size", "300"]} | {rule: ["--without", "whole-block"] for rule in ("straight-code", "joined-steps", "line-splits")}


def source(folder, name):
    if name in MADE:
        return write(folder, name + ".sme", MADE[name]())
    return os.path.join(ROOT, "tests", name + ".sme")


BUILD = {"unit-flags"}  # those that change how the C++ is compiled, not the C++


def printed(_, words):
    return smec("compile", "--emit", "cpp", *words)


def built(folder, words):
    status, _, err = smec("compile", "--no-build", "--build-dir", os.path.join(folder, "built"), *words)
    with open(os.path.join(folder, "built", "build.ninja"), encoding="utf-8") as file:
        return status, file.read(), err


def numbers(tally, folder):
    """--number NAME=VALUE"""
    listed = smec("compile", "--number", "help")[1]
    rows = {line.split()[0]: line.split(maxsplit=2)[1:] for line in listed.splitlines()}
    tally.equal(rows["kLaneInstances"], ["16", "instances (a bound)"], "a number that is listed")
    tally.check(len(rows) > 60 and all(re.search(r" \((measured|a bound)\)$", row[1]) for row in rows.values()), f"numbers that are listed: {listed}")
    for word, wanted in (("nosuch=3", "unknown number 'nosuch'; '--number help' lists them"), ("kLaneInstance=3", "unknown number 'kLaneInstance'; did you mean 'kLaneInstances'?"),
                         ("kLaneInstances", "--number kLaneInstances takes a whole number from 1 to 1,000,000,000, not ''"), ("kLaneInstances=0", "--number kLaneInstances takes a whole number from 1 to 1,000,000,000, not '0'"),
                         ("kLaneInstances=2.5", "--number kLaneInstances takes a whole number from 1 to 1,000,000,000, not '2.5'"), ("kLaneInstances=4000000000", "--number kLaneInstances takes a whole number from 1 to 1,000,000,000, not '4000000000'"),
                         ("kLightLevel=-1", "--number kLightLevel takes a number above 0, and up to 1,000,000,000,000,000,000, not '-1'"), ("kLine=48", "--number kLine takes a power of two up to 4,096, not '48'"),
                         ("kLine=8192", "--number kLine takes a power of two up to 4,096, not '8192'"), ("kStackBytes=1000000", "--number kStackBytes takes a whole number from 1 to 262,144, not '1000000'"),
                         ("kStageInstances=2000000000", "--number kStageInstances takes a whole number from 1 to 1,024, not '2000000000'"),
                         ("design.sme", "unknown number 'design.sme'; '--number help' lists them")):
        for command in ("compile", "run", "bench", "verify"):
            status, _, err = smec(command, "--number", word, "x.sme")
            tally.equal((status, err.splitlines()[0]), (2, f"smec: error: {wanted}"), f"{command} --number {word}")
    plain = {name: float(row[0].replace(",", "")) for name, row in rows.items()}
    twice = [word for name, value in plain.items() for word in ("--number", f"{name}={2 * value:.12g}")]
    status, listed, err = smec("compile", *twice, "--number", "help")
    tally.equal((status, err), (0, ""), "each number twice as large")
    now = {line.split()[0]: float(line.split()[1].replace(",", "")) for line in listed.splitlines()}
    tally.equal(now, {name: 2 * value for name, value in plain.items()}, "and how they are listed then")
    path = source(folder, "../examples/08_ring/ring")
    lanes = lambda *words: smec("compile", "--no-build", "--build-dir", os.path.join(folder, "numbers"), "--explain", *words, path)[2].splitlines()
    tally.check(any(line.endswith("in lanes, several instances at once: 999 instances, at least 16") or "at least 16" in line for line in lanes()), f"lanes: {lanes()}")
    changed = lanes("--number", "kLaneInstances=16", "--number", "kLaneInstances=1000000")
    tally.check(any("instances, at least 1,000,000 needed" in line for line in changed), f"no lanes by another number: {changed}")
    tally.check(not any("1,000,000" in line for line in lanes()), "the next compilation has the number of the table")


def main():
    tally = Tally()
    status, listed, _ = smec("compile", "--without", "help")
    names = [line.split()[0] for line in listed.splitlines()]
    tally.equal((status, sorted(names)), (0, sorted(DESIGNS)), "rules that are listed")
    for words, wanted in ((["nosuch"], "unknown rule 'nosuch'; '--without help' lists them"), (["whole-blok"], "unknown rule 'whole-blok'; did you mean 'whole-block'?"),
                          (["lanes", "x y"], "unknown rule 'x y'; '--without help' lists them"), (["a.sme"], "unknown rule 'a.sme'; '--without help' lists them")):
        options = [word for each in words for word in ("--without", each)]
        status, _, err = smec("compile", *options, "x.sme")
        tally.equal((status, err.splitlines()[0]), (2, f"smec: error: {wanted}"), f"without {words}")
    for command in ("compile", "bench", "verify"):
        status, _, err = smec(command, "--without", "design.sme")
        tally.equal((status, err.splitlines()[0]), (2, "smec: error: unknown rule 'design.sme'; '--without help' lists them"), f"{command}: a rule is missing, not the file")
    with scratch() as folder:
        for rule, name in DESIGNS.items():
            words = ["-Wno-unread", *OPTIONS.get(rule, []), source(folder, name)]
            made = built if rule in BUILD else printed
            all_of_it, less, twice = made(folder, words), made(folder, words + ["--without", rule]), made(folder, words + ["--without", rule, "--without", rule])
            tally.check(all_of_it[0] == less[0] == 0 and all_of_it[1] != less[1], f"{rule} does something to {name}: {less[2][-300:]}")
            tally.equal(twice, less, f"{rule} named twice")
        path = source(folder, "../examples/08_ring/ring")
        plain = smec("compile", "--emit", "cpp", "--no-simd", path)
        tally.equal(smec("compile", "--emit", "cpp", "--without", "lanes", path), plain, "lanes: as --no-simd")
        numbers(tally, folder)
    tally.end()


main()
