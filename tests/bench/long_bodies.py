#!/usr/bin/env python3
"""Long bodies: what compiling a process of tens of thousands of statements costs, and whether that grows with their number alone.

    long_bodies.py --smec PATH [--only traces,asserts] [--share 1] [--smoke]

Each is compiled at a quarter of its length and at all of it; times are CPU seconds of the compiler and of all that it starts, memory is that of the largest of
them. Exit status 1 where one takes more seconds or memory than it may, or where results are not those of the interpreter, with which short ones are compared.
--share: a part of the length, for a first look. --smoke: short ones alone, not optimised.
"""
import argparse
import os
import resource
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from typing import Callable

MOST_SECONDS = 15
MOST_MEGABYTES = 1024
SHORT = 10  # of a length, for the interpreter: long enough for parts


@dataclass(frozen=True)
class Body:
    count: int
    statement: Callable  # of its number: source text
    variables: str = ""
    instances: int = 1
    joined: Callable = "\n    ".join


def trace(i):
    return f'if (x.v[9:0] == {i % 1024}) {{ trace("{i}: {{}}", x.v); }}'


def anyTrace(i):
    values = ["x.v", "u8(x.v)", "wide", "signed", "x.v > 7", "half", "part", "list"]
    return f'if (x.v[9:0] == {i % 1024}) {{ trace("{i} {{}} {{}}", {values[i % 8]}, {values[i // 8 % 8]}); }}'


def formatted(i):
    return f'if (x.v[9:0] == {i % 1024}) {{ trace("{["{:x}", "{:08b}", "{:4}", "{:c}"][i % 4]} {i}", x.v[7:0]); }}'


def looped(i):
    return f'for k = 0 until 2 {{ if (x.v[9:0] == {i % 1024} + k) {{ trace("{i} {{}}", k); }} }}'


def checked(i):
    return f'assert(x.v != {0x40000000 + i}, "{i}: {{}}", x.v);'


def assignment(i):
    return f"a{i % 50} = a{(i + 1) % 50} * {i % 7 + 3} + x.v[{i % 20}:0];"


def mixed(i):
    return [trace, checked, assignment, lambda k: f'cover(x.v == {k}, "{k}");', looped][i % 5](i)


NUMBERS = "".join(f"    var a{i}: u32;\n" for i in range(50))
OTHERS = """    var wide: u100 = 12345678901234567890123;
    var signed: i64 = -5;
    var half: f32 = 0.5;
    var part: point;
    var list: [3]u8;
"""

BODIES = {
    "traces": Body(20_000, trace),
    "traces of two instances": Body(20_000, trace, instances=2),
    "traces of three instances": Body(20_000, trace, instances=3),
    "traces of all types": Body(20_000, anyTrace, OTHERS),
    "traces in formats": Body(20_000, formatted),
    "traces without a condition": Body(20_000, lambda i: f'trace("{i} {{}}", x.v);'),
    "traces in loops": Body(10_000, looped),
    "asserts": Body(20_000, checked),
    "covers": Body(20_000, lambda i: f'cover(x.v == {i}, "{i}");'),
    "assignments": Body(50_000, assignment, NUMBERS),
    "assignments of two instances": Body(50_000, assignment, NUMBERS, instances=2),
    "branches": Body(20_000, lambda i: f"if (x.v[9:0] == {i % 1024}) {{ a{i % 50} = a{(i + 7) % 50} + {i}; }}", NUMBERS),
    "a branch of traces": Body(20_000, trace, joined=lambda all: "if (x.v > 9) { " + "\n    ".join(all) + " } else { trace(\"few\"); }"),
    "traces of states": Body(20_000, trace, joined=lambda all: "wait;\n    " + "\n    ".join(all)),
    "loops": Body(10_000, lambda i: f"for k = 0 until 5 {{ a{i % 50} = a{i % 50} * 3 + u32(k) + x.v; }}", NUMBERS),
    "alternatives": Body(2_000, lambda i: f"if (x.v[15:0] == {i * 7}) {{ sum = sum + {i}; }}", "    var sum: u32;\n", joined=" el".join),
    "mixed": Body(20_000, mixed, NUMBERS),
}


def source(body, count):
    statements = body.joined([body.statement(i) for i in range(count)])
    return (f"type point: struct {{ r: u8; g: i16; }};\nproc long(in x)\n{body.variables}{{\n    {statements}\n}}\n"
            "proc count() bus o { v: u32; }; var n: u32;\n{\n    n = n * 5 + 7;\n    o.v = n;\n}\n"
            f"network top()\n{{\n    instance c of count();\n    generate i = 0 until {body.instances} {{ instance p[i] of long(c.o); }}\n}}\n")


def write(folder, name, body, count):
    path = os.path.join(folder, f"{name.replace(' ', '_')}_{count}.sme")
    with open(path, "w") as file:
        file.write(source(body, count))
    return path


def build(smec, path, *more):
    """CPU seconds and megabytes."""
    command = [smec, "compile", path, "-q", *more, "-o", path[:-4], "--build-dir", path[:-4] + ".build"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = status
    if status != 0:
        sys.exit(f"{path}: status {status}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, used.ru_maxrss / 1024


def output(command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout


def isAsInterpreted(smec, path):
    options = ["--cycles", "60", "--checksum", "--quiet"]
    return output([smec, "run", path, "--interpret", *options]) == output([path[:-4], *options])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--smec", required=True)
    parser.add_argument("--only", default="", metavar="NAMES")
    parser.add_argument("--share", type=float, default=1)
    parser.add_argument("--smoke", action="store_true")
    options = parser.parse_args()
    wrong = 0
    if not options.smoke:
        os.environ["CCACHE_DISABLE"] = "1"  # what was compiled before costs nothing
        print("| body | statements | CPU s | a quarter | megabytes |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="sme_bodies_") as folder:
        for name, body in BODIES.items():
            if options.only and name not in options.only.split(","):
                continue
            short = write(folder, name, body, max(body.count // SHORT, 500))
            build(options.smec, short, *(["-O0"] if options.smoke else []))
            if not isAsInterpreted(options.smec, short):
                print(f"{name}: the interpreter has other results")
                wrong += 1
            if options.smoke:
                continue
            count = int(body.count * options.share)
            quarter, _ = build(options.smec, write(folder, name, body, count // 4))
            seconds, megabytes = build(options.smec, write(folder, name, body, count))
            isTooMuch = seconds > MOST_SECONDS or megabytes > MOST_MEGABYTES
            wrong += isTooMuch
            print(f"| {name} | {count:,} | {seconds:.1f}{' **too much**' if isTooMuch else ''} | {quarter:.1f} | {megabytes:.0f} |", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
