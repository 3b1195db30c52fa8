#!/usr/bin/env python3
"""Measure compile time, memory and speed on `ring` and `hetero`, and print Markdown tables.

    figures.py --smec PATH [--repeat 5] [--quick] [ring] [sizes] [hetero] [switch] [units]

ring: compile cold and unchanged, ns per process step at 1 and 2 threads under m1 and m2, beside a hand-written two-buffer loop in the same
run. sizes: compile time and memory for growing N. hetero: processes that are all different: compile, run, edit one, compile again.
switch: an activation that resumes after a `wait`, beside swapcontext and a thread that is handed the turn, in the same run.
units: `hetero` 5,000 with several values of --partition-size. Not run unless named.
A compile is cold when its build folder is new and the compiler cache is off. Medians of --repeat runs.
"""
import argparse
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
RING = os.path.join(HERE, "..", "..", "examples", "08_ring", "ring.sme")
HAND = r"""
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
static void step(const uint32_t* __restrict in, uint32_t* __restrict out, long n) {
    out[0] = in[n - 1] + 1;
    for (long i = 1; i < n; ++i) out[i] = in[i - 1] + 1;
}
int main(int argc, char** argv) {
    const long n = atol(argv[1]), cycles = atol(argv[2]);
    auto* a = static_cast<uint32_t*>(aligned_alloc(64, n * 4 + 64));
    auto* b = static_cast<uint32_t*>(aligned_alloc(64, n * 4 + 64));
    for (long i = 0; i < n; ++i) a[i] = b[i] = 0;
    a[0] = 12345;
    const auto t0 = std::chrono::steady_clock::now();
    for (long k = 0; k < cycles; k += 2) { step(a, b, n); step(b, a, n); }
    const double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count();
    printf("%.6f %u\n", s * 1e9 / (double(n) * cycles), a[n / 2]);
}
"""


def timed(command, **more):
    """(seconds, peak MiB of the largest process below, completed process)."""
    start = time.monotonic()
    p = subprocess.run(["/usr/bin/time", "-f", "%M"] + command if shutil.which("/usr/bin/time") else command,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)
    seconds = time.monotonic() - start
    if p.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {p.returncode}\n{p.stderr[-2000:]}")
    memory = [int(line) for line in p.stderr.splitlines() if re.fullmatch(r"\d+", line)]
    return seconds, (memory[-1] / 1024 if memory else 0.0), p


def cpuSeconds():
    u = resource.getrusage(resource.RUSAGE_CHILDREN)
    return u.ru_utime + u.ru_stime


class Bench:
    def __init__(self, smec, repeat):
        self.smec, self.repeat = os.path.abspath(smec), repeat
        self.scratch = tempfile.mkdtemp(prefix="sme_figures_")
        self.environment = dict(os.environ, CCACHE_DISABLE="1")

    def compile(self, source, out, *options, keep=False):
        folder = os.path.join(self.scratch, out + ".build")
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)
        cpu = cpuSeconds()
        seconds, memory, _ = timed([self.smec, "compile", source, "-q", "-o", out, "--build-dir", folder, *options],
                                   cwd=self.scratch, env=self.environment)
        return seconds, cpuSeconds() - cpu, memory

    def run(self, program, cycles, *options):
        """Medians of ns per step and µs per cycle, and peak MiB, from the simulator's own summary."""
        nsList, cycleList, memory = [], [], 0.0
        for _ in range(self.repeat):
            _, memory, p = timed([os.path.join(self.scratch, program), "--cycles", str(cycles), *options], cwd=self.scratch)
            nsList.append(float(re.search(r"([\d.]+) ns each", p.stderr).group(1)))
            wall = re.search(r"wall time\s+([\d.]+) s", p.stderr)
            cycleList.append(float(wall.group(1)) * 1e6 / cycles if wall else 0.0)
        return statistics.median(nsList), min(nsList), max(nsList), statistics.median(cycleList), memory


def ring(bench):
    cold, cpu, memory = bench.compile(RING, "ring")
    warm, _, _ = bench.compile(RING, "ring", keep=True)
    with open(os.path.join(bench.scratch, "hand.cpp"), "w") as f:
        f.write(HAND)
    subprocess.run(["g++", "-O3", "-march=native", "-o", "hand", "hand.cpp"], cwd=bench.scratch, check=True)
    hand = statistics.median(float(subprocess.run([os.path.join(bench.scratch, "hand"), "20000", "100000"], stdout=subprocess.PIPE, text=True,
                                                  check=True).stdout.split()[0]) for _ in range(bench.repeat))
    print("## ring, N = 20,000, 100,000 cycles\n")
    print(f"compile: cold {cold:.2f} s ({cpu:.2f} CPU s), unchanged {warm:.3f} s, largest process {memory:.0f} MiB\n")
    print("| plan | ns per step (median, min … max) | × hand-written | peak MiB |\n|---|---|---|---|")
    print(f"| hand-written, 1 thread | {hand:.4f} | 1.00 | |")
    for model in ("m1", "m2"):
        for threads in ("1", "2"):
            ns, low, high, _, peak = bench.run("ring", 100000, "--model", model, "--threads", threads)
            print(f"| {model}, {threads} thread{'s' if threads != '1' else ''} | {ns:.4f} ({low:.4f} … {high:.4f}) | {ns / hand:.2f} | {peak:.1f} |")
    print()


