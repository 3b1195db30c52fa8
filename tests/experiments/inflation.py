"""Work inflation: factored speedups of processes that walk through arrays, from those that fit the first-level cache to those that fit none."""
import glob
import json
import os
import statistics

import lab
import pictures
from lab import Config, Page, addTable, agree, compiled, number

MEMORY = os.path.join(lab.ROOT, "tests", "bench", "designs", "memory.sme")
MODELS = ("m1", "m2", "m3")
LOAD, GAP = 20, 17  # operations an access; words between accesses: a new cache line each time
SWEEPS = 2  # how often a run visits each line, at least
CURVES = {"linear": "linear", "elision": "elision", "maximal": "maximal", "idleSpecific": "idle-specific", "inflationSpecific": "inflation-specific",
          "actual": "actual"}


def sizes(settings):
    """Words of an array."""
    return settings.pick((4, 16, 64, 256, 1024, 4096, 32768), tuple(2**k for k in range(2, 17)), (4, 256))


def processes(settings):
    return settings.pick(1024, 1024, 64)


def cyclesFor(settings, words):
    return max(settings.pick(1500, 20000, 20), SWEEPS * words // GAP)


def footprint(settings, words):
    """KiB of all arrays."""
    return processes(settings) * words * 4 / 1024


def sizeText(kib):
    return f"{kib / 1024:g} MiB" if kib >= 1024 else f"{kib:g} KiB"


def caches():
    """The caches of the first processor, as a text."""
    found = []
    for folder in sorted(glob.glob("/sys/devices/system/cpu/cpu0/cache/index*")):
        level, kind, size = (open(os.path.join(folder, name)).read().strip() for name in ("level", "type", "size"))
        if kind != "Instruction":
            found.append(f"level {level} {sizeText(int(size.rstrip('K')))}")
    return ", ".join(found) or "not told by the system"


def factored(config):
    """One measurement by the simulator itself."""
    out = lab.called([config.program, "--cycles", config.cycles, "--checksum", "--quiet", "--report", "json,factored:1", *config.options])
    return json.loads(out.partition("\n")[2])["factored"]


FORMS = ("sequential", "elided", "one", "parallel", "idle")


def merged(found):
    """Several measurements as one: ratios of means, as the simulator makes them from several runs."""
    threads = found[0]["threads"]
    spreads = {form: {"mean": statistics.mean(times[form]["mean"] for times in found), "min": min(times[form]["mean"] for times in found),
                      "max": max(times[form]["mean"] for times in found)} for form in FORMS}
    sequential, elided, one, parallel, idle = (spreads[form]["mean"] for form in FORMS)
    ideal = threads * sequential
    curves = {"linear": threads, "elision": ideal / elided, "maximal": ideal / one, "idleSpecific": ideal / (one + idle),
              "inflationSpecific": ideal / (threads * parallel - idle), "actual": sequential / parallel}
    single = {curve: [times["speedup"][curve] for times in found if times["speedup"][curve] is not None] for curve in curves}
    return {**spreads, "threads": threads, "cycles": found[0]["cycles"], "inflation": threads * parallel - idle - one, "speedup": curves,
            "spread": {curve: [min(values, default=curves[curve]), max(values, default=curves[curve])] for curve, values in single.items()}}


def measured(settings, page):
    """(words, model, threads) -> the factored times"""
    configs = {}
    for words in sizes(settings):
        program = compiled(settings, MEMORY, f"memory{words}", {"n": processes(settings), "m": words, "work": LOAD, "gap": GAP})
        own = {(words, model, threads): Config(program, ("--model", model, "--threads", str(threads)), cyclesFor(settings, words), processes(settings))
               for model in MODELS for threads in settings.threads}
        page.checked += agree(own, 0, settings.progress)
        configs.update(own)
    found, patience = {key: [] for key in configs}, lab.Patience(settings.patience)
    settings.progress.start("measured speedups", settings.repeat * len(configs))
    for _ in range(settings.repeat):
        for key, config in configs.items():
            found[key].append(lab.undisturbed(patience, page, lambda: factored(config)))
            settings.progress.step()
    page.runs.append({lab.nameOf(key): times for key, times in found.items()})
    return {key: merged(times) for key, times in found.items()}


def shareOfInflation(times):
    return times["inflation"] / (times["threads"] * times["parallel"]["mean"])


def row(settings, key, times):
    words, model, threads = key
    step = 1e9 / (times["cycles"] * processes(settings))
    mean = lambda name: f"{number(times[name]['mean'] * step)} ({number(times[name]['min'] * step)} … {number(times[name]['max'] * step)})"
    return [sizeText(footprint(settings, words)), model, threads, mean("sequential"), mean("parallel"),
            *(f"{times['speedup'][curve]:.2f}" for curve in list(CURVES)[1:]),
            f"{100 * shareOfInflation(times):.0f} %"]


def draw(settings, page, found):
    tics = {footprint(settings, words): sizeText(footprint(settings, words)) for words in sizes(settings)}
    for model in MODELS:
        of = {words: found[words, model, settings.most] for words in sizes(settings)}
        series = {label: [(footprint(settings, words), times["speedup"][curve], *([] if curve == "linear" else times["spread"][curve]))
                          for words, times in of.items()] for curve, label in CURVES.items()}
        page.pictures[f"inflation_{model}"] = pictures.lines(f"Factored speedups of {model}, {settings.most} threads", "all arrays together", "speedup", series,
                                                             tics, logx=True)


def answers(settings, page, found):
    small, large, most = sizes(settings)[0], sizes(settings)[-1], settings.most
    for model in MODELS:
        shares = {words: shareOfInflation(found[words, model, most]) for words in sizes(settings)}
        top = max(shares, key=shares.get)
        page.answer.append(f"{model}, {most} threads: work inflation takes {100 * shares[small]:.0f} % of all processor time at "
                           f"{sizeText(footprint(settings, small))} and "
                           f"{100 * shares[large]:.0f} % at {sizeText(footprint(settings, large))}; it is highest, {100 * shares[top]:.0f} %, at "
                           f"{sizeText(footprint(settings, top))}. "
                           f"The actual speedup goes from {found[small, model, most]['speedup']['actual']:.2f} to "
                           f"{found[large, model, most]['speedup']['actual']:.2f}.")
    of = {words: found[words, "m2", settings.threads[0]] for words in sizes(settings)}
    sequential = {words: times["sequential"]["mean"] * 1e9 / (times["cycles"] * processes(settings)) for words, times in of.items()}
    page.answer.append(f"One step takes {number(sequential[small])} ns on one thread when all arrays together have {sizeText(footprint(settings, small))}, "
                       f"and {number(sequential[large])} ns at "
                       f"{sizeText(footprint(settings, large))}.")
    lost = {"scheduling": lambda t: t["one"]["mean"] - t["sequential"]["mean"], "idle threads": lambda t: t["idle"]["mean"],
            "inflation": lambda t: t["inflation"]}
    if most > 1:
        costs = {key: {name: cost(times) for name, cost in lost.items()} for key, times in found.items() if key[2] == most}
        counts = {name: sum(max(cost, key=cost.get) == name for cost in costs.values()) for name in lost}
        page.answer.append(f"What costs most on {most} threads: " + ", ".join(f"{name} in {count}" for name, count in counts.items()) + f" of {len(costs)} "
                           "cases.")


def experiment(settings):
    page = Page("Work inflation", "Acar, Charguéraud and Rainey split a speedup into factors: what scheduling costs, what idle threads cost, and how much "
                                  "longer the same work takes because "
                "others work, too (work inflation). How do these grow with the size of the arrays that processes use?",
                [("processes", f"{processes(settings):,}", "1,024"),
                 ("M, words of each array", ", ".join(f"{words:,}" for words in sizes(settings)), "4 to 65,536, powers of two"),
                 ("L, multiplications an access", LOAD, LOAD), ("G, words between accesses", GAP, GAP),
                 ("cycles", f"{cyclesFor(settings, 4):,}, more where each line would be visited less than {SWEEPS} times", "20,000 at least"),
                 ("runs of each form", settings.repeat, "`--repeat`"), ("threads", ", ".join(map(str, settings.threads)), "`--threads`"),
                 ("compiled with", "`--no-simd`", "`--no-simd`")])
    page.parts.append(("The network", f"`tests/bench/designs/memory.sme`: each process changes one word of its array a cycle. The caches: {caches()}. The "
                                      "simulator measures by itself: "
                       "`--report json,factored:1`.\n"))
    page.method = (f"The simulator runs the forms that a speedup is made of one after the other; this was done {settings.repeat} times, with all rows of the "
                   "table in turn. "
                   "Figures are means, with the lowest and the highest in brackets, and ratios of means.")
    found = measured(settings, page)
    addTable(page, "Factored speedups", ["all arrays", "model", "threads", "T_s, ns/step", "T_P, ns/step", *list(CURVES.values())[1:], "inflation of P·T_P"],
             [row(settings, key, times) for key, times in found.items()],
             "Against T_s, the sequential plan. Each column from elision to actual gives up one more ideal: halo and chunk work, the scheduler, idle threads, "
             "inflation.")
    answers(settings, page, found)
    draw(settings, page, found)
    return page
