"""C++SME's five benchmarks under its own plans and ours, and answers to questions that the thesis left open."""
import os
import random
import re
import shutil

import lab
import pictures
from lab import Config, Page, addTable, compiled, inTurn, number, over, spread

EXAMPLES = os.path.join(lab.ROOT, "examples")
RING, HEAVY = os.path.join(EXAMPLES, "08_ring", "ring.sme"), os.path.join(EXAMPLES, "09_ring_heavy", "ring_heavy.sme")
UNEVEN, WEAK = os.path.join(EXAMPLES, "10_ring_uneven", "ring_uneven.sme"), os.path.join(EXAMPLES, "11_weak", "weak.sme")
ORDERED = os.path.join(lab.DESIGNS, "ring_order.sme")
PLANS = {
    "m1 ss": ("--model", "m1", "--chunk", "ss"),
    "m1 gss": ("--model", "m1", "--chunk", "gss"),
    "m2 thesis": ("--model", "m2", "--orchestrate", "thesis"),
    "m2 even": ("--model", "m2", "--orchestrate", "even"),
    "m2 profile": ("--model", "m2", "--orchestrate", "profile"),
    "m3": ("--model", "m3"),
}
ROUNDS = 10000


def rounds(settings):
    return settings.pick(ROUNDS // 5, ROUNDS, 20)


def threaded(plan, threads):
    return (*PLANS[plan], "--threads", str(threads))


def thousands(n):
    return f"{n:,}"


# ---------------------------------------------------------------- the benchmarks


def plansByThreads(settings, page, heading, networks, words):
    """networks: name -> (program, processes, cycles). Returns (network, plan, threads) -> Times."""
    configs = {(network, plan, threads): Config(program, threaded(plan, threads), cycles, processes)
               for network, (program, processes, cycles) in networks.items() for plan in PLANS for threads in settings.threads}
    times = inTurn(settings, configs, page)
    least = settings.threads[0]
    head = ["network", "plan", *(f"{t} thread{'s' if t > 1 else ''}, ns/step" for t in settings.threads), *(f"faster on {t}" for t in settings.threads[1:])]
    rows = []
    for network in networks:
        for plan in PLANS:
            of = {t: times[network, plan, t] for t in settings.threads}
            rows.append([network, plan, *(spread(of[t].per("ns")) for t in settings.threads), *(number(over(of[least], of[t])) for t in settings.threads[1:])])
    addTable(page, heading, head, rows, words)
    return times


def sync(settings, page):
    sizes = settings.pick((20000, 50000), (20000, 50000), (200, 500))
    networks = {thousands(n): (compiled(settings, RING, f"ring{n}", {"n": n}), n, settings.pick(0, 100000, 0)) for n in sizes}
    times = plansByThreads(settings, page, "Sync-dominated: rings that add one", networks,
                           "`examples/08_ring`: so little work a process that its scheduling is most of the time.")
    growth = {plan: over(times[thousands(sizes[1]), plan, settings.most], times[thousands(sizes[0]), plan, settings.most]) for plan in PLANS}
    page.answer.append(f"Does the size of the list matter? From {thousands(sizes[0])} to {thousands(sizes[1])} processes, on {settings.most} threads, ns/step "
                       "changes "
                       + ", ".join(f"{value:.2f}× with {plan}" for plan, value in growth.items())
                       + ". Below 1 is the barrier, whose cost more processes share.")
    ss = [times[thousands(sizes[1]), "m1 ss", settings.most].median("ns"), times[thousands(sizes[1]), "m2 even", settings.most].median("ns")]
    page.answer.append(f"Taking one chunk a fetch (m1 ss) costs {number(ss[0])} ns/step where fixed slices cost {number(ss[1])} "
                       f"({thousands(sizes[1])} processes, {settings.most} threads).")


def heavyNetworks(settings, source, stem):
    """Of the literature's two shapes, processes × cycles; small runs have as many cycles as fit the time."""
    shapes = settings.pick(((200, 0), (2000, 0)), ((200, 2000), (2000, 200)), ((20, 20), (40, 10)))
    return {f"{thousands(n)} × {thousands(cycles)}" if cycles else f"{thousands(n)} processes":
            (compiled(settings, source, f"{stem}{n}", {"n": n, "rounds": rounds(settings)}), n, cycles) for n, cycles in shapes}


def heavy(settings, page):
    networks = heavyNetworks(settings, HEAVY, "heavy")
    times = plansByThreads(settings, page, "Compute-dominated: rings that divide", networks,
                           f"`examples/09_ring_heavy`; {thousands(rounds(settings))} dependent divisions a process and cycle.")
    if len(settings.threads) > 1:
        gains = {plan: [over(times[n, plan, settings.threads[0]], times[n, plan, settings.most]) for n in networks] for plan in PLANS}
        page.answer.append(f"Compute-dominated, {settings.most} threads against {settings.threads[0]}: "
                           + ", ".join(f"{plan} {min(g):.2f} to {max(g):.2f}" for plan, g in gains.items()) + ".")


def uneven(settings, page):
    networks = heavyNetworks(settings, UNEVEN, "uneven")
    times = plansByThreads(settings, page, "Uneven: the second half divides a quarter as often", networks,
                           "`examples/10_ring_uneven`. The numbers of divisions are constants of the instances, so the compiler's estimate (`m2 even`) knows "
                           "them; "
                           "`m2 thesis` counts processes alone.")
    if len(settings.threads) > 1:
        gains = {plan: sum(over(times[n, plan, settings.threads[0]], times[n, plan, settings.most]) for n in networks) / len(networks) for plan in PLANS}
        page.answer.append(f"Uneven, {settings.most} threads, mean of both networks: " + ", ".join(f"{plan} {gain:.2f}" for plan, gain in gains.items()) + ".")


def weak(settings, page):
    unit = settings.pick(50, 200, 4)
    shapes = {"2:1": (unit, 2 * unit), "1:1": (unit, unit), "1:2": (2 * unit, unit)}
    configs = {}
    for shape, (each, cycles) in shapes.items():
        for threads in settings.threads:
            program = compiled(settings, WEAK, f"weak{each}x{threads}", {"threads": threads, "each": each, "rounds": rounds(settings)})
            for plan in PLANS:
                configs[shape, plan, threads] = Config(program, threaded(plan, threads), cycles, each * threads)
    times = inTurn(settings, configs, page)
    least, rows, efficiencies = settings.threads[0], [], {}
    for shape, (each, cycles) in shapes.items():
        for plan in PLANS:
            of = [times[shape, plan, t] for t in settings.threads]
            kept = [statisticsOver(of[0], other) for other in of[1:]]
            efficiencies[shape, plan] = kept[-1] if kept else 1
            rows.append([shape, f"{each} × {cycles}", plan, *(spread(t.per("s")) for t in of), *(f"{100 * e:.0f} %" for e in kept)])
    addTable(page, "Weak scaling", ["cycles : processes", "processes a thread × cycles", "plan",
                                    *(f"{t} thread{'s' if t > 1 else ''}, s" for t in settings.threads),
                                    *(f"efficiency on {t}" for t in settings.threads[1:])], rows,
             "`examples/11_weak`: as many times the processes as threads. Efficiency is the time on "
             f"{least} thread{'s' if least > 1 else ''} by the time on more; 100 % is ideal.")
    low, high = min(efficiencies, key=efficiencies.get), max(efficiencies, key=efficiencies.get)
    page.answer.append(f"Weak scaling keeps between {100 * efficiencies[low]:.0f} % ({low[1]}, {low[0]}) and {100 * efficiencies[high]:.0f} % ({high[1]}, "
                       f"{high[0]}) on {settings.most} threads.")


def statisticsOver(a, b):
    """The ratio of the seconds, not of ns/step."""
    return over(a, b) * a.cycles * a.steps / (b.cycles * b.steps)


# ---------------------------------------------------------------- the zig-zag of remainders


def floorRule(processes, threads):
    """The longest share when every thread gets floor(p / t) and the last one the remainder, too."""
    return processes - (threads - 1) * (processes // threads)


def expectedBalance(program, threads, plan):
    """Mean by highest load, of the plan that the simulator made."""
    text = lab.called([program, "--cycles", 1, "--threads", threads, *PLANS[plan], "--report", "text", "--quiet"])
    found = re.search(r"expected ([\d.]+) %", text)
    return float(found.group(1)) / 100 if found else 1.0


def zigzag(settings, page):
    page.note = ""
    sizes, most = settings.pick((200, 2000), (200, 2000), (20,)), settings.pick(8, 32, 4)
    rows, series = [], {}
    for n in sizes:
        program = compiled(settings, HEAVY, f"zigzag{n}", {"n": n, "rounds": ROUNDS})
        settings.progress.start(f"plans for {thousands(n)} processes", most)
        for threads in range(1, most + 1):
            thesis, even = (threads * (expectedBalance(program, threads, plan) if threads > 1 else 1) for plan in ("m2 thesis", "m2 even"))
            settings.progress.step()
            rule = n / floorRule(n, threads)
            rows.append([thousands(n), threads, n // threads, floorRule(n, threads), f"{rule:.2f}", f"{thesis:.2f}", f"{even:.2f}"])
            for name, value in (("m2 thesis", thesis), ("m2 even", even)):
                series.setdefault(f"{name}, {thousands(n)}", []).append((threads, value / threads))
    addTable(page, "The zig-zag of remainders: predicted loads",
             ["processes", "threads", "⌊p/t⌋", "longest share", "⌊p/t⌋ rule: speedup at most", "plan `thesis`", "plan `even`"], rows,
             "⌊p/t⌋ processes for each thread and the remainder for the last. The last two columns are the speedups that the simulator's own plan allows "
             "(`--report text`, threads × expected balance); nothing is timed here, so more threads than processors are no obstacle.")
    page.pictures["thesis_zigzag"] = pictures.lines("What the plan allows (the axis does not start at 0)", "threads", "highest speedup / threads", series,
                                                    yrange=(None, 1.005))
    worst = max(rows, key=lambda row: float(row[6]) - float(row[5]))
    page.answer.append(f"The remainder: the plans made by ⌊p/t⌋ allow least at {worst[1]} threads for {worst[0]} processes: {worst[5]}, where an even deal "
                       f"allows {worst[6]}.")


# ---------------------------------------------------------------- order, and imbalance


def bits(n, order):
    heavyOnes = [1] * (n // 2) + [0] * (n - n // 2)
    if order == "alternating":
        heavyOnes = [1 - i % 2 for i in range(n)]
    if order == "random":
        random.Random(2017).shuffle(heavyOnes)
    return ",".join(map(str, heavyOnes))


def ordered(settings, order, ratio):
    n = settings.pick(200, 200, 20)
    with open(ORDERED) as file:
        source = file.read().replace("HEAVY", bits(n, order))
    return compiled(settings, source, f"order_{order}_{ratio}", {"n": n, "rounds": rounds(settings), "ratio": ratio}), n


def orders(settings, page):
    configs = {}
    for order in ("sequential", "alternating", "random"):
        program, n = ordered(settings, order, 4)
        configs.update({(order, plan): Config(program, threaded(plan, settings.most), settings.pick(0, 2000, 0), n) for plan in PLANS})
    times = inTurn(settings, configs, page)
    rows = [[plan, *(spread(times[order, plan].per("ns")) for order in ("sequential", "alternating", "random")),
             *(number(over(times["sequential", plan], times[order, plan])) for order in ("alternating", "random"))] for plan in PLANS]
    addTable(page, f"Order of light and heavy processes, {settings.most} threads",
             ["plan", "sequential, ns/step", "alternating", "random", "alternating: faster", "random: faster"], rows,
             "As uneven, 1 : 4, but how often a process divides is a variable, so that the compiler does not know (`designs/ring_order.sme`).")
    gain = {(plan, order): over(times["sequential", plan], times[order, plan]) for plan in PLANS for order in ("alternating", "random")}
    page.answer.append("Does another order help m2? Against sequential order, " + "; ".join(
        f"{plan} is {gain[plan, 'alternating']:.2f}× as fast alternating and {gain[plan, 'random']:.2f}× at random"
        for plan in ("m2 thesis", "m2 even", "m2 profile", "m1 gss"))
        + ".")


def imbalance(settings, page):
    ratios = settings.pick((1, 2, 4, 8, 16), (1, 2, 4, 8, 16, 32, 64), (1, 4))
    configs = {}
    for ratio in ratios:
        program, n = ordered(settings, "sequential", ratio)
        configs.update({(ratio, plan): Config(program, threaded(plan, settings.most), settings.pick(0, 2000, 0), n) for plan in PLANS})
    times = inTurn(settings, configs, page)
    rows = [[f"1 : {ratio}", *(spread(times[ratio, plan].per("ns")) for plan in PLANS),
             number(over(times[ratio, "m2 thesis"], times[ratio, "m1 ss"])), number(over(times[ratio, "m2 profile"], times[ratio, "m1 ss"]))]
             for ratio in ratios]
    addTable(page, f"Imbalance, {settings.most} threads", ["light : heavy", *(f"{plan}, ns/step" for plan in PLANS), "m1 ss against m2 thesis",
                                                           "against m2 profile"], rows,
             "The first half of the ring is heavy. The more so, the more fixed shares of equal length lose.")
    series = {plan: [(ratio, *lab.bar([a / b for a, b in zip(times[ratio, "m2 thesis"].per("ns"), times[ratio, plan].per("ns"))])) for ratio in ratios]
              for plan in PLANS}
    page.pictures["thesis_imbalance"] = pictures.lines(f"Speed against m2 thesis, {settings.most} threads", "heavy / light", "times as fast as m2 thesis", series,
                                                       logx=True)
    gains = [over(times[ratio, "m2 thesis"], times[ratio, "m1 ss"]) for ratio in ratios]
    planned = [over(times[ratio, "m2 profile"], times[ratio, "m1 ss"]) for ratio in ratios]
    wins = [f"1 : {ratio}" for ratio, gain in zip(ratios, gains) if gain > 1.05]
    growth = f"grows from {gains[0]:.2f}× at 1 : {ratios[0]} to {gains[-1]:.2f}× at 1 : {ratios[-1]}" if gains[-1] > gains[0] + 0.05 \
        else f"does not grow: {gains[0]:.2f}× at 1 : {ratios[0]}, {gains[-1]:.2f}× at 1 : {ratios[-1]}"
    page.answer.append(f"When does m1 win? Against m2 thesis it is more than 5 % faster at {lab.listed(wins) if wins else 'none of these ratios'}; its "
                       f"advantage {growth}. "
                       f"Two equal halves allow 2/(1 + light/heavy), {2 / (1 + 1 / ratios[-1]):.2f}× at the last. Against m2 profile it is {min(planned):.2f} "
                       f"to {max(planned):.2f}× as fast.")


# ---------------------------------------------------------------- branches


def mispredicted(program, plan, cycles, work):
    """(conditional branches, mispredicted, indirect, mispredicted) of a run under cachegrind."""
    out = os.path.join(work, "cachegrind.out")
    lab.called(["valgrind", "--tool=cachegrind", "--branch-sim=yes", "--cache-sim=no", f"--cachegrind-out-file={out}", program, "--cycles", cycles, "--quiet",
                "--threads", 2, "--oversubscribe", "--wait", "block", *PLANS[plan]])
    with open(out) as file:
        text = file.read()
    names = re.search(r"^events: (.*)$", text, re.M).group(1).split()
    values = dict(zip(names, map(int, re.search(r"^summary: (.*)$", text, re.M).group(1).split())))
    return [values[name] for name in ("Bc", "Bcm", "Bi", "Bim")]


def branches(settings, page):
    page.note = ""
    head = ["network", "plan", "conditional branches a step", "mispredicted a step", "indirect a step", "mispredicted a step"]
    if not shutil.which("valgrind"):
        page.parts.append(("Branch prediction", "valgrind is not installed: not measured.\n"))
        return
    n, cycles = settings.pick(2000, 20000, 100), settings.pick(20, 100, 5)
    rows = []
    networks = {"ring": (RING, {"n": n}), "uneven, 10 divisions": (UNEVEN, {"n": n, "rounds": 10})}
    for network, (source, constants) in networks.items():
        program = compiled(settings, source, f"branch_{network.split(',')[0]}", constants, options=("--march", "x86-64-v3"))
        plans = ("m1 ss", "m1 gss", "m2 thesis", "m2 even", "m3")
        settings.progress.start(f"{network} under cachegrind", len(plans))
        for plan in plans:
            short, long = (mispredicted(program, plan, count, settings.work) for count in (cycles, 3 * cycles))
            settings.progress.step()
            rows.append([network, plan, *(f"{(b - a) / (2 * cycles * n):.5f}" for a, b in zip(short, long))])
    addTable(page, "Branch prediction", head, rows,
             f"Cachegrind's model of a predictor, two threads that sleep when they wait, {thousands(n)} processes; the difference of runs of {cycles} and "
             f"{3 * cycles} cycles, so that starting does not count.")
    of = {(row[0], row[1]): [float(x) for x in row[2:]] for row in rows}
    page.answer.append("Branch prediction: " + "; ".join(
        f"in {network} m1 ss mispredicts {of[network, 'm1 ss'][1] + of[network, 'm1 ss'][3]:.4f} branches a step, m1 gss "
        f"{of[network, 'm1 gss'][1] + of[network, 'm1 gss'][3]:.4f}, "
        f"m2 thesis {of[network, 'm2 thesis'][1] + of[network, 'm2 thesis'][3]:.4f}" for network in networks)
        + ". A class is one loop, so only chunks are called, and no process is.")


def experiment(settings):
    small = settings.pick(True, True, False)
    page = Page("C++SME's benchmarks", "How do the work list (m1), fixed orchestration (m2) and work stealing (m3) do on the five benchmarks of C++SME's "
                                       "thesis, and what are the answers to the "
                "questions that it left open: the size of the list, remainders, order, imbalance, branch prediction?",
                [("sync-dominated: processes", "20,000 and 50,000" if small else "200 and 500", "20,000 and 50,000"),
                 ("its cycles", "100,000" if settings.size == "full" else f"as many as take {settings.aim:g} s", "100,000"),
                 ("compute-dominated, uneven: processes × cycles", "200 and 2,000 × as many as take that long" if settings.size != "full"
                  else "200 × 2,000 and 2,000 × 200",
                  "200 × 2,000 and 2,000 × 200"),
                 ("divisions a process and cycle", thousands(rounds(settings)), thousands(ROUNDS)),
                 ("weak: processes a thread, cycles", f"{settings.pick(50, 200, 4)} and twice that", "200 and 400"),
                 ("threads", ", ".join(map(str, settings.threads)), "`--threads`"),
                 ("compiled with", "`--no-simd`", "`--no-simd`")])
    for part in (sync, heavy, uneven, weak, zigzag, orders, imbalance, branches):
        settings.progress.name = f"thesis, {part.__name__}"
        part(settings, page)
    return page
