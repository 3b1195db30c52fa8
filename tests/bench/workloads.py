"""The workloads of the suite as data: designs, the rows that measure them, and what is to be reached.

A design NAME is designs/NAME.sme, .cpp (the hand-written limit) and .v; README.md tells what such files look like. Its parameters are
constants of the top network in .sme, and macros and parameters of the same name in capital letters in C++ and Verilog.

Contenders are named FAMILY-MODEL-THREADS: ours-m2-1 is our simulator under --model m2 --threads 1; limit, verilator and cxxrtl have one
form each, and cppsme (baseline/) has m1 and m2.
"""
import os
from dataclasses import dataclass, field
from typing import Callable

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
DESIGNS = os.path.join(HERE, "designs")
OURS = ("ours-m2-1", "ours-m2-2", "ours-profile-2", "ours-m1-1", "ours-m1-2", "ours-m3-2", "ours-auto")
PEERS = ("limit", "verilator", "cxxrtl")
CPPSME = ("cppsme-m2-1", "cppsme-m2-2", "cppsme-m1-1", "cppsme-m1-2")
TRACES = ("vcd", "vcd-null", "fst", "fst-null", "csv", "csv-null", "filter")  # "filter": one instance, in VCD
TRACED = ("ours-m2-1", *(f"ours-{form}" for form in TRACES), "verilator", "verilator-vcd", "verilator-fst")
SINGLE = OURS + CPPSME + TRACED[1:]
FAMILIES = ("ours", "limit", "verilator", "cxxrtl", "cppsme")


@dataclass(frozen=True)
class Estimate:
    """What one step asks of a machine: bytes loaded and stored, and operations of a kind of which probe.cpp measures the rate. No bound:
    ours hold state in registers, compute several processes at once in lanes narrower than u32, and fold operations.

    Counted are the fields and variables that the process reads and writes, each once, and the operators of its body. Not counted:
    indices, loop counters, and what a machine that holds state in registers over several cycles would not load again.
    """
    bytes: float
    operations: float
    kind: str  # vector (u32 operations in vectors), scalar, divide (doubles, one after the other)
    footprint: float  # bytes touched in a cycle by all processes


@dataclass(frozen=True)
class Design:
    name: str
    processes: Callable  # parameters -> steps a cycle
    prints: Callable  # parameters -> paths of the result fields in .sme, in the order of the results of the other programs
    estimate: Callable  # parameters, processes -> Estimate
    contenders: tuple = OURS + PEERS
    sme: str = ""  # where it is not designs/NAME.sme
    baseline: dict = field(default_factory=dict)  # macros of baseline/ring.cpp
    oneInstance: Callable = None  # parameters -> a filter for the names of one instance


@dataclass(frozen=True)
class Target:
    text: str
    value: Callable  # of the results: a number, or None where something was not measured
    bound: float
    atMost: bool
    later: bool = False  # the second of two targets


@dataclass(frozen=True)
class Row:
    name: str
    design: Design
    parameters: dict
    targets: tuple = ()
    skipped: dict = field(default_factory=dict)  # family -> why a full run leaves it out; --all runs it all the same
    contenders: tuple = ()  # instead of the design's
    checkCycles: int = 100

    @property
    def steps(self):
        return self.design.processes(self.parameters)

    @property
    def estimate(self):
        return self.design.estimate(self.parameters, self.steps)


def sourceOf(design, suffix):
    return os.path.join(ROOT, design.sme) if suffix == "sme" and design.sme else os.path.join(DESIGNS, f"{design.name}.{suffix}")


# ---------------------------------------------------------------- targets


def ratio(over, under, atMost=None, atLeast=None, text="", later=False, overRow=None, underRow=None):
    """Time of one contender over that of another, of this row or a named one."""
    bound, sign = (atMost, "≤") if atLeast is None else (atLeast, "≥")
    return Target(f"{text} {sign} {bound:g}×", lambda results, row: results.ratio(overRow or row, over, underRow or row, under), bound,
                  atLeast is None, later)


