#!/usr/bin/env python3
"""How waits and --threads auto stand other programs: quiet, beside a burst each second, beside busy programs, and with more threads than processors.

    disturbed.py --smec PATH [--pairs 60] [--seconds 1] [--scenes quiet,burst,busy,oversubscribed] [--judged adaptive,auto] [--beside spin,yield,block]
                 [--results FILE] [--budget 140] [--smoke]

All runs last equally long, so that what comes each second comes to each of them, and a form that is twenty times slower takes no longer; what is
compared is the time of a cycle. First each fixed mode runs a few times: the table says how many times slower than the best the others are. Then
`adaptive` and the best one run in turn. `auto` stands beside one thread, which it must not lose against. What the machine makes of equal
runs is in the column "beside itself": the fixed form by its own run of the round before.

Foreign time is what programs that this script did not start used of the processors (/proc/stat, without the simulator's and the disturbers' own time):
runs with more than 1 % of it are made again and counted. --results keeps pairs in a file and goes on with those in it; --budget: seconds, after which no
further pair is begun.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RING = os.path.join(ROOT, "examples", "08_ring", "ring.sme")
FOREIGN = 0.01
NEAR, WORST = 1.15, 1.5
SLOWEST_AUTO = 1 / 0.95
FIRST_RUNS = 3
TIME_IS_OVER = 4  # exit status
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
    def __init__(self, command, count):
        self.programs = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(count)]

    def ticks(self):
        return sum(ticksOf(program.pid) for program in self.programs)

    def end(self):
        for program in self.programs:
            program.kill()
            program.wait()


@dataclass
class Run:
    cycle: float  # microseconds
    cpu: float  # microseconds of all threads, a cycle
    changes: int = 0  # of the number of threads


@dataclass
class Form:
    name: str
    options: list


@dataclass
class Contest:
    """What is judged in a scene, and what it stands beside."""
    scene: str
    judged: Form
    fixed: list
    disturbers: tuple = ((), 0)

    @property
    def key(self):
        return f"{self.scene}: {self.judged.name}"


def once(program, form, seconds, disturbers):
    """One run, and the share of the processors that strangers used meanwhile."""
    used, every, theirs, before = *usedTicks(), disturbers.ticks(), os.times()
    ran = subprocess.run([program, "--timeout", str(seconds), "--cycles", str(10**12), "--report", "json", *form.options],
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    after = os.times()
    if ran.returncode != TIME_IS_OVER:
        sys.exit(f"{program} {' '.join(form.options)}: status {ran.returncode}")
    cpu = max(0, after.children_user + after.children_system - before.children_user - before.children_system)
    usedAfter, everyAfter = usedTicks()
    strangers = usedAfter - used - (disturbers.ticks() - theirs) - cpu * TICK
    summary = json.loads(ran.stdout)
    changes = int(summary["why"].partition("; changed ")[2].partition(" ")[0] or 0)
    run = Run(summary["seconds"] / summary["cycles"] * 1e6, cpu / summary["cycles"] * 1e6, changes)
    return run, max(0, strangers - 2) / max(1, everyAfter - every)  # two ticks: clocks that differ


def settled(program, form, disturbers, options):
    """A run without strangers, while there is patience; how often it was made again."""
    for again in range(options.patience + 1):
        run, strangers = once(program, form, options.seconds, disturbers)
        if strangers <= FOREIGN:
            break
    return run, again


class Results:
    """What was measured, by contest: kept in a file where one is named."""

    def __init__(self, path):
        self.path, self.first, self.pairs = path, {}, {}
        if path and os.path.exists(path):
            with open(path) as file:
                for line in file:
                    self.take(json.loads(line))

    def take(self, entry):
        if "first" in entry:
            self.first[entry["contest"]] = entry["first"]
        else:
            self.pairs.setdefault(entry["contest"], []).append(entry)

    def add(self, entry):
        self.take(entry)
        if self.path:
            with open(self.path, "a") as file:
                file.write(json.dumps(entry) + "\n")


def compare(program, contest, results, options, isTimeLeft):
    """Adds runs to the results, until there are enough or time is over."""
    disturbers = Disturbers(*contest.disturbers)
    try:
        if contest.key not in results.first:
            cycle = {form.name: statistics.median(settled(program, form, disturbers, options)[0].cycle for _ in range(options.first)) for form in contest.fixed}
            results.add({"contest": contest.key, "first": cycle})
        first = results.first[contest.key]
        best = min(contest.fixed, key=lambda form: first[form.name])
        while len(results.pairs.get(contest.key, [])) < options.pairs and isTimeLeft():
            number = len(results.pairs.get(contest.key, []))
            if not options.smoke:
                time.sleep(1 / options.pairs)  # each pair begins elsewhere between two bursts
            order = [contest.judged, best] if number % 2 == 0 else [best, contest.judged]
            ran = {form.name: settled(program, form, disturbers, options) for form in order}
            (judged, again), (fixed, more) = ran[contest.judged.name], ran[best.name]
            results.add({"contest": contest.key, "judged": vars(judged), "fixed": vars(fixed), "again": again + more})
    finally:
        disturbers.end()


def within(ratios, most):
    return f"{sum(ratio <= most for ratio in ratios)} of {len(ratios)}"


HEAD = ["scene", "judged", "beside", "others", "median", "best … worst", "within", "beside itself, within", "its worst", "µs a cycle", "of the fixed",
        "CPU µs a cycle", "of the fixed", "made again"]


def row(contest, results):
    first, pairs = results.first[contest.key], results.pairs[contest.key]
    best = min(first, key=first.get)
    others = ", ".join(f"{name} {first[name] / first[best]:.1f}" for name in first if name != best)
    ratios = [pair["judged"]["cycle"] / pair["fixed"]["cycle"] for pair in pairs]
    itself = [later["fixed"]["cycle"] / earlier["fixed"]["cycle"] for earlier, later in zip(pairs, pairs[1:])]
    most = SLOWEST_AUTO if contest.judged.name == "auto" else NEAR
    figures = [f"{statistics.median(pair[which][what] for pair in pairs):.2f}" for what in ("cycle", "cpu") for which in ("judged", "fixed")]
    name = contest.judged.name
    if name == "auto":
        name += f" (threads changed in {sum(pair['judged']['changes'] > 0 for pair in pairs)} runs)"
    return [contest.scene, name, best, others or "–", f"{statistics.median(ratios):.2f}", f"{min(ratios):.2f} … {max(ratios):.2f}", within(ratios, most),
            within(itself, most), f"{max(itself, default=1):.2f}", *figures, str(sum(pair["again"] for pair in pairs))]


def contests(program, options):
    few = len(processors())
    many = 4 * few
    burst, busy = ([sys.executable, "-c", BURST], few), ([sys.executable, "-c", BUSY], few)
    crowd = [program, "--cycles", str(10**12), "--quiet", "--threads", str(many), "--oversubscribe"]
    scenes = {"quiet": ((), 0), "a burst each second": burst, f"{few} busy programs": busy}
    modes = options.beside.split(",")

    def waits(threads, names, *more):
        return [Form(name, ["--threads", str(threads), "--wait", name, *more]) for name in names]

    all = []
    for scene, disturbers in scenes.items():
        all.append(Contest(scene, *waits(few, ["adaptive"]), waits(few, modes), disturbers))
    # spinning takes as long as time slices: docs/experiments/mltp.md
    others = [mode for mode in modes if mode != "spin"]
    all.append(Contest("oversubscribed", *waits(many, ["adaptive"], "--oversubscribe"), waits(many, others, "--oversubscribe")))
    for scene, disturbers in {**scenes, f"beside an oversubscribed run of {many} threads": (crowd, 1)}.items():
        all.append(Contest(scene, Form("auto", ["--threads", "auto"]), [Form("one thread", ["--threads", "1"])], disturbers))
    return [contest for contest in all
            if contest.judged.name in options.judged.split(",") and any(word in contest.scene for word in options.scenes.split(","))]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--smec", required=True)
    parser.add_argument("--pairs", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=1, help="of a run")
    parser.add_argument("--patience", type=int, default=5, help="times that a run is made again")
    parser.add_argument("--scenes", default="", help="those whose name has one of these words, separated by commas")
    parser.add_argument("--judged", default="adaptive,auto", help="one of them, for shorter runs")
    parser.add_argument("--beside", default="spin,yield,block", help="the ways of waiting that adaptive stands beside")
    parser.add_argument("--results", default="", metavar="FILE", help="keeps pairs, and goes on with those in it")
    parser.add_argument("--budget", type=float, default=1e9, metavar="SECONDS", help="after these no further pair is begun")
    parser.add_argument("--smoke", action="store_true", help="one short run of each, for the test")
    options = parser.parse_args()
    options.first = FIRST_RUNS
    if options.smoke:
        options.pairs, options.patience, options.seconds, options.first = 2, 0, 0.05, 1
    return options


def main():
    options = arguments()
    end = time.monotonic() + options.budget
    results = Results(options.results)
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "ring")
        subprocess.run([options.smec, "compile", RING, "-q", "-G", f"n={500 if options.smoke else 20000}", "-o", program, "--build-dir", program + ".build"],
                       check=True)
        print(f"| {' | '.join(HEAD)} |\n|{'---|' * len(HEAD)}")
        for contest in contests(program, options):
            if time.monotonic() < end:
                compare(program, contest, results, options, lambda: time.monotonic() < end)
            if contest.key in results.pairs:
                print(f"| {' | '.join(row(contest, results))} |", flush=True)


if __name__ == "__main__":
    main()
