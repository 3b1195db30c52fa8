#!/usr/bin/env python3
"""Write a network of N processes that are all different (BENCHMARKS: `hetero`).

    hetero.py N [--seed S] [--edit K] > hetero.sme

Each process has a random body of ten u32 operations (+ - ^ & | shift by a constant, compare-select) on two inputs and one variable, and
one output; every output is read exactly twice. --edit K changes process K alone, to time an incremental compile.
"""
import argparse
import random


def operation(rng, names):
    a, b = rng.choice(names), rng.choice(names)
    kind = rng.randrange(8)
    if kind < 5:
        return f"{a} {'+-^&|'[kind]} {b}"
    if kind == 5:
        return f"{a} << {rng.randrange(1, 31)}"
    if kind == 6:
        return f"{a} >> {rng.randrange(1, 31)}"
    return f"{a} < {b} ? {a} : {b}"


def process(rng, number, edited):
    lines = [f"proc p{number}(in a, in b, out y)", f"    var s: u32 = {rng.randrange(2**32)};", "{"]
    names = ["a.v", "b.v", "s"]
    for k in range(9):
        lines.append(f"    var t{k}: u32 = {operation(rng, names)};")
        names.append(f"t{k}")
    lines.append(f"    s = t8 + {rng.choice(names)}{' + 1' if edited else ''};")
    lines.append(f"    y.v = {rng.choice(names[3:])} ^ s;")
    return "\n".join(lines + ["}", ""])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("n", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--edit", type=int, default=-1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    for i in range(options.n):
        print(process(random.Random(rng.randrange(2**62)), i, i == options.edit))
    readers = list(range(options.n)) * 2
    rng.shuffle(readers)
    print(f"network hetero()\n{{\n    bus w[{options.n}] {{ v: u32; }};")
    for i in range(options.n):
        print(f"    instance q{i} of p{i}(w[{readers[2 * i]}], w[{readers[2 * i + 1]}], w[{i}]);")
    print("}")


if __name__ == "__main__":
    main()
