"""What both simulators run: a core in its soc_*.v, or a ring of PicoRV32."""
import os
import shutil

import icarus
import verilated
from catalog import CORES, fetched
from kept import digest
from simulators import processes
from tools import HERE, TARGETS, Bounds, Failed, expected, firmware

KINDS = {"flat": "flat", "blocks": "`--hierarchical`", "two": "2 threads"}  # Verilator's ways; of `two` the clock on the wall counts


class Design:
    """In a folder of its own, which is made ready by `prepare`. `shown`: paths in smec of what is compared, `ports`: the same in Verilator;
    `kinds`: Verilator's ways that are built; `hasRegisters`: they are compared; `isTwoState`: with Verilator's."""

    kinds = tuple(KINDS)
    hasRegisters = isTwoState = False

    def __init__(self, name, work):
        self.name, self.work, self.folder = name, work, os.path.join(work, "made", name)
        self.files, self.includes, self.data = [], [], None

    def sources(self):
        """A hash of the Verilog and the firmware."""
        return digest(*self.files, *([os.path.join(self.folder, self.data)] if self.data else []))

    def withFirmware(self, name, *how):
        firmware(self.folder, name, *how)
        self.data = f"{name}.hex"


class CoreDesign(Design):
    ports = ["result", "rounds", "hash"]
    shown = [f"{port}.v" for port in ports]
    hasRegisters = True

    def __init__(self, name, work, options):
        super().__init__(name, work)
        self.core, self.cycles = CORES[name], options.cycles
        self.isTwoState = self.core.isTwoState

    def prepare(self):
        os.makedirs(self.folder, exist_ok=True)
        with open(os.path.join(self.folder, "rv32i.hex"), "a", encoding="utf-8"):
            pass  # Yosys looks for what bus_memory.v has by default, also where a soc_* gives another one
        if self.core.firmware:
            self.withFirmware(self.core.firmware, TARGETS[self.core.firmware])
        package = fetched(self.core, self.work)
        self.files, self.includes = self.core.sources(package), self.core.includes(package)

    def smecBuilt(self, smec):
        yosys, imported, before, cells = smec.imported(self.files, self.includes, self.name)
        compiled, wall = smec.compiled(self.name)
        return {"yosys": yosys, "build": imported + compiled, "wall": before + wall, "cells": cells, "processes": processes(os.path.join(self.folder, f"{self.name}.sme"))}

    def verilatorBuilt(self, verilator, kind):
        options = [*self.core.verilatorOptions(), *(["--threads", "2"] if kind == "two" else [])]
        return verilator.built(self.files, self.includes, kind, self.ports, options=options, block=self.core.top if kind == "blocks" else None)

    def modelOfRegisters(self, verilator):
        return verilated.model(verilator, self.files, self.includes, self.core.verilatorOptions())

    def registers(self, model, cycles):
        where = (f"./{self.name}", self.folder, self.files)
        figures = verilated.compare(*where, cycles, model) if self.isTwoState else icarus.compare(*where, self.includes, cycles)
        if figures["named"] < 0.9 or not figures["compared"]:
            raise Failed(f"{figures['named']:.1%} of the registers' bits have a name, {figures['compared']} of them were compared")
        return figures

    def verified(self, values):
        """Figures for what both simulators say after all cycles."""
        if not self.core.firmware:
            return {"rounds": None}
        wanted, (result, rounds, _) = expected(self.folder), values
        if rounds == 0 or result != wanted:
            raise Failed(f"round {rounds} of the firmware gave {result}, not {wanted}")
        return {"rounds": rounds}


SPLIT = ["--output-split", "20000"]
# A file of 1,024 cores' takes g++ three minutes with -O3, and there are 150 of them.
LARGE = {"level": "-O1 -march=native", "jobs": os.cpu_count(), "bounds": Bounds(25 * 60, 20 << 30)}


class RingDesign(Design):
    """PicoRV32, from Verilog, at each node of noc/ring.sme; beside it noc/ring.v."""

    ports = ["first", "middle", "last"]

    def __init__(self, name, work, n):
        super().__init__(name, work)
        self.n, self.cycles = n, 100_000  # the first words come round after more than 20,000
        self.shown = [f"links[{k}].word" for k in (0, n // 2, n - 1)]
        if n > 64:
            self.kinds = ("flat", "blocks")

    def prepare(self):
        os.makedirs(self.folder, exist_ok=True)
        self.withFirmware("ring", TARGETS["rv32i"], 16384, ["-DRING"])
        package = fetched(CORES["picorv32"], self.work)
        self.files = [os.path.join(package, "verilog/picorv32.v"), os.path.join(HERE, "noc", "ring.v")]
        shutil.copy(os.path.join(HERE, "noc", "ring.sme"), self.folder)

    def smecBuilt(self, smec):
        yosys, imported, before, _ = smec.imported(self.files[:1], [], "picorv32", top="picorv32")
        compiled, wall = smec.compiled(self.name, "-G", f"n={self.n}", source="ring.sme")
        return {"yosys": yosys, "build": imported + compiled, "wall": before + wall}

    def verilatorBuilt(self, verilator, kind):
        options = [f"-GN={self.n}", *(["--threads", "2"] if kind == "two" else [])]
        how = LARGE if kind == "flat" and self.n > 64 else {}
        return verilator.built(self.files, [], kind, self.ports, top="ring", options=[*options, *SPLIT] if how else options, isInBlocks=kind == "blocks", **how)

    def verified(self, values):
        if not any(values):
            raise Failed(f"after {self.cycles} cycles no word has come round")
        return {}


RINGS = {"ring64": 64, "ring1024": 1024}


def designs(options):
    """Small ones first; Rocket takes longer than all others."""
    names = options.only or [*(name for name in CORES if name != "rocket"), "ring64", *(["ring1024", "rocket"] if options.full else [])]
    return [RingDesign(name, options.work, RINGS[name]) if name in RINGS else CoreDesign(name, options.work, options) for name in names]
