"""Registers of a design beside those of the same in a simulator of Verilog, in every cycle, by their names. What is x there may be anything."""
import os
import re
import subprocess

TYPES = set("all any as assert async barrier bool break bus case cat const default elif else enum file for func if import in instance int max min network of out proc random range rep return "
            "switch sync to trace true var wait while".split())


KNOWN, ZERO = str.maketrans("01xz", "1100"), str.maketrans("xz", "00")
SETTLED = 64  # cycles after which nothing may differ: all are reset by then


class Different(Exception):
    pass


def spelled(name):
    """compiler/rtl/names.cpp"""
    name = re.sub(r"[^A-Za-z0-9]+", "_", name)
    name = re.sub("^_+", "_", name).rstrip("_") or "n"
    return name + "_v" if name in TYPES or re.fullmatch(r"wire\d*|[ui]\d+", name) else name


def run(*words, folder):
    p = subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", timeout=1800, check=False)
    if p.returncode != 0:
        raise Different(f"{' '.join(words)[:300]}: status {p.returncode}\n{p.stdout[-1500:]}{p.stderr[-1500:]}")
    return p.stdout


def flat(parts):
    return "_".join(parts)


def unnumbered(name):
    return re.sub(r"(^|_)genblk\d+(?=_)", "", name)


class Variables(dict):
    """Those of a simulator of Verilog, by path as `.sme` spells it, with `_` for `.`, since scopes of generates are parts of names there: (identifier,
    width, kind, path in Verilog). Simulators number blocks without a name differently."""

    def __init__(self):
        super().__init__()
        self.unnumbered = {}

    def add(self, parts, value):
        name = flat(spelled(part.lstrip("\\")) for part in parts)
        self.setdefault(name, value)
        several = self.unnumbered.setdefault(unnumbered(name), name) != name
        if several:
            self.unnumbered[unnumbered(name)] = ""

    def nameOf(self, name):
        return name if name in self else self.unnumbered.get(unnumbered(name), "")


def placeOf(path, width, there):
    """The Verilog variable that a register is, and which of its bits is its lowest; None: none."""
    whole = path.replace(".", "_")
    for name in (whole, re.sub("_reg$", "", whole)):
        name = there.nameOf(name)
        if name and there[name][1] >= width:  # Yosys leaves out upper bits that are constant
            return name, 0
    part = re.fullmatch(r"(.*)_(\d+)(?:_reg)?", whole)
    if part:
        name = there.nameOf(part[1])
        if name and there[name][1] >= int(part[2]) + width:
            return name, int(part[2])
    return None


def changes(lines, wanted, cycleOf):
    """For each identifier the (cycle, bits) at which it changes, each cycle once: as it is before the edge of that cycle."""
    result = {identifier: [] for identifier in wanted}
    cycle = 0
    for line in lines:
        first = line[0]
        if first == "#":
            cycle = cycleOf(int(line[1:]))
            continue
        if first in "01xz":
            identifier, value = line[1:].strip(), first
        elif first == "b":
            value, identifier = line[1:].split()
        else:
            continue
        if (seen := result.get(identifier)) is None:
            continue
        if seen and seen[-1][0] == cycle:
            seen[-1] = (cycle, value)
        else:
            seen.append((cycle, value))
    return result


def smecCycle(time):
    return time // 10


def listed(program, folder):
    """Variables that are words, with their bits; memories, with their sizes."""
    words, arrays = {}, {}
    for line in run(program, "--list", folder=folder).splitlines():
        cells = line.split()
        if len(cells) < 4 or cells[-1] not in ("variable", "field"):
            continue
        if cells[1].startswith("["):
            arrays[re.sub("[.]v$", "", cells[0])] = int(cells[1][1:cells[1].index("]")])
        elif cells[-1] == "variable":
            words[cells[0]] = int(cells[2])
    return words, arrays


def oursHeader(lines):
    """Identifiers by path."""
    scopes, found = [], {}
    for line in lines:
        words = line.split()
        if not words:
            continue
        if words[0] == "$scope":
            scopes.append(words[2])
        elif words[0] == "$upscope":
            scopes.pop()
        elif words[0] == "$var":
            found[".".join(scopes[1:] + [words[4]])] = words[3]
        elif words[0] == "$enddefinitions":
            break
    return found


def ourChanges(program, folder, registers, cycles):
    run(program, "--cycles", str(cycles), "--threads", "1", "--quiet", "--trace-all", "--trace", "ours.vcd", folder=folder)
    with open(os.path.join(folder, "ours.vcd"), encoding="utf-8") as f:
        identifiers = oursHeader(f)
        found = changes(f, {identifiers[path] for path in registers}, smecCycle)
    os.remove(os.path.join(folder, "ours.vcd"))
    return {path: found[identifiers[path]] for path in registers}


def figuresOf(registers, found, there, ours, theirs, cycles):
    """`found`: for each register that has one, the variable and its lowest bit; `theirs`: by the variables' identifiers. Throws Different."""
    compared, unsettled = 0, []
    for path, (name, low) in found.items():
        shape = (there[name][1], low, registers[path])
        bits, differed = registerCompared(path, shape, ours[path], theirs[there[name][0]], cycles)
        compared += bits
        unsettled += [path] if differed else []
    bits = sum(registers[path] for path in found)
    return {"registers": bits, "named": bits / max(1, sum(registers.values())), "compared": compared, "unsettled": unsettled,
            "missing": sorted(set(registers) - set(found))}


def knownBits(bits, shape):
    """(which are known, their values) of those that count, of what a file says of the whole variable."""
    whole, low, width = shape
    if "x" not in bits and "z" not in bits:
        return (1 << width) - 1, int(bits, 2) >> low & (1 << width) - 1
    bits = bits.rjust(whole, bits[0] if bits[0] in "xz" else "0")[whole - low - width:whole - low]
    return int(bits.translate(KNOWN), 2), int(bits.translate(ZERO), 2)


def registerCompared(path, shape, ours, theirs, cycles):
    """How many bits in all cycles, and whether some differed in the first ones, where this is no error: where an enable is x, Icarus keeps what was, and
    for smec it has a value. `shape`: how wide it is in Verilog, the lowest bit that counts, and how many."""
    compared, differed, at = 0, False, [0, 0]
    value = known = wanted = 0
    steps = sorted({cycle for cycle, _ in ours} | {cycle for cycle, _ in theirs if cycle < cycles})
    for cycle, following in zip(steps, steps[1:] + [cycles]):
        while at[0] < len(ours) and ours[at[0]][0] <= cycle:
            value = int(ours[at[0]][1], 2)
            at[0] += 1
        while at[1] < len(theirs) and theirs[at[1]][0] <= cycle:
            known, wanted = knownBits(theirs[at[1]][1], shape)
            at[1] += 1
        if value & known == wanted:
            compared += known.bit_count() * (following - cycle)
        elif following > SETTLED:
            raise Different(f"cycle {max(cycle, SETTLED)}: {path} is {wanted:0{shape[2]}b} there (known: {known:b}), {value:0{shape[2]}b} in smec")
        else:
            differed = True
    return compared, differed