def toLimit(bound, **more):
    return ratio("ours-m2-1", "limit", atMost=bound, text="to the hand-written limit", **more)


def toVerilator(bound, **more):
    return ratio("ours-m2-1", "verilator", atMost=bound, text="to Verilator", **more)


def fasterThanVerilator(bound, **more):
    return ratio("verilator", "ours-m2-1", atLeast=bound, text="faster than Verilator", **more)


def twoThreads(bound, contender="ours-m2-2", text="faster on 2 threads", **more):
    return ratio("ours-m2-1", contender, atLeast=bound, text=text, **more)


def nsPerStep(bound, contender="ours-m2-1", later=False, text="ns/step"):
    return Target(f"{text} ≤ {bound:g}", lambda results, row: results.median(row, contender), bound, True, later)


def compileSeconds(bound, later=False):
    return Target(f"translate + compile ≤ {bound:g} CPU s", lambda results, row: results.cost(row, "ours", "cpuSeconds"), bound, True, later)


def compileOf(smaller, bound):
    """What compiling takes beside a smaller network of the same classes."""

    def value(results, row):
        here, there = results.cost(row, "ours", "cpuSeconds"), results.cost(smaller, "ours", "cpuSeconds")
        return here / there if here and there else None

    return Target(f"translate + compile to {smaller} ≤ {bound:g}×", value, bound, True)


def compileMemory(bound):
    return Target(f"largest compiler process ≤ {bound:g} MiB", lambda results, row: results.cost(row, "ours", "peakMiB"), bound, True)


def nsPerChange(contender, bound):
    """Where all change: a field and a variable in each step."""

    def value(results, row):
        traced, plain = results.median(row, contender), results.median(row, "ours-m2-1")
        return None if traced is None or plain is None else (traced - plain) / 2

    return Target(f"ns per change, {contender} ≤ {bound:g}", value, bound, True)


def traceCost(contender, bound):
    return ratio(contender, "ours-m2-1", atMost=bound, text=f"{contender} to not traced")


def traceSize(smaller, larger, bound):
    def value(results, row):
        a, b = results.measured(row, smaller), results.measured(row, larger)
        return b.traceBytes / a.traceBytes if a and b else None

    return Target(f"{smaller} is shorter than {larger} ≥ {bound:g}×", value, bound, False)


AUTO = ratio("ours-m2-1", "ours-auto", atLeast=0.95, text="--threads auto against 1 thread")


def sleepingStep(awakeRow, awakeShare, bound):
    """ns of a step that sleeps: what the row takes beyond its share of steps that work."""

    def value(results, row):
        all_, awake = results.median(row, "ours-m2-1"), results.median(awakeRow, "ours-m2-1")
        return None if all_ is None or awake is None else (all_ - awakeShare * awake) / (1 - awakeShare)

    return Target(f"ns per sleeping step ≤ {bound:g}", value, bound, True)


# ---------------------------------------------------------------- designs

# A step of a ring loads and stores a u32.
RING = Design("ring", lambda p: p["n"], lambda p: ["seed.v", "link[49].v", f"link[{p['n'] - 2}].v"],
              lambda p, n: Estimate(8, 1, "vector", 8 * n), OURS + PEERS + CPPSME, "examples/08_ring/ring.sme")


def heavyPrints(n):
    return ["seed.v", "link[49].v", f"link[{n - 2}].v", f"link[{n // 2 - 1}].rest"]


# A u32 loaded and stored, a double stored; divisions one after the other, as the body has them. A machine that does several processes
# at once does better than this.
HEAVY = Design("ring_heavy", lambda p: p["n"], lambda p: heavyPrints(p["n"]),
               lambda p, n: Estimate(16, p["rounds"], "divide", 16 * n), OURS + ("limit",) + CPPSME,
               "examples/09_ring_heavy/ring_heavy.sme", {"UNEVEN": 0})
