"""Registers of a design beside those of the same in Icarus Verilog, which dumps them: in every cycle, by their names. What is x in Icarus may be
anything."""
import os
import re
import subprocess

TYPES = set("all any as assert async barrier bool break bus case cat const default elif else enum file for func if import in instance int max min network of out proc random range rep return "
            "switch sync to trace true var wait while".split())


SETTLED = 64  # cycles after which nothing may differ: all are reset by then


UNITS = {"1ns": 1, "100ps": 10, "10ps": 100, "1ps": 1000}


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


BENCH = """`timescale 1ns/1ns
module bench;
  reg clk = 0;
  soc soc(.clk(clk));
  integer k;
  initial begin
    $dumpfile("%s");
    $dumpvars(0, %s);
    #1;
%s    for (k = 0; k < %d; k = k + 1) begin
      #5 clk = 1;
      #5 clk = 0;
    end
    $finish;
  end
endmodule
"""


def dumped(folder, files, includes, cycles, initial, name, shown):
    """The file that Icarus makes, of the variables `shown`; empty: of all."""
    with open(os.path.join(folder, "bench.v"), "w", encoding="utf-8") as f:
        f.write(BENCH % (name, ", ".join(shown) or "soc", "".join(f"    {line}\n" for line in initial), cycles))
    run("iverilog", "-g2012", "-o", "bench.vvp", "-s", "bench", *[f"-I{path}" for path in includes], "bench.v", *files, folder=folder)
    run("vvp", "-n", "bench.vvp", folder=folder)
    return os.path.join(folder, name)


def flat(parts):
    return "_".join(parts)


def placeOf(path, width, there):
    """The Verilog variable that a register is, and which of its bits is its lowest; None: none."""
    whole = path.replace(".", "_")
    for name in (whole, re.sub("_reg$", "", whole)):
        if name in there and there[name][1] >= width:  # Yosys leaves out upper bits that are constant
            return name, 0
    part = re.fullmatch(r"(.*)_(\d+)(?:_reg)?", whole)
    if part and part[1] in there and there[part[1]][1] >= int(part[2]) + width:
        return part[1], int(part[2])
    return None


def header(lines):
    """Variables and scopes by path as `.sme` spells it, with `_` for `.`, since scopes of generates are parts of names there: (identifier, width,
    kind, path in Verilog); a scope has its path alone."""
    scopes, found = [], {}
    for line in lines:
        words = line.split()
        if not words:
            continue
        if words[0] == "$scope":
            scopes.append(words[2])
            found.setdefault(flat(map(spelled, scopes[2:])) + ".", ".".join(scopes[1:]))
        elif words[0] == "$upscope":
            scopes.pop()
        elif words[0] == "$var" and scopes[:2] == ["bench", "soc"]:
            path = scopes[2:] + [words[4]]
            found.setdefault(flat(map(spelled, path)), (words[3], int(words[2]), words[1], ".".join(scopes[1:] + [words[4]])))
        elif words[0] == "$enddefinitions":
            return found
    return found


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


def icarusCycle(path):
    """BENCH: edges at 6, 16, ... ns; what they set is there in the cycle after. A file counts in the finest unit that a source asks for."""
    with open(path, encoding="utf-8") as f:
        unit = UNITS[re.search(r"\$timescale\s+(\d+ *[a-z]+)", f.read(1000))[1].replace(" ", "")]
    return lambda time: 0 if time < 6 * unit else (time - 6 * unit) // (10 * unit) + 1


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


def initialised(found, there, registers, memories, begin):
    """Statements that give what is x in Icarus the values that smec begins with: both begin alike."""
    lines = []
    for path, (name, low) in found.items():
        _, _, kind, place = there[name]
        if kind == "reg":
            place += f"[{low} +: {registers[path]}]" if there[name][1] > registers[path] else ""
            lines.append(f"if (^{place} === 1'bx) {place} = {registers[path]}'b{begin[path]};")
    for name in sorted({name for name, _ in found.values() if there[name][2] == "reg" and there[name][1] > 1}):
        lines.append(f"for (k = 0; k < {there[name][1]}; k = k + 1) if ({there[name][3]}[k] === 1'bx) {there[name][3]}[k] = 0;")
    for path, size in memories.items():
        scope, name = path.rsplit(".", 1)
        scope = scope.replace(".", "_") + "."
        if scope in there and not name.startswith("auto_"):              # a table that Yosys made of a case is none of the source's
            word = f"{there[scope]}.{name}[k]"
            lines.append(f"for (k = 0; k < {size}; k = k + 1) if (^{word} === 1'bx) {word} = 0;")
    return lines


def compare(program, folder, files, includes, cycles):
    registers, memories = listed(program, folder)
    ours = ourChanges(program, folder, registers, cycles)
    with open(dumped(folder, files, includes, 1, [], "names.vcd", []), encoding="utf-8") as f:
        there = header(f)
    found = {path: place for path, width in registers.items() if (place := placeOf(path, width, there))}
    initial = initialised(found, there, registers, memories, {path: seen[0][1] for path, seen in ours.items()})
    shown = sorted({there[name][3] for name, _ in found.values()})
    path = dumped(folder, files, includes, cycles, initial, "theirs.vcd", shown)
    with open(path, encoding="utf-8") as f:
        there = header(f)
        theirs = changes(f, {there[name][0] for name, _ in found.values()}, icarusCycle(path))
    os.remove(path)
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
    bits = bits.rjust(whole, bits[0] if bits[0] in "xz" else "0")[whole - low - width:whole - low]
    return int("".join("1" if c in "01" else "0" for c in bits), 2), int("".join(c if c in "01" else "0" for c in bits), 2)


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
            raise Different(f"cycle {max(cycle, SETTLED)}: {path} is {wanted:0{shape[2]}b} in Icarus (known: {known:b}), {value:0{shape[2]}b} in smec")
        else:
            differed = True
    return compared, differed
