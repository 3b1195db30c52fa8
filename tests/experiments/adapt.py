"""A load that moves during the run: plans made once, plans made again, and work that is taken on demand."""
import os
import re
import statistics

import lab
import pictures
from lab import Config, Page, addTable, compiled, inTurn, number, over, spread

MOVING = os.path.join(lab.DESIGNS, "moving.sme")
PLANS = {
    "m2 even": ("--orchestrate", "even"),
    "m2 roundrobin": ("--orchestrate", "roundrobin"),
    "m2 profile": ("--orchestrate", "profile"),
    "m2 profile --adapt 50": ("--orchestrate", "profile", "--adapt", "50"),
    "m2 montecarlo --adapt 50": ("--orchestrate", "montecarlo", "--adapt", "50"),
    "m2 optimize --adapt 50": ("--orchestrate", "optimize", "--adapt", "50"),
    "m1 gss": ("--model", "m1", "--chunk", "gss"),
    "m3": ("--model", "m3"),
}
FIXED = "m2 profile"
ADAPTED = "m2 profile --adapt 50"


def plansMade(config):
    """How often one more run planned again."""
    found = re.search(r"planned again (\d+)", lab.ran(config, config.cycles)[2].get("plan", ""))
    return int(found.group(1)) if found else None


def networks(settings):
    n, phase = settings.pick(1024, 8192, 64), settings.pick(1500, 2000, 50)
    loads = {"halves": {"heavy": 96, "light": 12, "spots": 0}, "hot spots": {"heavy": 384, "light": 12, "spots": 8}}
    return {name: (compiled(settings, MOVING, f"moving{given['spots']}", {"n": n, "phase": phase, **given}), n) for name, given in loads.items()}


def measured(settings, page, name, program, n, cycles):
    configs = {plan: Config(program, (*options, "--threads", str(settings.most)), cycles, n) for plan, options in PLANS.items()}
    configs["one thread"] = Config(program, ("--threads", "1"), cycles, n)
    times = inTurn(settings, configs, page)
    rows = []
    for plan, config in configs.items():
        again = plansMade(config) if "adapt" in plan else None
        rows.append([plan, spread(times[plan].per("us")), number(over(times["one thread"], times[plan])), number(over(times["m2 even"], times[plan])),
                     lab.NOTHING if again is None else again])
    addTable(page, f"{name.capitalize()}, {settings.most} threads",
             ["plan", "µs per cycle", "faster than one thread", "faster than m2 even", "planned again, in one run"], rows)
    return times


def experiment(settings):
    phase, phases = settings.pick(1500, 2000, 50), settings.pick(4, 20, 3)
    page = Page("A load that moves", "Other processes become the heavy ones every so many cycles. What is a plan worth that was made once, by measured times; "
                                     "what does planning again "
                "during the run (`--adapt`) gain; and how do plans do that take work on demand?",
                [("processes", settings.pick("1,024", "8,192", "64"), "8,192"), ("cycles of a phase", f"{phase:,}", "2,000"), ("phases", phases, 20),
                 ("halves: loop rounds heavy, light", "96, 12", "96, 12"), ("hot spots: every 8th block of 16; rounds", "384, 12", "384, 12"),
                 ("threads", settings.most, "`--threads`"), ("compiled with", "`--no-simd`", "`--no-simd`")])
    page.parts.append(("The network", "`designs/moving.sme`. *Halves*: one half of a ring is heavy, then the other. *Hot spots*: a random eighth of the "
                                      "blocks is heavy, another one in each phase.\n"))
    series = {}
    for name, (program, n) in networks(settings).items():
        times = measured(settings, page, name, program, n, phase * phases)
        base = times["m2 even"]
        series[name] = {plan: [a / b for a, b in zip(base.per("us"), t.per("us"))] for plan, t in times.items()}
        gain, on = over(times[FIXED], times[ADAPTED]), min(("m1 gss", "m3"), key=lambda plan: times[plan].median())
        bestPlan = lab.best({plan: t.median() for plan, t in times.items()})
        page.answer.append(f"{name.capitalize()}: planning again makes m2 profile {gain:.2f}× as fast as planning once, and {over(base, times[ADAPTED]):.2f}× "
                           "as fast as m2 even; "
                           f"{on}, the better of those that take work on demand, is {over(base, times[on]):.2f}× as fast as m2 even. The best median has "
                           f"{bestPlan}.")
    scattered = {plan: statistics.median(series["halves"][plan]) for plan in (FIXED, "m2 roundrobin")}
    page.answer.append("Plans that are not made again need not lose: one that deals pieces in turn, or longest first, gives each thread parts of both halves. "
                       "In *halves* "
                       + " and ".join(f"{plan}, planned once, is {value:.2f}×" for plan, value in scattered.items()) + " as fast as m2 even, which gives each "
                       "thread one stretch.")
    plans = list(PLANS)
    page.pictures["adapt"] = pictures.bars(f"Speed against m2 even, {settings.most} threads", "times as fast as m2 even", plans,
                                           {name: [lab.bar(of[plan]) for plan in plans] for name, of in series.items()},
                                           {f"{name}, one thread": (name, statistics.median(of["one thread"])) for name, of in series.items()})
    return page