UNEVEN = Design("ring_uneven", lambda p: p["n"], lambda p: heavyPrints(p["n"]),
                lambda p, n: Estimate(16, 0.625 * p["rounds"], "divide", 16 * n), OURS + ("limit",) + CPPSME,
                "examples/10_ring_uneven/ring_uneven.sme", {"UNEVEN": 1})
WEAK = Design("weak", lambda p: p["threads"] * p["each"], lambda p: heavyPrints(p["threads"] * p["each"]),
              lambda p, n: Estimate(16, p["rounds"], "divide", 16 * n), OURS + ("limit",) + CPPSME, "examples/11_weak/weak.sme",
              {"UNEVEN": 0})

# Two inputs and a variable loaded, a variable and an output stored; ten operations, and the ^ of the output.
HETERO = Design("hetero", lambda p: p["n"], lambda p: [f"w[{i}].v" for i in (0, p["n"] // 3, p["n"] // 2, p["n"] - 1)],
                lambda p, n: Estimate(20, 11, "scalar", 12 * n), oneInstance=lambda p: f"q{p['n'] // 2}.*")


def meshPrints(p):
    n = p["n"]
    return [f"p[{r}][{c}].o.v" for r, c in ((0, 0), (n // 2, n // 2 + 1), (n - 1, n - 1), (3, n // 3))]


# Four neighbours are loaded, though from rows that were loaded for others before: one load from afar and one store; four operations.
MESH = Design("mesh", lambda p: p["n"] ** 2, meshPrints, lambda p, n: Estimate(8, 4, "vector", 8 * n))

# An input, an index and a word loaded, an output, an index and a word stored: 24 bytes, of which the word is a cache line of 64 each
# way where the gap is as wide. Two operations a round, two for the mixing, one for the index.
MEMORY = Design("memory", lambda p: p["n"], lambda p: ["link[0].v", f"link[{p['n'] // 2}].v", f"link[{p['n'] - 1}].v"],
                lambda p, n: Estimate(16 + (128 if p["gap"] >= 16 else 8), 2 * p["work"] + 3, "scalar", n * (16 + 4 * p["m"])))

# Of the steps that work: the own value and an input loaded, one value stored; two operations. The others: nothing.
WAITING = Design("waiting", lambda p: p["n"], lambda p: [f"p[{i}].o.v" for i in (0, p["n"] // 2, p["n"] - 1)],
                 lambda p, n: Estimate(12 / p["nap"], 2 / p["nap"], "vector" if p["nap"] == 1 else "scalar", 8 * n))

# Of the steps whose input changes: a u32 loaded and stored; five operations. The others: nothing.
IDLE = Design("idle", lambda p: 100 * p["n"],
              lambda p: ["link[0][99].v", f"link[{p['n'] // 2}][50].v", f"link[{p['n'] - 1}][99].v"],
              lambda p, n: Estimate(8 / p["every"], 5 / p["every"], "vector", 8 * n / p["every"]))

# The register of a chain is loaded and stored; a combinational process has three operations, whose values need no memory.
COMB = Design("comb", lambda p: p["n"] * (p["depth"] + 1), lambda p: [f"wire[{c}][0].v" for c in (0, p["n"] // 2, p["n"] - 1)],
              lambda p, n: Estimate(8 / (p["depth"] + 1), 3, "vector", 8 * p["n"]))

# Two factors and a sum loaded, the same stored; a product and an addition.
SYSTOLIC = Design("systolic", lambda p: p["k"] ** 2 + 2 * p["k"],
                  lambda p: [f"cell[{p['k'] - 1}][{p['k'] - 1}].acc", f"cell[{p['k'] // 2}][{p['k'] // 3}].acc", "cell[0][0].acc"],
                  lambda p, n: Estimate(16, 2, "vector", 12 * n))

# Half of the steps are routers: five flits and states of neighbours loaded, five flits and five slots kept, some 120 operations to choose
# and route; half are nodes: a flit each way, generator and tallies, some 25 operations.
NOC = Design("noc", lambda p: 2 * p["r"] ** 2,
             lambda p: [f"received[{p['r'] ** 2}].count", f"received[{p['r'] ** 2}].sum", f"node[{p['r'] // 2}][{p['r'] // 3}].state"],
             lambda p, n: Estimate(78, 72, "vector", 52 * n))

# A core: 80 bytes between its stages loaded and stored, three registers, a word of memory; some 60 operations in six processes.
CPU = Design("cpu", lambda p: 6 * p["c"], lambda p: [f"report[{p['c']}].sum", f"report[{p['c']}].retired", f"core[{p['c'] - 1}].fetched.pc"],
             lambda p, n: Estimate(30, 10, "scalar" if p["c"] == 1 else "vector", 300 * p["c"]))

# ---------------------------------------------------------------- rows

TOO_MANY_TO_TRANSLATE = "its translation grows with the number of instances; hours at this one"
MESH_TRANSLATION = "was killed after 600 s of translating 256 × 256 cells"
LONG_CXXRTL = "g++ takes minutes and gigabytes for more than some thousand processes"
NO_CXXRTL = {"cxxrtl": LONG_CXXRTL}
NO_HDL = {"verilator": TOO_MANY_TO_TRANSLATE, "cxxrtl": LONG_CXXRTL}


def ringRows():
    # The first value, 12345, is at process 50 after as many cycles.
    overCppsme = ratio("cppsme-m2-1", "ours-m2-1", atLeast=120, text="faster than the C++SME style")
    faster = ratio("ours-m2-1", "verilator", atMost=1, text="to Verilator")
    yield Row("ring 1,000", RING, {"n": 1000}, (AUTO,), checkCycles=50)
    yield Row("ring 20,000", RING, {"n": 20000},
              (toLimit(1.15), overCppsme, faster, nsPerStep(0.016, later=True), nsPerStep(0.006, later=True), twoThreads(1.5),
               nsPerStep(0.010, "ours-m2-2", later=True, text="ns/step on 2 threads"), twoThreads(1.85, later=True), AUTO), NO_CXXRTL, checkCycles=50)
    yield Row("ring 50,000", RING, {"n": 50000},
              (toLimit(1.15), overCppsme, faster, nsPerStep(0.016, later=True), compileSeconds(5), compileSeconds(2, later=True), AUTO),
              NO_CXXRTL, checkCycles=50)
    yield Row("ring 1,000,000", RING, {"n": 1000000},
              (ratio("ours-m2-1", "ours-m2-1", atMost=1.3, text="to ring 20,000", underRow="ring 20,000"), AUTO), NO_HDL, checkCycles=50)


def heavyRows():
    rounds = 10000
    yield Row("ring_heavy 200", HEAVY, {"n": 200, "rounds": rounds}, (twoThreads(1.97), AUTO), checkCycles=2)
    yield Row("ring_heavy 2,000", HEAVY, {"n": 2000, "rounds": rounds}, (twoThreads(1.97), AUTO), checkCycles=2)
    yield Row("ring_uneven 200", UNEVEN, {"n": 200, "rounds": rounds}, (twoThreads(1.95, "ours-profile-2", "faster on 2 threads, by profile"), twoThreads(1.95, "ours-m3-2", "faster on 2 threads, m3"), AUTO),
              checkCycles=2)
    for each in (100, 200, 400):
        one = f"weak {each} × 1"
        yield Row(one, WEAK, {"threads": 1, "each": each, "rounds": rounds}, (), checkCycles=2,
                  contenders=("ours-m2-1", "ours-m1-1", "limit", "cppsme-m2-1", "cppsme-m1-1"))
        # ns/step halves where twice the processes take two threads as long as half of them take one.
        yield Row(f"weak {each} × 2", WEAK, {"threads": 2, "each": each, "rounds": rounds},
                  (ratio("ours-m2-1", "ours-m2-2", atLeast=1.95, text="steps/s of 2 threads to 1 with half", overRow=one),), checkCycles=2,
                  contenders=("ours-m2-2", "ours-m1-2", "cppsme-m2-2", "cppsme-m1-2"))


def heteroRows():
    same = (toLimit(1.05), toVerilator(0.75), toLimit(0.9, later=True))
    yield Row("hetero 200", HETERO, {"n": 200}, (AUTO,))
    yield Row("hetero 1,000", HETERO, {"n": 1000}, same + (twoThreads(1.35), AUTO))
    yield Row("hetero 5,000", HETERO, {"n": 5000},
              same + (twoThreads(1.6), compileSeconds(20), compileMemory(400), compileSeconds(15, later=True), AUTO), NO_CXXRTL)
    yield Row("hetero 20,000 (bigcode)", HETERO, {"n": 20000}, (toLimit(1.05), twoThreads(1.8), AUTO), NO_CXXRTL)


def meshRows():
    yield Row("mesh 64", MESH, {"n": 64}, (toLimit(1.15), AUTO), NO_CXXRTL)
    yield Row("mesh 256", MESH, {"n": 256}, (toLimit(1.15), twoThreads(1.8), nsPerStep(0.06, later=True), AUTO),
              {"verilator": MESH_TRANSLATION, "cxxrtl": LONG_CXXRTL})
    yield Row("mesh 1,024", MESH, {"n": 1024}, (toLimit(1.15), twoThreads(1.8), nsPerStep(0.07, later=True), AUTO),
              {"verilator": MESH_TRANSLATION, "cxxrtl": LONG_CXXRTL})


def systolicRows():
    yield Row("systolic 16", SYSTOLIC, {"k": 16}, (AUTO,))
    yield Row("systolic 64", SYSTOLIC, {"k": 64}, (toVerilator(0.5), toVerilator(0.3, later=True), AUTO), NO_CXXRTL)


def nocRows():
    yield Row("noc 8", NOC, {"r": 8}, (toVerilator(1), toVerilator(0.7, later=True), AUTO), NO_CXXRTL)
    for r in (16, 32):
        yield Row(f"noc {r}", NOC, {"r": r}, (fasterThanVerilator(3), AUTO), NO_CXXRTL)


def cpuRows():
    yield Row("cpu 1", CPU, {"c": 1}, (toVerilator(1), toVerilator(0.7, later=True), AUTO), checkCycles=1000)
    for c in (64, 1024):
        yield Row(f"cpu {c:,}", CPU, {"c": c},
                  (fasterThanVerilator(3), fasterThanVerilator(6, later=True), compileOf("cpu 1", 1.2), AUTO), NO_CXXRTL, checkCycles=1000)


def memoryRows():
    # 1,000 processes: 16 KiB, 1 MiB, 16 MiB and 256 MiB of words.
    for m, work, gap in ((4, 1, 17), (256, 1, 17), (4096, 1, 17), (65536, 1, 17), (65536, 1, 1), (4096, 16, 17)):
        yield Row(f"memory {m:,} words, {work} op{'s' if work > 1 else ''}, gap {gap}", MEMORY,
                  {"n": 1000, "m": m, "work": work, "gap": gap}, (AUTO,), NO_CXXRTL)


def waitRows():
    asleep = {1: "0 %", 2: "50 %", 100: "99 %"}
    for n in (10000, 100000):
        for nap in (1, 2, 100):
            targets = (AUTO,)
            if nap == 100:
                targets = (sleepingStep(f"wait {n:,}, 0 % asleep", 0.01, 0.1), AUTO)
            yield Row(f"wait {n:,}, {asleep[nap]} asleep", WAITING, {"n": n, "nap": nap}, targets,
                      NO_CXXRTL if n == 10000 else NO_HDL, checkCycles=300)


def idleRows():
    for every, active in ((1, "100 %"), (10, "10 %"), (100, "1 %")):
        targets = (AUTO,)
        if every == 100:
            targets = (ratio("ours-m2-1", "ours-m2-1", atLeast=10, text="faster than with all active", overRow="idle 100 % active"), AUTO)
        yield Row(f"idle {active} active", IDLE, {"n": 1000, "every": every}, targets, NO_HDL, checkCycles=200)


def combRows():
    yield Row("comb 10 deep", COMB, {"n": 1000, "depth": 10}, (AUTO,), NO_CXXRTL)
    yield Row("comb 100 deep", COMB, {"n": 100, "depth": 100}, (AUTO,), NO_CXXRTL)


def wavesRows():
    yield Row("waves", HETERO, {"n": 5000},
              (nsPerChange("ours-vcd", 30), nsPerChange("ours-fst", 40), traceSize("ours-fst", "ours-vcd", 5), traceCost("ours-csv", 25),
               traceCost("ours-filter", 1.05)), contenders=TRACED)
    yield Row("waves 1 %", HETERO, {"n": 5000, "every": 100},
              (traceCost("ours-vcd", 1.25), traceCost("ours-fst", 1.25), traceCost("ours-filter", 1.05)), contenders=TRACED)


def there(rows):
    """Without those whose designs do not exist."""
    return [row for row in rows if os.path.exists(os.path.join(HERE, f"{row.design.name}.py")) or os.path.exists(sourceOf(row.design, "sme"))]


def fullRows():
    groups = (ringRows, heavyRows, heteroRows, meshRows, systolicRows, nocRows, cpuRows, memoryRows, waitRows, idleRows, combRows, wavesRows)
    return there(row for rows in groups for row in rows())


def quickRows():
    return there(smallRows())


def smallRows():
    """Every design, small; two cycle counts of different parity are compared for each, in rings once the first value has been round.
    CXXRTL, whose header alone takes g++ two seconds, where the Verilog differs most."""
    with_, without = OURS + PEERS, OURS + ("limit", "verilator")
    yield Row("ring", RING, {"n": 150}, contenders=without + CPPSME, checkCycles=200)
    yield Row("ring_heavy", HEAVY, {"n": 110, "rounds": 60}, checkCycles=160)
    yield Row("ring_uneven", UNEVEN, {"n": 110, "rounds": 60}, checkCycles=160)
    yield Row("weak", WEAK, {"threads": 2, "each": 60, "rounds": 30}, checkCycles=170)
    yield Row("hetero", HETERO, {"n": 60}, contenders=with_)
    yield Row("hetero, 1 in 5", HETERO, {"n": 60, "every": 5}, contenders=("ours-m2-1", "ours-vcd", "ours-fst-null", "ours-filter", "verilator", "verilator-vcd"))
    yield Row("mesh", MESH, {"n": 10}, contenders=with_, checkCycles=30)  # after 12 cycles quotients are rounded
    yield Row("memory", MEMORY, {"n": 40, "m": 16, "work": 2, "gap": 5}, contenders=with_)
    yield Row("wait, all awake", WAITING, {"n": 80, "nap": 1}, contenders=OURS + ("limit",))
    yield Row("wait, most asleep", WAITING, {"n": 80, "nap": 3}, contenders=without)
    yield Row("idle", IDLE, {"n": 4, "every": 2}, contenders=without, checkCycles=150)
    yield Row("comb", COMB, {"n": 70, "depth": 5}, contenders=without)
    yield Row("systolic", SYSTOLIC, {"k": 5}, contenders=without)
    yield Row("noc", NOC, {"r": 3}, contenders=without, checkCycles=300)
    yield Row("cpu", CPU, {"c": 2}, contenders=without, checkCycles=500)
