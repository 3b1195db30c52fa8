"""MLTP's applications with more threads than processors: pi, matrix multiply, an ocean."""
import math
import os

import lab
import pictures
from lab import Config, Page, Wrong, addTable, compiled, inTurn, number, over, spread

MODES = ("spin", "yield", "block", "adaptive")
DEALS = {"fixed (m2)": ("--model", "m2"), "dynamic (m1)": ("--model", "m1"), "dynamic (m3)": ("--model", "m3")}
PHASES = 10  # barriers of an ocean's iteration


def design(name):
    return os.path.join(lab.DESIGNS, name + ".sme")


def shown(program, cycles, *paths):
    """Values at the end of a run on one thread, as texts."""
    wanted = [word for path in paths for word in ("--print", path)]
    out = lab.called([program, "--cycles", cycles, "--threads", 1, "--quiet", *wanted])
    return [line.partition(": ")[2] for line in out.splitlines()]


def refuse(name, found, expected):
    if found != expected:
        raise Wrong(f"{name}: the simulator has {found}, Python {expected}")


# ---------------------------------------------------------------- the applications: (program, processes, cycles of the whole computation)


def pi(settings):
    n, each, slices = settings.pick(64, 64, 8), settings.pick(1000, 1000, 50), settings.pick(10000000, 10000000, 4000)
    slices -= slices % n
    program = compiled(settings, design("pi"), "pi", {"n": n, "each": each, "slices": slices})
    cycles = -(-slices // (n * each)) + n + 3
    value, isDone = shown(program, cycles, "result.pi", "result.isDone")
    if isDone != "true" or abs(float(value) - math.pi) > 1e-6:
        raise Wrong(f"pi is {value} (done: {isDone}), not {math.pi}")
    return program, n, cycles


def checksumOfProduct(r, triangle):
    """What the last process of matmul.sme shows."""
    columns = [[(k * 11 + j * 5 + 3) % 103 for k in range(r)] for j in range(r)]
    total = 0
    for i in range(r):
        length = i + 1 if triangle else r
        line = [(i * 7 + k * 13 + 1) % 101 for k in range(length)]
        own = 0
        for column in columns:
            own = (own * 31 + sum(a * b for a, b in zip(line, column))) % 2**32
        total = (total * 17 + own) % 2**32
    return total


def matmul(settings, triangle):
    r, products = settings.pick((64, 200), (256, 10), (12, 2))
    program = compiled(settings, design("matmul"), f"matmul{triangle}", {"r": r, "triangle": triangle, "products": products})
    refuse("matmul", int(shown(program, products * r + r + 2, f"chain[{r}].sum")[0]), checksumOfProduct(r, triangle))
    return program, r, products * r


def relaxed(s, iterations):
    """The points of ocean.sme after so many iterations. The border shows its value from the second phase on."""
    rows = [[0.0] * s for _ in range(s)]
    for _ in range(iterations):
        for phase in range(8):
            for i in range(1, s - 1):
                for j in range(1, s - 1):
                    if (j + (i + phase) % 2) % 2 == 0:
                        rows[i][j] = 0.25 * (rows[i - 1][j] + rows[i + 1][j] + rows[i][j - 1] + rows[i][j + 1])
            rows[0] = [100.0] * s
    return rows


def ocean(settings):
    s, checked = settings.pick(66, 258, 10), 3
    program = compiled(settings, design("ocean"), "ocean", {"s": s})
    found = [list(map(float, text.strip("[]").split(","))) for text in shown(program, checked * PHASES, *(f"line[{i}].point" for i in range(1, s - 1)))]
    refuse("ocean", found, relaxed(s, checked)[1:s - 1])
    return program, s, settings.pick(400, 400, 2) * PHASES


# ---------------------------------------------------------------- the experiment


def spinCycles(settings):
    """A cycle of more spinning threads than processors takes as long as the system lets a thread run, so a few must do."""
    return settings.pick(10, 100, 2)


def forms():
    """How 8 threads wait -> options. Where no more run than there are processors spinning is no question."""
    return {mode + (", --oversubscribe" if more else ""): ("--wait", mode, *more) for mode in MODES for more in ((), ("--oversubscribe",))
            if more or mode != "spin"}


def configurations(settings, applications):
    few = len(os.sched_getaffinity(0))
    found = {}
    for name, (program, steps, cycles) in applications.items():
        for deal, options in DEALS.items():
            found[name, deal, "one thread"] = Config(program, (*options, "--threads", "1"), cycles, steps)
            found[name, deal, "as many"] = Config(program, (*options, "--threads", str(few)), cycles, steps)
            for form, more in forms().items():
                length = spinCycles(settings) if "spin" in form else cycles
                found[name, deal, form] = Config(program, (*options, "--threads", str(4 * few), *more), length, steps, isCrowded="--oversubscribe" in more)
    return few, found


def experiment(settings):
    applications = {"pi": pi(settings), "matrix multiply": matmul(settings, 0), "triangle × matrix": matmul(settings, 1), "ocean": ocean(settings)}
    few, configs = configurations(settings, applications)
    page = Page("MLTP's applications", "MLTP ran π, a matrix multiply and an ocean on user-level threads, and lost a factor of many where virtual processors "
                                       "spun while there were more of them than "
                "processors. What do these cost here, with fixed and with dynamic distribution, and with more threads than processors?",
                [("π: slices, processes", f"{settings.pick(10000000, 10000000, 4000):,}, {settings.pick(64, 64, 8)}", "10,000,000, 64"),
                 ("matrices", "{0} × {0}, {1} products".format(*settings.pick((64, 200), (256, 10), (12, 2))), "256 × 256, 10 products"),
                 ("ocean", "{0} × {0}, {1} iterations".format(settings.pick(66, 258, 10), settings.pick(400, 400, 2)),
                                                                                              "258 × 258, 400 iterations"),
                 ("phases (barriers) an iteration of the ocean", PHASES, PHASES), ("threads", f"1, {few} and {4 * few}", "the same"),
                 ("compiled with", "`--no-simd`", "`--no-simd`")])
    page.parts.append(("The networks", "`designs/pi.sme`: processes sum their slices and pass the sum on. `designs/matmul.sme`: a process has a row, and "
                                       "computes an element a cycle; with a "
                       "triangle as first matrix rows differ in work. `designs/ocean.sme`: a process has a row of points; a cycle is a phase. π was compared "
                       "with π, the products' checksum and all "
                       "points of the ocean after three iterations with what Python computes. Times are of the whole computation.\n"))
    times = inTurn(settings, configs, page)
    distribution(page, times, applications, few)
    crowd(settings, page, times, applications, few)
    answers(page, times, applications, few)
    return page


def distribution(page, times, applications, few):
    rows = [[name, deal, spread(times[name, deal, "one thread"].per("us")), spread(times[name, deal, "as many"].per("us")),
             number(over(times[name, deal, "one thread"], times[name, deal, "as many"]))] for name in applications for deal in DEALS]
    addTable(page, "Fixed and dynamic distribution: µs per cycle", ["application", "distribution", "1 thread", f"{few} threads", "faster"], rows)


def crowd(settings, page, times, applications, few):
    rows = [[name, form, *(f"{spread(times[name, deal, form].per('us'))}, {number(over(times[name, deal, form], times[name, deal, 'as many']))}×"
                           for deal in DEALS)]
            for name in applications for form in forms()]
    addTable(page, f"{4 * few} threads on {few} processors: µs per cycle, and against {few} threads", ["application", "--wait", *DEALS], rows,
             "Without `--oversubscribe` the plan is for all threads, but as many run as there are processors. `--wait spin` "
             f"is timed for its first {spinCycles(settings)} cycles alone.")
    page.pictures["mltp"] = pictures.dots(f"{4 * few} threads on {few} processors, m2", f"time, times that of {few} threads", applications, {"m2": {
        form: [lab.bar([a / b for a, b in zip(times[name, "fixed (m2)", form].per("us"), times[name, "fixed (m2)", "as many"].per("us"))])
               for name in applications]
        for form in forms()}}, [(form, form + ", --oversubscribe") for form in forms() if form + ", --oversubscribe" in forms()],
        (1, f"as {few} threads"))


def answers(page, times, applications, few):
    gains = {name: {deal: over(times[name, deal, "one thread"], times[name, deal, "as many"]) for deal in DEALS} for name in applications}
    told = "; ".join(f"{name} " + ", ".join(f"{deal} {gain:.2f}" for deal, gain in of.items()) for name, of in gains.items())
    page.answer.append(f"{few} threads against one: {told}.")
    worst = {form: max(over(times[name, deal, form], times[name, deal, "as many"]) for name in applications for deal in DEALS) for form in forms()}
    told = ", ".join(f"{number(value)}× with {form}" for form, value in worst.items())
    page.answer.append(f"What {4 * few} threads take against {few}, the worst application and distribution: {told}.")
    page.answer.append("What a switch between processes costs, beside `swapcontext` and a second thread, is measured by `tests/bench/figures.py switch`; see "
                       "docs/benchmarks.md.")
