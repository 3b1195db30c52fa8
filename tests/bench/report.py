"""The results as Markdown and JSON."""
import json
import os
import statistics

from contenders import CXX, toolVersion, verilator
from measure import Results

NOTHING = "–"


def number(value):
    """Three significant digits, without an exponent."""
    if value is None:
        return NOTHING
    if value >= 100:
        return f"{value:,.0f}"
    digits = 2
    while digits < 6 and value < 10 ** (1 - digits):
        digits += 1
    return f"{value:.{digits if value < 10 else 1}f}"


def table(head, rows):
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    return "\n".join(lines + [f"| {' | '.join(cells)} |" for cells in rows]) + "\n"


def spread(found):
    if not found:
        return NOTHING
    return f"{number(found.median)} ({number(min(found.nsPerStep))} … {number(max(found.nsPerStep))})"


def conditions(repeat):
    tools = [toolVersion(CXX, "--version")]
    for command in ((verilator(), "--version"), ("yosys", "-V")):
        try:
            tools.append(toolVersion(*command))
        except FileNotFoundError:
            tools.append(f"no {command[0]}")
    return (f"{os.cpu_count()} processors; {'; '.join(tools)}. Medians of {repeat} runs, which were made in turn with those of the others. ns/step is "
            "time / (cycles × processes), of the cycles alone. A ratio is the median of the ratios of runs that stood beside each other.\n")


# ---------------------------------------------------------------- tables


def oneThread(results):
    rows = []
    for name, result in results.rows.items():
        ours = results.measured(name, "ours-m2-1")
        if not ours or "ours-vcd" in result.measured:
            continue
        mean = lambda contender: number(results.median(name, contender))
        over = lambda a, b: number(results.ratio(name, a, name, b))
        rows.append([name, number(result.estimate), mean("limit"), spread(ours), over("ours-m2-1", "limit"),
                     number(ours.median / result.estimate), mean("verilator"), over("ours-m2-1", "verilator"), mean("cxxrtl"),
                     f"{mean('cppsme-m2-1')} / {mean('cppsme-m1-1')}", over("cppsme-m2-1", "ours-m2-1")])
    return table(["network", "estimate", "limit", "ours, m2 (min … max)", "ours / limit", "ours / estimate", "Verilator",
                  "ours / Verilator", "CXXRTL", "C++SME style, m2 / m1", "C++SME m2 / ours"], rows)


def threads(results):
    rows = []
    for name in results.rows:
        if not results.measured(name, "ours-m2-2"):
            continue
        mean = lambda contender: number(results.median(name, contender))
        gain = lambda family, model: number(results.ratio(name, f"{family}-{model}-1", name, f"{family}-{model}-2"))
        rows.append([name, mean("ours-m2-1"), mean("ours-m2-2"), gain("ours", "m2"), mean("ours-profile-2"), mean("ours-m3-2"),
                     mean("ours-m1-1"), mean("ours-m1-2"), gain("ours", "m1"), mean("ours-auto"),
                     number(results.ratio(name, "ours-m2-1", name, "ours-auto")), gain("cppsme", "m2"), gain("cppsme", "m1")])
    return table(["network", "m2, 1", "m2, 2", "faster", "m2 profile, 2", "m3, 2", "m1, 1", "m1, 2", "faster", "auto", "against m2, 1",
                  "C++SME style m2: faster", "m1: faster"], rows)


def traced(results):
    rows = []
    for name, result in results.rows.items():
        for contender, measured in result.measured.items():
            if "ours-vcd" not in result.measured or not measured.nsPerStep:
                continue
            plain = "verilator" if contender.startswith("verilator") else "ours-m2-1"
            cpu = statistics.median(measured.cpuNsPerStep)
            rows.append([name, contender, spread(measured), number(cpu), number(results.ratio(name, contender, name, plain)),
                         number(measured.traceBytes) if measured.traceBytes else NOTHING])
    return rows and table(["network", "contender", "ns/step (min … max)", "CPU ns/step, with the start", "to not traced", "bytes/step"], rows)


