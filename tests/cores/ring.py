"""64 and 1,024 PicoRV32, from Verilog, on a ring of `.sme` (noc/ring.sme), beside the same in Verilog (noc/ring.v) under Verilator."""
import os
import shutil
import statistics

from catalog import CORES, fetched
from simulators import Smec, Verilator
from tools import HERE, TARGETS, Failed, firmware

PRINTED = ["first", "middle", "last"]


def words(n):
    return [f"links[{k}].word" for k in (0, n // 2, n - 1)]


def prepared(options, work):
    """smec, with the core imported beside the ring."""
    firmware(work, "ring", TARGETS["rv32i"], 16384, ["-DRING"])
    package = fetched(CORES["picorv32"], work)
    core = os.path.join(package, "verilog/picorv32.v")
    smec = Smec(options.smec, work)
    smec.imported([core], [], "picorv32", top="picorv32")
    shutil.copy(os.path.join(HERE, "noc", "ring.sme"), work)
    return smec, [core, os.path.join(HERE, "noc", "ring.v")]


def row(options, work, n, cycles, beside):
    """A row of docs/cores.md. `beside`: Verilator, too; it takes long for many."""
    smec, files = prepared(options, work)
    name = f"ring{n}"
    built = smec.compiled(name, "-G", f"n={n}", source="ring.sme")
    values, _ = smec.run(name, cycles, 1, words(n))
    one, two, theirs = [], [], []
    verilator = Verilator(options.verilator, work) if beside else None
    if verilator:
        program, cost = verilator.built(files, [], name, PRINTED, top="ring", options=[f"-GN={n}"])
        expected, _ = verilator.run(program, cycles)
        if expected != values:
            raise Failed(f"{name}: after {cycles} cycles words are {values}, in Verilator {expected}")
    for _ in range(options.repeat):
        one.append(smec.run(name, cycles, 1, words(n))[1].cpu)
        two.append(smec.run(name, cycles, 2, words(n))[1].wall)
        if verilator:
            theirs.append(verilator.run(program, cycles)[1].cpu)
    cells = [str(n), f"{built:.1f}", f"{cost:.0f}" if verilator else "", micro(one, cycles), micro(two, cycles)]
    cells += [micro(theirs, cycles), f"{statistics.median(theirs) / statistics.median(one):.1f}"] if verilator else ["", ""]
    return "| " + " | ".join(cells) + " |"


def micro(seconds, cycles):
    return f"{statistics.median(seconds) / cycles * 1e6:.2f}"


HEAD = """| cores | smec: build, CPU s | Verilator: build, CPU s | smec: µs a cycle, 1 thread | 2 threads | Verilator: µs a cycle | ratio |
|---|---|---|---|---|---|---|"""


def rows(options, work):
    """(name, what gives the row)"""
    yield "ring64", lambda: row(options, work, 64, options.ring, True)
    if options.many:
        yield "ring1024", lambda: row(options, work, 1024, max(100, options.ring // 10), False)
