#!/usr/bin/env python3
"""What a simulation within a program costs beside its cycles: embedding.py [--repeat N] [--seconds S]

Needs the Python package (pip install ./bindings/python) and a compiler. Times are medians of runs that stand beside each other; only their
ratios and differences say much on a machine that does other things, too."""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy
import smec
from smec import _compile

COMPILER = _compile.compiler()
INCLUDE = pathlib.Path(__file__).resolve().parents[2] / "contract" / "include"
SMALL = """type sample: bus { v: i16; };
type level: bus { v: i32; };
proc smooth(in s: sample, out l: level) var mean: i32 = 0; { mean = i32(mean + (s.v - mean) / 4); l.v = mean; }
network small(in s: sample, out l: level) { instance it of smooth(s, l); }
"""
RING = """proc node(in left, out right) var seen: u32; { seen = seen * 3 + left.v; right.v = left.v * 5 + seen / 7; }
network ring(const n: uint = 1000) {
    exposed bus link[n] { v: u32; };
    generate i = 0 until n { instance at[i] of node(link[i], link[(i + 1) % n]); }
}
"""


def fields(count):
    buses = "".join(f"    exposed bus b{i} {{ v{i}: u8; w{i}: u16; }};\n    instance p{i} of one{i}(b{i});\n" for i in range(count))
    return "".join(f"proc one{i}(out o) {{ o.v{i} = 1; o.w{i} = 2; }}\n" for i in range(count)) + f"network fields() {{\n{buses}}}\n"


def timed(function, seconds):
    """Nanoseconds of a call, in a run of about so many seconds."""
    count = 1
    while True:
        start = time.perf_counter()
        for _ in range(count):
            function()
        elapsed = time.perf_counter() - start
        if elapsed > seconds / 2:
            return 1e9 * elapsed / count
        count *= 2


def beside(functions, options):
    """Medians of functions that run in turn."""
    times = [[timed(function, options.seconds) for function in functions] for _ in range(options.repeat)]
    return [statistics.median(column) for column in zip(*times)]


def calls(sim, options):
    signal, level, dut = sim.signal("s.v"), sim.signal("l.v"), sim.dut

    def handles():
        signal.value = 5
        sim.step()
        return level.value

    def attributes():
        dut.s.v = 5
        sim.step()
        return dut.l.v

    alone, bound, named = beside([lambda: sim.step(1000), handles, attributes], options)
    alone /= 1000
    print(f"a cycle in a step of 1,000: {alone:.0f} ns; set + step + get by handles: {bound - alone:.0f} ns more; by attributes: {named - alone:.0f} ns more")


def short_steps(folder, options):
    for n in (100, 1000, 10000, 100000):
        sims = [smec.compile(folder / "ring.sme", n=n, options={"threads": threads}) for threads in (1, 2)]
        one, two = beside([sim.step for sim in sims], options)
        print(f"step(1) of a ring of {n}: {one / 1000:.2f} µs with one thread, {two / 1000:.2f} µs with two")
        for sim in sims:
            sim.close()


def time_of_others():
    """Nanoseconds that all threads but this one were on a processor."""
    total = 0
    for task in os.listdir("/proc/self/task"):
        if int(task) != os.getpid():
            with open(f"/proc/self/task/{task}/schedstat", encoding="ascii") as file:
                total += int(file.read().split()[0])
    return total


def idle(folder, options):
    with smec.compile(folder / "ring.sme", n=20000, options={"threads": 2}) as sim:
        found = []
        for _ in range(options.repeat):
            sim.step(2000)
            time.sleep(0.01)
            before = time_of_others()
            time.sleep(0.5)
            found.append(time_of_others() - before)
    print(f"the second thread from 10 ms after a step on, in half a second: {max(found)} ns of processor time at most")


def blocks(folder, options):
    rows = numpy.random.default_rng(1).integers(-1000, 1000, 1_000_000).astype("int16")
    lines = "\n".join(f"{k},{v}" for k, v in enumerate(rows))
    (folder / "in.csv").write_text(f"cycle,s.v\n{lines}\n")
    sim = smec.compile(folder / "small.sme")
    subprocess.run([COMPILER, "compile", "-q", "small.sme", "-o", "small"], cwd=folder, check=True)
    command = ["./small", "--quiet", "--input", "in.csv", "--trace", "out.csv"]
    line, block = beside([lambda: subprocess.run(command, cwd=folder, check=True), lambda: sim.run(len(rows), {"s.v": rows}, ["l.v"])], options)
    print(f"1,000,000 rows in and out: {block / 1e6:.0f} ms as a block, {line / 1e6:.0f} ms by --input and --trace ({block / line:.2f} times)")


def cost_of_header(folder):
    """Seconds and MiB of g++."""
    script = ("import resource, subprocess; subprocess.run(['g++', '-std=c++17', '-O1', '-I', '.', '-I', %r, '-c', 'use.cpp'], check=True); "
              "used = resource.getrusage(resource.RUSAGE_CHILDREN); print(used.ru_utime, used.ru_maxrss / 1024)") % os.fspath(INCLUDE)
    shown = subprocess.run([sys.executable, "-c", script], cwd=folder, stdout=subprocess.PIPE, text=True, check=True).stdout
    return map(float, shown.split())


def many_names(folder, options):
    for count in (250, 1250):
        (folder / "fields.sme").write_text(fields(count))
        subprocess.run([COMPILER, "compile", "--lib", "-q", "-O0", "-Wno-unread", "fields.sme"], cwd=folder, check=True)
        (folder / "use.cpp").write_text('#include "fields.hpp"\nint main() { sme_fields::Simulation sim; return sim.dut.b0.v0; }\n')
        seconds, megabytes = cost_of_header(folder)
        sim = smec.load(folder / "libfields.so")
        start = time.perf_counter()
        dut = sim.dut
        built = time.perf_counter() - start
        last = f"v{count - 1}"
        read = statistics.median(timed(lambda: getattr(getattr(dut, f"b{count - 1}"), last), options.seconds) for _ in range(options.repeat))  # pylint: disable=cell-var-from-loop
        print(f"{2 * count} names: g++ with the header {seconds:.2f} s, {megabytes:.0f} MiB; Python: the tree {1000 * built:.1f} ms, an attribute {read:.0f} ns")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "small.sme").write_text(SMALL)
        (folder / "ring.sme").write_text(RING)
        before = os.getcwd()
        os.chdir(folder)
        try:
            with smec.compile("small.sme", options={"threads": 1}) as sim:
                calls(sim, options)
            short_steps(folder, options)
            idle(folder, options)
            blocks(folder, options)
            many_names(folder, options)
        finally:
            os.chdir(before)


if __name__ == "__main__":
    main()
