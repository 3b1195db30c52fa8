"""DAPHNE's schemes, queues and victims on connected components by label propagation."""
import statistics

import graph
import lab
import pictures
from lab import Config, Page, Wrong, addTable, compiled, inTurn, number, over, spread

SCHEMES = ("static", "mstatic", "ss", "gss", "tss", "fac2", "tfss", "fiss", "viss", "pls", "pss", "mfsc")
LAYOUTS = {"node": ("--queues", "node"), "group": ("--queues", "group", "--groups", "2"), "core": ("--queues", "core")}
VICTIMS = ("seq", "seqpri", "rnd", "rndpri")
EDGES, PARTS, SEED = 8, 4, 1


def network(settings):
    """(program, vertices), after comparing all labels with those that Python finds."""
    vertices, rounds = settings.pick(2000, 20000, 120), settings.pick(8, 8, 2)
    near = graph.powerLaw(vertices, EDGES, PARTS, SEED)
    program = compiled(settings, graph.asSme(near, rounds), "components")
    expected = graph.components(near)
    wanted = [word for v in range(vertices) for word in ("--print", f"v[{v}].label")]
    out = lab.called([program, "--cycles", 50, "--threads", 1, "--quiet", *wanted])
    labels = [int(line.split()[-1]) for line in out.splitlines()]
    if labels != expected:
        raise Wrong(f"label propagation: {sum(a != b for a, b in zip(labels, expected))} of {vertices} labels differ from what Python finds")
    degrees = sorted(map(len, near))
    return program, vertices, (degrees[0], degrees[vertices // 2], degrees[-1], len(set(expected)))


def configurations(settings, program, vertices, cycles):
    threads = ("--threads", str(settings.most))
    configs = {("m1", scheme): Config(program, ("--model", "m1", "--chunk", scheme, *threads), cycles, vertices) for scheme in SCHEMES}
    for scheme in SCHEMES:
        for layout, options in LAYOUTS.items():
            for victim in VICTIMS:
                configs["m3", scheme, layout, victim] = Config(program, ("--model", "m3", "--chunk", scheme, *options, "--victim", victim, *threads), cycles,
                                                               vertices)
    configs["m2 even"] = Config(program, ("--orchestrate", "even", *threads), cycles, vertices)
    configs["one thread"] = Config(program, ("--threads", "1"), cycles, vertices)
    return configs


def ranking(times):
    """Schemes by the median of all their runs under m3, the fastest first."""
    values = {scheme: statistics.median([v for key, t in times.items() if key[0] == "m3" and key[1] == scheme for v in t.per("us")]) for scheme in SCHEMES}
    return sorted(values, key=values.get), values


def workListTable(page, times, threads):
    rows = [[scheme, spread(times["m1", scheme].per("us")), number(over(times["one thread"], times["m1", scheme]))] for scheme in SCHEMES]
    rows += [[name, spread(times[name].per("us")), number(over(times["one thread"], times[name]))] for name in ("m2 even", "one thread")]
    addTable(page, f"Work list (m1), {threads} threads", ["chunks", "µs per cycle", "faster than one thread"], rows)


def stealingTable(page, times, threads):
    rows = [[scheme, layout, *(spread(times["m3", scheme, layout, victim].per("us")) for victim in VICTIMS)] for scheme in SCHEMES for layout in LAYOUTS]
    addTable(page, f"Work stealing (m3), {threads} threads: µs per cycle", ["chunks", "queues", *(f"victim {victim}" for victim in VICTIMS)], rows)


def places(order, names):
    return lab.listed(f"{name} on place {order.index(name) + 1}" for name in names)


def answers(page, times):
    order, values = ranking(times)
    told = ", ".join(f"{scheme} ({number(values[scheme])} µs)" for scheme in order)
    page.answer.append(f"Over all queues and victims the order is {told}. Of {len(order)}, {places(order, ('mfsc', 'viss', 'static', 'fiss'))}.")
    m1 = {scheme: times["m1", scheme].median() for scheme in SCHEMES}
    between, own = values[order[-1]] / values[order[0]], statistics.median(max(t.seconds) / min(t.seconds) for t in times.values())
    page.answer.append(f"From the best to the worst scheme it is {between:.2f}× under m3 and {max(m1.values()) / min(m1.values()):.2f}× under m1, where "
                       f"{lab.best(m1)} is best; the runs of one configuration differ by {own:.2f}× (median).")
    holds = ["mfsc and viss are best"] if set(order[:2]) == {"mfsc", "viss"} else []
    holds += ["static and fiss are worst"] if set(order[-2:]) == {"static", "fiss"} else []
    page.answer.append("DAPHNE found that mfsc and viss are best, and static and fiss worst. "
                       + (f"Here {lab.listed(holds)}." if holds else "Neither is so here.")
                       + (" Runs of one configuration differ by more than schemes do, so all of this order may be chance." if own > between else ""))
    layouts = {layout: statistics.median([t.median() for key, t in times.items() if len(key) == 4 and key[2] == layout]) for layout in LAYOUTS}
    victims = {victim: statistics.median([t.median() for key, t in times.items() if len(key) == 4 and key[3] == victim]) for victim in VICTIMS}
    page.answer.append("Queues, over all schemes: " + ", ".join(f"{name} {number(value)} µs" for name, value in layouts.items()) + ". Victims: "
                       + ", ".join(f"{name} {number(value)} µs" for name, value in victims.items()) + ".")


def picture(page, times, threads):
    series = {"m1": [lab.bar(times["m1", scheme].per("us")) for scheme in SCHEMES]}
    for layout in LAYOUTS:
        series[f"m3, {layout}"] = [lab.bar([v for victim in VICTIMS for v in times["m3", scheme, layout, victim].per("us")]) for scheme in SCHEMES]
    page.pictures["daphne"] = pictures.bars(f"Connected components, {threads} threads: medians, lowest and highest", "µs per cycle", SCHEMES, series,
                                       size=(980, 420))


def experiment(settings):
    program, vertices, (lowest, middle, highest, found) = network(settings)
    one = Config(program, ("--threads", "1"), 0, vertices)
    cycles = lab.calibrated(one, settings.aim)
    page = Page("DAPHNE's schemes", "DAPHNE's experiments with eleven ways to cut a list into chunks, three layouts of queues and four ways to choose a "
                                    "victim found mfsc and viss best, and "
                "static and fiss worst, for connected components. Does that hold for a network of processes?",
                [("vertices, a process each", f"{vertices:,}", "20,000"), ("multiplications a neighbour and cycle", settings.pick(8, 8, 2), 8),
                 ("cycles of a run", f"{cycles:,}", "as many as take 2 s on one thread"), ("threads", settings.most, "`--threads`"),
                 ("groups of queues", 2, 2), ("compiled with", "`--no-simd`", "`--no-simd`")])
    page.parts.append(("The network", f"A random power-law graph (preferential attachment, {EDGES} edges a vertex, seed {SEED}) of {found} components, "
                                      "written by `graph.py`. A vertex's process reads "
                       f"the labels of its neighbours, {lowest} to {highest} of them (median {middle}), and keeps the lowest; the number of ports is rounded "
                       "up, so that vertices fall into few classes. "
                       "After 50 cycles all labels were compared with the components that Python finds.\n"))
    times = inTurn(settings, configurations(settings, program, vertices, cycles), page)
    workListTable(page, times, settings.most)
    stealingTable(page, times, settings.most)
    answers(page, times)
    picture(page, times, settings.most)
    return page
