"""Registers of a design beside those of the same in Verilator: for SystemVerilog, of which Icarus reads little. All is 0 there until something is assigned."""
import os

from registers import Variables, changes, figuresOf, listed, ourChanges, placeOf
from tools import HERE, must

OPTIONS = ["--public-flat-rw", "--x-assign", "0", "--x-initial", "0"]


def variables(program, folder):
    found = Variables()
    for line in must(program, folder=folder).out.splitlines():
        identifier, width, path = line.split(maxsplit=2)
        parts = path.split(".")
        if parts[:2] == ["TOP", "soc"]:
            found.add(parts[2:], (identifier, int(width), "reg", ".".join(parts[1:])))
    return found


def compare(program, folder, files, includes, cycles, verilator, options):
    registers, _ = listed(program, folder)
    ours = ourChanges(program, folder, registers, cycles)
    model, _ = verilator.built(files, includes, program.strip("./") + ".registers", [], options=[*OPTIONS, *options], main=os.path.join(HERE, "registers.cpp"))
    there = variables(model, folder)
    found = {path: place for path, width in registers.items() if (place := placeOf(path, width, there))}
    wanted = {there[name][0] for name, _ in found.values()}
    with open(os.path.join(folder, "wanted.txt"), "w", encoding="utf-8") as f:
        f.writelines(f"{identifier}\n" for identifier in sorted(wanted))
    theirs = changes(must(model, str(cycles), "wanted.txt", folder=folder).out.splitlines(), wanted, lambda cycle: cycle)
    return figuresOf(registers, found, there, ours, theirs, cycles)
