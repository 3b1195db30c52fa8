"""Registers of a design beside those of the same in Verilator: for SystemVerilog, of which Icarus reads little. All is 0 there until something is assigned."""
import os
import re

from registers import Variables, changes, figuresOf, listed, ourChanges, placeOf
from tools import HERE, must

OPTIONS = ["--public-flat-rw", "--x-assign", "0", "--x-initial", "0"]


def variables(program, folder, isSystemVerilog):
    """Of SystemVerilog an array is one word in smec, whose parts are called by their lowest bits, and in the order of its indices: its first element is highest."""
    found = Variables()
    for line in must(program, folder=folder).out.splitlines():
        identifier, width, offset, path = line.split(maxsplit=3)
        if isSystemVerilog:
            path = re.sub(r"\[\d+\]$", f"[{offset}]", path)
        parts = path.split(".")
        if parts[:2] == ["TOP", "soc"]:
            found.add(parts[2:], (identifier, int(width), "reg", ".".join(parts[1:])))
    return found


def model(verilator, files, includes, options):
    """(program that tells registers, seconds). All of Rocket's, optimised, would take half an hour."""
    return verilator.built(files, includes, "registers", [], options=[*OPTIONS, *options], main=os.path.join(HERE, "registers.cpp"), level="-O0")


def compare(program, folder, files, cycles, theirProgram):
    registers, _ = listed(program, folder)
    ours = ourChanges(program, folder, registers, cycles)
    there = variables(theirProgram, folder, any(name.endswith(".sv") for name in files))
    found = {path: place for path, width in registers.items() if (place := placeOf(path, width, there))}
    wanted = {there[name][0] for name, _ in found.values()}
    with open(os.path.join(folder, "wanted.txt"), "w", encoding="utf-8") as f:
        f.writelines(f"{identifier}\n" for identifier in sorted(wanted))
    theirs = changes(must(theirProgram, str(cycles), "wanted.txt", folder=folder).out.splitlines(), wanted, lambda cycle: cycle)
    return figuresOf(registers, found, there, ours, theirs, cycles)
