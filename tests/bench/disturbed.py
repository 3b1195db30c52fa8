#!/usr/bin/env python3
"""How waits and --threads auto stand other programs: quiet, beside a burst each second, beside busy programs, and with more threads than processors.

    disturbed.py --smec PATH [--pairs 60] [--seconds 1] [--scenes quiet,burst,busy,oversubscribed] [--judged adaptive,auto] [--beside spin,yield,block] [--smoke]

Each run of `adaptive` or `auto` stands beside one of each fixed mode, in a new order each time. Foreign time is what programs that this script did not start
used of the processors (/proc/stat, without the simulator's and the disturbers' own time): runs with more than 1 % of it are made again and counted.
`auto` stands beside one thread, which it must not lose against, and beside all. What the machine itself makes of equal runs is in the column "beside
itself": the fixed mode against its own run of the round before.
"""
import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RING = os.path.join(ROOT, "examples", "08_ring", "ring.sme")
FOREIGN = 0.01
NEAR = 1.15
TICK = os.sysconf("SC_CLK_TCK")
BURST = "import time\nwhile True:\n t = time.monotonic()\n while time.monotonic() - t < 0.05: pass\n time.sleep(1 - time.monotonic() % 1)"  # on all processors at once
BUSY = "while True: pass"


def processors():
    return sorted(os.sched_getaffinity(0))


def usedTicks():
    """Ticks that were used of our processors, and all that went by."""
    used = every = 0
    ours = {f"cpu{number}" for number in processors()}
    with open("/proc/stat") as file:
        for line in file:
            name, *values = line.split()
            if name in ours:
                values = list(map(int, values[:8]))
                every += sum(values)
                used += sum(values) - values[3] - values[4]
    return used, every


def ticksOf(pid):
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


class Disturbers:
    def __init__(self, text, count):
        self.programs = [subprocess.Popen([sys.executable, "-c", text]) for _ in range(count)]

    def ticks(self):
        return sum(ticksOf(program.pid) for program in self.programs)

    def end(self):
        for program in self.programs:
            program.kill()
            program.wait()


def once(program, options, cycles, disturbers):
    """(seconds, CPU seconds, share of the processors that strangers used) of one run."""
    used, every, theirs = *usedTicks(), disturbers.ticks()
    before, start = os.times(), time.monotonic()
    subprocess.run([program, "--cycles", str(cycles), "--quiet", *options], check=True, stdin=subprocess.DEVNULL)
    seconds, after = time.monotonic() - start, os.times()
    cpu = max(0, after.children_user + after.children_system - before.children_user - before.children_system)
    usedAfter, everyAfter = usedTicks()
    strangers = usedAfter - used - (disturbers.ticks() - theirs) - cpu * TICK
    return seconds, cpu, max(0, strangers - 2) / max(1, everyAfter - every)  # two ticks: clocks that differ


def settled(run, patience):
    """A run without strangers, while there is patience; how often it was made again."""
    for again in range(patience):
        seconds, cpu, strangers = run()
        if strangers <= FOREIGN:
            return seconds, cpu, again
    return (*run()[:2], patience)


def cyclesFor(program, aim):
    cycles = 1000
    while True:
        start = time.monotonic()
        subprocess.run([program, "--cycles", str(cycles), "--quiet", "--threads", "1"], check=True, stdin=subprocess.DEVNULL)
        seconds = time.monotonic() - start
        if seconds > aim / 4:
            return max(1000, int(cycles * aim / seconds))
        cycles *= 4


def compare(program, cycles, judged, fixed, disturbers, options):
    """Times and CPU times of all forms, in the order of the rounds, and how many runs were made again."""
    forms = {**fixed, "judged": judged}
    times, cpu, again = {name: [] for name in forms}, {name: [] for name in forms}, 0
    order, rng = list(forms), random.Random(1)
    for _ in range(options.pairs):
        rng.shuffle(order)
        for name in order:
            seconds, spent, repeated = settled(lambda: once(program, forms[name], cycles, disturbers), options.patience)
            times[name].append(seconds)
            cpu[name].append(spent)
            again += repeated
    return times, cpu, again


def near(ratios):
    return f"{sum(ratio <= NEAR for ratio in ratios)} of {len(ratios)}"


def row(scene, name, against, times, cpu, again):
    ratios = [mine / other for mine, other in zip(times["judged"], times[against])]
    itself = [later / earlier for earlier, later in zip(times[against], times[against][1:])]
    figures = [f"{statistics.median(values):.3f}" for values in (times["judged"], times[against], cpu["judged"], cpu[against])]
    return [scene, name, against, f"{statistics.median(ratios):.2f}", f"{max(ratios):.2f}", near(ratios), near(itself), *figures, str(again)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--smec", required=True)
    parser.add_argument("--pairs", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=1, help="of a run on one thread")
    parser.add_argument("--patience", type=int, default=5, help="times that a run is made again")
    parser.add_argument("--scenes", default="", help="those whose name has one of these words, separated by commas")
    parser.add_argument("--judged", default="adaptive,auto", help="one of them, for shorter runs")
    parser.add_argument("--beside", default="spin,yield,block", help="the ways of waiting that adaptive stands beside; block takes most of the time")
    parser.add_argument("--smoke", action="store_true", help="one short run of each, for the test")
    options = parser.parse_args()
    if options.smoke:
        options.pairs, options.patience = 1, 0
    few = len(processors())
    scenes = {"quiet": ("", 0, few), "a burst each second": (BURST, few, few), f"{few} busy programs": (BUSY, few, few), "oversubscribed": ("", 0, 4 * few)}
    head = ["scene", "judged", "beside", "median", "worst", f"≤ {NEAR}", "beside itself", "seconds", "of the fixed", "CPU seconds", "of the fixed", "made again"]
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "ring")
        subprocess.run([options.smec, "compile", RING, "-q", "-G", f"n={500 if options.smoke else 20000}", "-o", program, "--build-dir", program + ".build"],
                       check=True)
        # beside busy programs a cycle takes as long as a time slice
        cycles = 50 if options.smoke else cyclesFor(program, options.seconds)
        print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}")
        for scene, (text, count, threads) in scenes.items():
            if not any(word in scene for word in options.scenes.split(",")):
                continue
            more = ["--oversubscribe"] if threads > few else []
            modes = {mode: ["--threads", str(threads), "--wait", mode, *more] for mode in (*options.beside.split(","), "adaptive")}
            if more:
                modes.pop("spin", None)  # as long as time slices: docs/experiments/mltp.md
            adaptive = modes.pop("adaptive")
            counts = {"one thread": ["--threads", "1"], f"{few} threads": ["--threads", str(few)]}
            for name, judged, fixed in (("adaptive", adaptive, modes), ("auto", ["--threads", "auto"], counts)):
                if name not in options.judged.split(","):
                    continue
                disturbers = Disturbers(text, count)
                try:
                    times, cpu, again = compare(program, cycles, judged, fixed, disturbers, options)
                finally:
                    disturbers.end()
                best = min(fixed, key=lambda form: statistics.median(times[form]))
                for against in [best] if name == "adaptive" else fixed:
                    print(f"| {' | '.join(row(scene, name, against, times, cpu, again))} |", flush=True)


if __name__ == "__main__":
    main()