def sizes(bench, quick):
    print("## ring: growth with N\n\n| N | compile, s | CPU s | largest process MiB | simulator MiB |\n|---|---|---|---|---|")
    for n in (1000, 20000) if quick else (1000, 20000, 200000, 1000000):
        seconds, cpu, memory = bench.compile(RING, f"ring{n}", "-G", f"n={n}")
        _, _, _, _, peak = bench.run(f"ring{n}", 100, "--threads", "1")
        print(f"| {n:,} | {seconds:.2f} | {cpu:.2f} | {memory:.0f} | {peak:.1f} |")
    print()


def hetero(bench, quick):
    print("## hetero: processes that are all different\n")
    print("| N | compile, s | CPU s | largest process MiB | µs per cycle, 1 / 2 threads | edit one: s |\n|---|---|---|---|---|---|")
    for n in (200,) if quick else (1000, 5000):
        source = os.path.join(bench.scratch, f"hetero{n}.sme")
        for edit, path in ((-1, source), (n // 2, source + ".edited")):
            with open(path, "w") as f:
                subprocess.run([sys.executable, os.path.join(HERE, "hetero.py"), str(n), "--edit", str(edit)], stdout=f, check=True)
        seconds, cpu, memory = bench.compile(source, f"hetero{n}")
        one = bench.run(f"hetero{n}", 20000, "--threads", "1")[0] * n / 1000
        two = bench.run(f"hetero{n}", 20000, "--threads", "2")[0] * n / 1000
        os.replace(source + ".edited", source)
        again, _, _ = bench.compile(source, f"hetero{n}", keep=True)
        print(f"| {n:,} | {seconds:.2f} | {cpu:.2f} | {memory:.0f} | {one:.2f} / {two:.2f} | {again:.2f} |")
    print()


def resumed(bench, processes, cycles):
    """ns of an activation on one processor: the difference of two runs, so that starting does not count."""
    seconds = []
    for count in (cycles, 3 * cycles):
        before = cpuSeconds()
        timed([os.path.join(bench.scratch, "switch"), "--cycles", str(count), "--threads", "1", "--model", "m2"], cwd=bench.scratch)
        seconds.append(cpuSeconds() - before)
    return (seconds[1] - seconds[0]) * 1e9 / (2 * cycles * processes)


def switch(bench, quick):
    half, cycles = 500, 2000 if quick else 20000
    bench.compile(os.path.join(HERE, "switch.sme"), "switch", "-G", f"n={half}")
    subprocess.run(["g++", "-std=c++20", "-O2", "-march=native", "-pthread", "-o", "hand_over", os.path.join(HERE, "switch.cpp")],
                   cwd=bench.scratch, check=True)
    rows = []
    for _ in range(bench.repeat):
        by = subprocess.run([os.path.join(bench.scratch, "hand_over")], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
        rows.append([resumed(bench, 2 * half, cycles)] + [float(x) for x in by[:3]])
    print(f"## switch: {2 * half:,} processes that wait in nested loops, one thread\n")
    print("| | ns there and back (median, min … max) | × an activation |\n|---|---|---|")
    ours = statistics.median(row[0] for row in rows)
    for name, column in zip(("activation that resumes", "swapcontext", "second thread, spinning", "second thread, condition variable"), zip(*rows)):
        ns = statistics.median(column)
        print(f"| {name} | {ns:.2f} ({min(column):.2f} … {max(column):.2f}) | {ns / ours:.1f} |")
    print()


def units(bench, quick):
    n = 200 if quick else 5000
    source = os.path.join(bench.scratch, "units.sme")
    with open(source, "w") as f:
        subprocess.run([sys.executable, os.path.join(HERE, "hetero.py"), str(n)], stdout=f, check=True)
    sizes = ("500", "1000", "2000", "4000", "8000")
    costs = [bench.compile(source, f"units{size}", "--partition-size", size) for size in sizes]
    print(f"## hetero {n:,}: statements a translation unit\n")
    print("| --partition-size | units | compile, CPU s | largest process MiB | ns per step (median, min … max) |\n|---|---|---|---|---|")
    for size, (_, cpu, memory) in zip(sizes, costs):
        ns, low, high, _, _ = bench.run(f"units{size}", 20000, "--threads", "1")
        folder = os.path.join(bench.scratch, f"units{size}.build")
        count = sum(name.startswith("unit_") and name.endswith(".cpp") for name in os.listdir(folder))
        print(f"| {size} | {count} | {cpu:.1f} | {memory:.0f} | {ns:.3f} ({low:.3f} … {high:.3f}) |")
    print()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", nargs="*", default=[])
    parser.add_argument("--smec", required=True)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    bench = Bench(options.smec, options.repeat)
    what = options.what or ["ring", "sizes", "hetero", "switch"]
    try:
        if "ring" in what:
            ring(bench)
        if "sizes" in what:
            sizes(bench, options.quick)
        if "hetero" in what:
            hetero(bench, options.quick)
        if "switch" in what:
            switch(bench, options.quick)
        if "units" in what:
            units(bench, options.quick)
    finally:
        shutil.rmtree(bench.scratch, ignore_errors=True)


if __name__ == "__main__":
    main()
