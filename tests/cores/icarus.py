"""Registers of a design beside those of the same in Icarus Verilog, which dumps them."""
import os
import re

from registers import Variables, changes, figuresOf, flat, listed, ourChanges, placeOf, run, spelled

UNITS = {"1ns": 1, "100ps": 10, "10ps": 100, "1ps": 1000}


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


def header(lines):
    """(variables, scopes by their path with `_` for `.`)"""
    scopes, variables, places = [], Variables(), {}
    for line in lines:
        words = line.split()
        if not words:
            continue
        if words[0] == "$scope":
            scopes.append(words[2])
            places.setdefault(flat(map(spelled, scopes[2:])), ".".join(scopes[1:]))
        elif words[0] == "$upscope":
            scopes.pop()
        elif words[0] == "$var" and scopes[:2] == ["bench", "soc"]:
            variables.add(scopes[2:] + [words[4]], (words[3], int(words[2]), words[1], ".".join(scopes[1:] + [words[4]])))
        elif words[0] == "$enddefinitions":
            break
    return variables, places


def addWords(there, scopes, registers, files):
    """Words of arrays, which Icarus shows where they are asked for by name."""
    source = ""
    for path in files:
        with open(path, encoding="utf-8", errors="replace") as f:
            source += f.read()
    for path, width in registers.items():
        part = re.fullmatch(r"(?:(.*)\.)?(\w+?)_(\d+)(?:_reg)?", path)
        scope = part and scopes.get((part[1] or "").replace(".", "_"))
        if scope and not placeOf(path, width, there) and re.search(rf"\b{part[2]}\s*\[[^];]*:[^];]*\]\s*;", source):
            there.add([*(part[1] or "").split("."), f"{part[2]}_{part[3]}"], ("", width, "reg", f"{scope}.{part[2]}[{part[3]}]"))


def icarusCycle(path):
    """BENCH: edges at 6, 16, ... ns; what they set is there in the cycle after. A file counts in the finest unit that a source asks for."""
    with open(path, encoding="utf-8") as f:
        unit = UNITS[re.search(r"\$timescale\s+(\d+ *[a-z]+)", f.read(1000))[1].replace(" ", "")]
    return lambda time: 0 if time < 6 * unit else (time - 6 * unit) // (10 * unit) + 1


def initialised(found, there, scopes, registers, memories, begin):
    """Statements that give what is x in Icarus the values that smec begins with: both begin alike."""
    lines = []
    for path, (name, low) in found.items():
        _, _, kind, place = there[name]
        if kind == "reg":
            place += f"[{low} +: {registers[path]}]" if there[name][1] > registers[path] else ""
            lines.append(f"if (^{place} === 1'bx) {place} = {registers[path]}'b{begin[path]};")
    for name in sorted({name for name, _ in found.values() if there[name][2] == "reg" and there[name][1] > 1 and there[name][0]}):
        lines.append(f"for (k = 0; k < {there[name][1]}; k = k + 1) if ({there[name][3]}[k] === 1'bx) {there[name][3]}[k] = 0;")
    for path, size in memories.items():
        scope, name = path.rsplit(".", 1)
        scope = scope.replace(".", "_")
        if scope in scopes and not name.startswith("auto_"):              # a table that Yosys made of a case is none of the source's
            word = f"{scopes[scope]}.{name}[k]"
            lines.append(f"for (k = 0; k < {size}; k = k + 1) if (^{word} === 1'bx) {word} = 0;")
    return lines


def compare(program, folder, files, includes, cycles):
    registers, memories = listed(program, folder)
    ours = ourChanges(program, folder, registers, cycles)
    with open(dumped(folder, files, includes, 1, [], "names.vcd", []), encoding="utf-8") as f:
        there, scopes = header(f)
    addWords(there, scopes, registers, files)
    found = {path: place for path, width in registers.items() if (place := placeOf(path, width, there))}
    initial = initialised(found, there, scopes, registers, memories, {path: seen[0][1] for path, seen in ours.items()})
    shown = sorted({there[name][3] for name, _ in found.values()})
    path = dumped(folder, files, includes, cycles, initial, "theirs.vcd", shown)
    with open(path, encoding="utf-8") as f:
        there, _ = header(f)
        theirs = changes(f, {there[name][0] for name, _ in found.values()}, icarusCycle(path))
    os.remove(path)
    return figuresOf(registers, found, there, ours, theirs, cycles)
