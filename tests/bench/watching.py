#!/usr/bin/env python3
"""What one assertion, `stop`, `trace` or `--progress` costs beside a design.

    watching.py [--smec PATH] [--cores FOLDER] [--seconds 1] [--repeat 7] [--smoke]

Two small designs, beside loops written by hand with such an assertion, and each FOLDER/NAME/NAME.sme with a network `soc` of outputs `result`, `rounds`, `hash` (`./sme cores` leaves them in build/cores/made). One thread,
processor time, runs by turns. Nothing of what is beside a design ever happens. Exit status 1: the outputs differ.
"""
import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

import commands

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WORDS = "type word: bus { v: u32; };\n"
COUNT = "{async}proc flip(in a: word, out b: word) {{ b.v = a.v ^ (a.v >> 7); }}\nproc count(in b: word, out a: word)\n    var n: u32 = 0;\n{{\n    n = n + b.v + 3;\n    a.v = n;\n}}\n"
SMALL = "network soc(out result: word) {\n    bus b: word;\n    instance c of count(b, result);\n    instance f of flip(result, b);\n}\n"
WATCH = {"assert": "    assert(a.v != {never});\n", "stop": "    if (a.v == {never}) {{ stop; }}\n", "trace": "    if (a.v == {never}) {{ trace(\"{{}}\", a.v); }}\n"}
BESIDE = ["assert", "stop", "trace", "--progress"]
NEVER = 3735928559  # no design comes by it
HAND = """#include <cstdint>
#include <cstdio>
#include <cstdlib>
int main(int, char** words) {
    const std::uint64_t cycles = std::strtoull(words[1], nullptr, 10);
    std::uint32_t a = 0, b = 0, n = 0;
    for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
        if (a == %du) std::abort();
        const std::uint32_t flipped = a ^ (a >> 7);
        n += %s + 3;
        a = n;
        b = flipped;
    }
    std::printf("result.v: %%u\\n", a);
}
"""


HANDS = {"counter": True, "two": False}  # whether what the loop computes is of its cycle


def small(combinational):
    return WORDS + COUNT.format(**{"async": "async " if combinational else ""}) + SMALL, "word", ["result"]


def core(path):
    with open(path, encoding="utf-8") as f:
        return f.read(), "wire32", ["result", "rounds", "hash"]


def text(design, beside):
    """The design, whose first output a process watches."""
    source, word, outputs = design
    types = [word if name != "hash" else "wire64" for name in outputs]
    ports = ", ".join(f"out {name}: {kind}" for name, kind in zip(outputs, types))
    watch = WATCH.get(beside, "").format(never=NEVER)
    process = f"proc watch_beside(in a: {word})\n{{\n{watch}}}\n" if watch else ""
    instance = "    instance w of watch_beside(result);\n" if watch else ""
    return f"{source}{process}network beside({ports})\n{{\n    instance s of soc({', '.join(outputs)});\n{instance}}}\n"


def built(options, folder, name, design, beside):
    """The command of a run."""
    program = os.path.join(folder, f"{name}_{beside or 'bare'}")
    with open(program + ".sme", "w", encoding="utf-8") as f:
        f.write(text(design, beside))
    commands.run([options.smec, "compile", program + ".sme", "--top", "beside", "-o", program, "-q", "-O1" if options.smoke else "-O3"], folder, 1200)
    prints = [word for name in design[2] for word in ("--print", name + ".v")]
    return [program, "--threads", "1", "--quiet", *prints]


def byHand(options, folder, name, combinational):
    """The command of the design's loop with the assertion, as one would write it."""
    program = os.path.join(folder, f"{name}_hand")
    with open(program + ".cpp", "w", encoding="utf-8") as f:
        f.write(HAND % (NEVER, "flipped" if combinational else "b"))
    commands.run([os.environ.get("CXX", "g++"), "-std=c++20", "-O1" if options.smoke else "-O3", "-march=native", program + ".cpp", "-o", program], folder, 1200)
    return [program]


def run(command, cycles, folder):
    """(what it prints of the outputs, seconds of processor time)"""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    words = [str(cycles)] if command[-1].endswith("_hand") else ["--cycles", str(cycles)]
    ran = subprocess.run([*command, *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8", check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ran.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measured(options, folder, name, design):
    bare = built(options, folder, name, design, None)
    runs = {"bare": bare} | {beside: built(options, folder, name, design, beside) for beside in BESIDE if beside in WATCH} | {"--progress": bare + ["--progress"]}
    if name in HANDS:
        runs["hand"] = byHand(options, folder, name, HANDS[name])
    cycles = 2000
    while not options.smoke and (took := run(bare, cycles, folder)[1]) < options.seconds:
        cycles = int(cycles * min(20, 1.2 * options.seconds / max(took, 1e-3)))
    times = {kind: [] for kind in runs}
    for _ in range(options.repeat):
        outputs = {}
        for kind, command in runs.items():
            outputs[kind], seconds = run(command, cycles, folder)
            times[kind].append(seconds / cycles * 1e9)
        for kind, found in outputs.items():
            if found != outputs["bare"] or not found:
                sys.exit(f"{name}, {kind}, {cycles} cycles: {found}, and {outputs['bare']} without it")
    return times


def designs(folder):
    yield "counter and function", small(True)
    yield "two clocked processes", small(False)
    for name in sorted(os.listdir(folder)) if folder else []:
        path = os.path.join(folder, name, name + ".sme")
        if os.path.exists(path):
            yield name, core(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--smec", default=os.path.join(ROOT, "build", "release", "bin", "smec"))
    parser.add_argument("--cores", help="folder of designs")
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--smoke", action="store_true", help="few cycles, only their outputs")
    options = parser.parse_args()
    options.smec, options.repeat = os.path.abspath(options.smec), 1 if options.smoke else options.repeat
    print("| design | alone, ns a cycle | " + " | ".join(f"`{beside}`" for beside in BESIDE) + " | by hand with `assert`, ns |\n|---|---|" + "---|" * len(BESIDE) + "---|")
    for name, design in designs(options.cores):
        with tempfile.TemporaryDirectory(prefix="sme_watching_") as folder:
            if options.cores and name in os.listdir(options.cores):
                for file in os.listdir(os.path.join(options.cores, name)):
                    if file.endswith((".hex", ".bin")):
                        shutil.copy(os.path.join(options.cores, name, file), folder)
            times = measured(options, folder, name.split()[0], design)
        ratios = {kind: [x / y for x, y in zip(times[kind], times["bare"])] for kind in BESIDE}
        hand = f"{statistics.median(times['hand']):.2f}" if "hand" in times else ""
        print(f"| {name} | {statistics.median(times['bare']):.2f} | "
              + " | ".join(f"{statistics.median(r):.2f} ({min(r):.2f} … {max(r):.2f})" for r in ratios.values()) + f" | {hand} |", flush=True)


if __name__ == "__main__":
    main()