def costText(cost, parts):
    if not cost:
        return NOTHING
    times = f"{number(cost.translateSeconds)} + {number(cost.compileSeconds)}" if parts else number(cost.compileSeconds)
    return f"{times} ({number(cost.peakMiB)})"


def compileCosts(results):
    rows = []
    for name, result in results.rows.items():
        costs = result.costs
        if costs:
            theirs = results.cost(name, "verilator", "cpuSeconds")
            ours = results.cost(name, "ours", "cpuSeconds")
            rows.append([name, costText(costs.get("ours"), False), costText(costs.get("verilator"), True),
                         number(ours and theirs and ours / theirs), costText(costs.get("cxxrtl"), True),
                         costText(costs.get("limit"), False)])
    return table(["network", "ours", "Verilator, translate + compile", "ours / Verilator", "CXXRTL, translate + compile", "limit"], rows)


def verdicts(results):
    """(row, target, value or None, reached) of all targets."""
    for name, result in results.rows.items():
        for target in result.row.targets:
            value = target.value(results, name)
            reached = value is not None and (value <= target.bound if target.atMost else value >= target.bound)
            yield name, target, value, reached


def targets(results):
    rows = [[name, target.text + (" (later)" if target.later else ""), number(value),
             "not measured" if value is None else "reached" if reached else "**missed**"] for name, target, value, reached in verdicts(results)]
    return rows and table(["network", "target", "measured", ""], rows)


def left(results):
    """Who has no figures, and why; contenders of one reason together."""
    reasons = {}
    for name, result in results.rows.items():
        for contender, measured in result.measured.items():
            if measured.note:
                family = contender.split("-")[0]
                reasons.setdefault(f"{family}: {measured.note}", {})[name] = None
    return "".join(f"* {reason}: {', '.join(names)}\n" for reason, names in reasons.items())


def wrong(results):
    return "".join(f"* {name}: {text.splitlines()[0]}\n" for name, result in results.rows.items() for text in result.wrong)


def section(title, text):
    return f"\n## {title}\n\n{text}" if text else ""


def markdown(results, repeat):
    return ("# Benchmarks\n\n" + conditions(repeat)
            + section("Wrong", wrong(results))
            + section("One thread, ns/step", oneThread(results))
            + section("Threads, ns/step", threads(results))
            + section("Tracing, ns/step", traced(results))
            + section("Translate and compile, CPU seconds (MiB of the largest process)", compileCosts(results))
            + section("Targets", targets(results))
            + section("Left out, or not finished", left(results)))


def checkedMarkdown(results):
    """Quick mode: who agreed with whom."""
    rows = []
    for name, result in results.rows.items():
        agreed = [contender for contender, measured in result.measured.items() if not measured.note]
        rows.append([name, ", ".join(agreed), "**differ**" if result.wrong else "agree"])
    return table(["network", "contenders", "results"], rows) + section("Wrong", wrong(results)) + section("Left out", left(results))


# ---------------------------------------------------------------- JSON


def measuredJson(measured):
    if not measured.nsPerStep:
        return {"note": measured.note or "not timed"}
    return {"cycles": measured.cycles, "nsPerStep": {"median": statistics.median(measured.nsPerStep), "runs": measured.nsPerStep},
            "cpuNsPerStep": statistics.median(measured.cpuNsPerStep), "traceBytesPerStep": measured.traceBytes}


def rowJson(results, name):
    result = results.rows[name]
    return {"name": name, "design": result.row.design.name, "parameters": result.row.parameters, "processes": result.row.steps,
            "estimateNsPerStep": result.estimate, "contenders": {c: measuredJson(m) for c, m in result.measured.items()},
            "build": {kind: vars(cost) for kind, cost in result.costs.items()}, "wrong": result.wrong,
            "targets": [{"text": target.text, "value": value, "bound": target.bound, "reached": reached}
                        for row, target, value, reached in verdicts(results) if row == name]}


def asJson(results: Results):
    return json.dumps({"rows": [rowJson(results, name) for name in results.rows]}, indent=1) + "\n"
