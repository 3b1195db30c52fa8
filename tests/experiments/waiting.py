"""How threads wait: with more of them than processors, beside other programs, and when the simulator is stopped."""
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import replace

import lab
import pictures
from lab import Config, Page, addTable, compiled, inTurn, number, over, spread

RING = os.path.join(lab.ROOT, "examples", "08_ring", "ring.sme")
HEAVY = os.path.join(lab.ROOT, "examples", "09_ring_heavy", "ring_heavy.sme")
MODES = ("spin", "yield", "block", "adaptive")
FIXED = MODES[:3]
MANY = 4  # threads for each processor
LIMIT_MANY, LIMIT_BESIDE = 1.3, 1.5  # targets
STOPPED_SECONDS = 1.0


def processors():
    return len(os.sched_getaffinity(0))


def networks(settings):
    small, rounds = settings.pick((20000, 200), (20000, 200), (500, 20)), settings.pick(100, 1000, 10)
    return {f"ring, {small[0]:,} processes": (compiled(settings, RING, "ring", {"n": small[0]}, simd=True), small[0]),
            f"ring that divides {rounds:,} times, {small[1]:,} processes": (compiled(settings, HEAVY, "heavy", {"n": small[1], "rounds": rounds}), small[1])}


def config(program, steps, mode, threads, beyond=False, isCrowded=False):
    """beyond: starts all threads, even where there are fewer processors."""
    return Config(program, ("--threads", str(threads), "--wait", mode, *(["--oversubscribe"] if beyond else [])), 0, steps, isCrowded=isCrowded or beyond)


@contextmanager
def busy(count):
    """Other programs that want the processors."""
    programs = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for program in programs:
            program.kill()
            program.wait()


def manyThreads(settings, page, found):
    few, many = processors(), MANY * processors()
    forms = {f"{few} threads": (few, False), f"{many} threads": (many, False), f"{many} threads, --oversubscribe": (many, True)}
    configs = {(name, mode, form): config(program, steps, mode, *given) for name, (program, steps) in found.items()
               for mode in MODES for form, given in forms.items()}
    times = inTurn(settings, configs, page)
    least, rows = next(iter(forms)), []
    worst = {(mode, form): 0 for form in forms for mode in MODES}
    for name in found:
        for mode in MODES:
            ratios = {form: over(times[name, mode, form], times[name, mode, least]) for form in forms}
            worst.update({(mode, form): max(worst[mode, form], ratio) for form, ratio in ratios.items()})
            rows.append([name, mode, *(spread(times[name, mode, form].per("us")) for form in forms), *(number(ratios[form]) for form in list(forms)[1:])])
    addTable(page, f"More threads than processors: µs per cycle on {few} processors",
             ["network", "--wait", *forms, f"{many} against {few}", f"{many}, --oversubscribe, against {few}"], rows,
             "Without `--oversubscribe` the plan is for all threads, but only as many run as there are processors.")
    page.pictures["waiting_threads"] = pictures.dots(f"{many} threads on {few} processors", "µs per cycle", MODES, {
        name: {form: [lab.bar(times[name, mode, form].per("us")) for mode in MODES] for form in forms} for name in found},
        [tuple(forms)[1:]])
    for form in list(forms)[1:]:
        met = all(worst[mode, form] <= LIMIT_MANY for mode in MODES[1:])
        page.answer.append(f"{form} against {least}, the worse of both networks: " + ", ".join(f"{mode} {number(worst[mode, form])}×" for mode in MODES)
                           + f". The target, {LIMIT_MANY}× for all but spin, is {'reached' if met else 'missed'}.")


def besideOthers(settings, page, found):
    threads = processors()
    configs = {(name, mode): config(program, steps, mode, threads, isCrowded=True) for name, (program, steps) in found.items() for mode in MODES}
    with busy(processors()):
        times = inTurn(settings, configs, page)
    rows, worst = [], 0
    for name in found:
        best = min(FIXED, key=lambda mode: times[name, mode].median())
        ratios = {mode: over(times[name, mode], times[name, best]) for mode in MODES}
        worst = max(worst, ratios["adaptive"])
        rows += [[name, mode, spread(times[name, mode].per("us")), number(ratios[mode])] for mode in MODES]
    addTable(page, f"Beside {processors()} busy programs: {threads} threads, µs per cycle",
             ["network", "--wait", "µs per cycle", "against the best fixed mode"], rows,
             "The busy programs are endless loops in Python, one a processor, of the same priority.")
    page.answer.append(f"Beside {processors()} busy programs adaptive costs at most {worst:.2f}× of the best fixed mode; the target, {LIMIT_BESIDE}×, is "
                       f"{'reached' if worst <= LIMIT_BESIDE else 'missed'}.")


def ticksOf(pid):
    """User and system time of a process, in clock ticks."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def usedBy(process, seconds):
    """Processors that a process uses."""
    before, start = ticksOf(process.pid), time.monotonic()
    time.sleep(seconds)
    return (ticksOf(process.pid) - before) / os.sysconf("SC_CLK_TCK") / (time.monotonic() - start)


def stoppedAndGoing(program, mode, seconds):
    process = subprocess.Popen([program, "--cycles", "1000000000000", "--threads", str(processors()), "--wait", mode, "--quiet"], stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        time.sleep(0.2)
        before = usedBy(process, seconds)
        process.send_signal(signal.SIGSTOP)
        time.sleep(0.05)
        stopped = usedBy(process, seconds)
        process.send_signal(signal.SIGCONT)
        return before, stopped, usedBy(process, seconds)
    finally:
        process.kill()
        process.wait()


def stopped(settings, page, found):
    page.note = ""
    seconds = settings.pick(STOPPED_SECONDS, 5 * STOPPED_SECONDS, 0.1)
    program = next(iter(found.values()))[0]
    rows = [[mode, *(f"{value:.2f}" for value in stoppedAndGoing(program, mode, seconds))] for mode in MODES]
    addTable(page, "Stopped: processors used", ["--wait", "running", "stopped by SIGSTOP", "going on"], rows, f"For {seconds:g} s each, from /proc.")
    most = max(float(row[2]) for row in rows)
    page.answer.append(f"A stopped simulator uses {'no processor' if most == 0 else f'up to {most:.2f} processors'}, and goes on after SIGCONT in every mode."
                       if all(float(row[3]) > 0 for row in rows) else "A stopped simulator did not go on in every mode.")


def experiment(settings):
    page = Page("How threads wait", "MLTP's lesson: spinning wins while there are no more threads than processors and collapses beyond, blocking survives and "
                                    "always costs more, so the choice must be "
                "made at run time. Does `--wait adaptive` make it? What do the modes cost with more threads than processors, beside other programs, and when "
                "the simulator is stopped?",
                [("threads", f"{processors()} and {MANY * processors()}", "the same"), ("rounds of the dividing ring", settings.pick(100, 1000, 10), "1,000"),
                 ("a timed run", f"as many cycles as take {4 * settings.aim:g} s", "8 s"), ("compiled with", "`--no-simd` for the dividing ring", "the same")])
    settings = replace(settings, aim=4 * settings.aim)  # adaptive waiting learns during a run
    found = networks(settings)
    manyThreads(settings, page, found)
    besideOthers(settings, page, found)
    stopped(settings, page, found)
    return page
