#!/usr/bin/env python3
"""Each cell of Yosys' internal library that computes, at many widths and with all signs, by its name in Verilog: what `smec import` makes of it does what
the cell's model in Yosys' simlib.v does in Icarus. A bit that is x there may be anything."""
import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile

import cosimulation

WIDTHS = [1, 2, 3, 4, 7, 8, 13, 31, 32, 33, 64, 65]
BINARY = ["add", "sub", "mul", "div", "mod", "divfloor", "modfloor", "and", "or", "xor", "xnor", "lt", "le", "eq", "ne", "eqx", "nex", "ge", "gt", "shl", "shr", "sshl",
          "sshr", "shift", "shiftx", "logic_and", "logic_or", "pow"]
UNARY = ["not", "pos", "neg", "reduce_and", "reduce_or", "reduce_xor", "reduce_xnor", "reduce_bool", "logic_not"]
OTHER = ["mux", "pmux", "bmux", "demux", "lut", "sop", "concat", "slice", "alu", "fa", "lcu"]
GATES = {"BUF": "A", "NOT": "A", "AND": "AB", "NAND": "AB", "OR": "AB", "NOR": "AB", "XOR": "AB", "XNOR": "AB", "ANDNOT": "AB", "ORNOT": "AB", "MUX": "ABS", "NMUX": "ABS",
         "AOI3": "ABC", "OAI3": "ABC", "AOI4": "ABCD", "OAI4": "ABCD", "MUX4": "ABCDST", "MUX8": "ABCDEFGHSTU", "MUX16": "ABCDEFGHIJKLMNOPSTUV"}
COMPARES = ("lt", "le", "eq", "ne", "eqx", "nex", "ge", "gt", "logic_and", "logic_or")


class Writer:
    def __init__(self, draw):
        self.draw, self.inputs, self.outputs, self.lines = draw, [], [], []

    def wire(self, width, isOutput=False):
        name = f"{'y' if isOutput else 'a'}{len(self.inputs) + len(self.outputs)}"
        (self.outputs if isOutput else self.inputs).append((name, width))
        return name

    def cell(self, kind, parameters, pins):
        values = ", ".join(f".{name}({value})" for name, value in parameters.items())
        ports = ", ".join(f".{name}({value})" for name, value in pins.items())
        number = len(self.lines)
        self.lines.append(f"  \\${kind} {f'#({values}) ' if values else ''}cell{number} ({ports});")

    def width(self, most=65):
        return self.draw.choice([width for width in WIDTHS if width <= most])

    def add(self, kind):
        if kind in BINARY:
            return self.binary(kind)
        if kind in UNARY:
            a, y = self.width(), self.width() if kind in ("not", "pos", "neg") else self.draw.choice([1, 1, 3])
            return self.cell(kind, {"A_SIGNED": self.draw.randrange(2), "A_WIDTH": a, "Y_WIDTH": y}, {"A": self.wire(a), "Y": self.wire(y, True)})
        if kind in GATES:
            pins = {pin: self.wire(1) for pin in GATES[kind]}
            return self.cell(f"_{kind}_", {}, {**pins, "Y": self.wire(1, True)})
        return getattr(self, kind)()

    def binary(self, kind):
        draw = self.draw
        most = 33 if kind in ("div", "mod", "divfloor", "modfloor") else 13 if kind == "pow" else 65   # wide division is wrong in Icarus 11
        a, b = self.width(most), self.width(7 if "sh" in kind else 4 if kind == "pow" else most)
        y = draw.choice([1, 1, 2]) if kind in COMPARES else self.width(most)
        signs = draw.choice([(0, 0), (1, 1)])
        if kind in ("shl", "shr", "sshl", "sshr"):
            signs = (draw.randrange(2), 0)
        if kind == "shift":
            signs = (0, draw.randrange(2))
        if kind == "shiftx":
            signs = (0, draw.randrange(2))
        parameters = {"A_SIGNED": signs[0], "B_SIGNED": signs[1], "A_WIDTH": a, "B_WIDTH": b, "Y_WIDTH": y}
        self.cell(kind, parameters, {"A": self.wire(a), "B": self.wire(b), "Y": self.wire(y, True)})

    def mux(self):
        width = self.width()
        self.cell("mux", {"WIDTH": width}, {"A": self.wire(width), "B": self.wire(width), "S": self.wire(1), "Y": self.wire(width, True)})

    def pmux(self):
        """What chooses is on once at most, else the model gives x."""
        width, count = self.width(33), self.draw.randrange(1, 5)
        which = self.wire(3)
        self.cell("pmux", {"WIDTH": width, "S_WIDTH": count},
                  {"A": self.wire(width), "B": self.wire(width * count), "S": f"{count}'d1 << {which}", "Y": self.wire(width, True)})

    def bmux(self):
        width, count = self.width(13), self.draw.randrange(1, 4)
        self.cell("bmux", {"WIDTH": width, "S_WIDTH": count}, {"A": self.wire(width << count), "S": self.wire(count), "Y": self.wire(width, True)})

    def demux(self):
        width, count = self.width(13), self.draw.randrange(1, 4)
        self.cell("demux", {"WIDTH": width, "S_WIDTH": count}, {"A": self.wire(width), "S": self.wire(count), "Y": self.wire(width << count, True)})

    def lut(self):
        width = self.draw.randrange(1, 6)
        self.cell("lut", {"WIDTH": width, "LUT": f"{1 << width}'d{self.draw.getrandbits(1 << width)}"}, {"A": self.wire(width), "Y": self.wire(1, True)})

    def sop(self):
        width, depth = self.draw.randrange(1, 5), self.draw.randrange(1, 4)
        bits = 2 * width * depth
        self.cell("sop", {"WIDTH": width, "DEPTH": depth, "TABLE": f"{bits}'d{self.draw.getrandbits(bits) & self.draw.getrandbits(bits)}"}, {"A": self.wire(width), "Y": self.wire(1, True)})

    def concat(self):
        a, b = self.width(), self.width()
        self.cell("concat", {"A_WIDTH": a, "B_WIDTH": b}, {"A": self.wire(a), "B": self.wire(b), "Y": self.wire(a + b, True)})

    def slice(self):
        a = self.width()
        y = self.draw.randrange(1, a + 1)
        self.cell("slice", {"A_WIDTH": a, "Y_WIDTH": y, "OFFSET": self.draw.randrange(a - y + 1)}, {"A": self.wire(a), "Y": self.wire(y, True)})

    def alu(self):
        a, b, y = self.width(33), self.width(33), self.width(33)
        sign = self.draw.randrange(2)
        self.cell("alu", {"A_SIGNED": sign, "B_SIGNED": sign, "A_WIDTH": a, "B_WIDTH": b, "Y_WIDTH": y},
                  {"A": self.wire(a), "B": self.wire(b), "CI": self.wire(1), "BI": self.wire(1), "X": self.wire(y, True), "Y": self.wire(y, True), "CO": self.wire(y, True)})

    def fa(self):
        width = self.width()
        self.cell("fa", {"WIDTH": width}, {"A": self.wire(width), "B": self.wire(width), "C": self.wire(width), "X": self.wire(width, True), "Y": self.wire(width, True)})

    def lcu(self):
        width = self.width(13)
        self.cell("lcu", {"WIDTH": width}, {"P": self.wire(width), "G": self.wire(width), "CI": self.wire(1), "CO": self.wire(width, True)})

    def text(self):
        ports = [f"input [{w - 1}:0] {n}" for n, w in self.inputs] + [f"output [{w - 1}:0] {n}" for n, w in self.outputs]
        return f"module dut({', '.join(ports)});\n" + "\n".join(self.lines) + "\nendmodule\n"


def models(scratch):
    """Yosys' models of its cells; none where they are not installed. That of $bmux was wrong for words of several bits before 0.24."""
    config = shutil.which("yosys-config")
    folder = subprocess.run([config, "--datdir"], stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout.strip() if config else "/usr/share/yosys"
    paths = [os.path.join(folder, name) for name in ("simlib.v", "simcells.v")]
    texts = []
    for path in paths:
        if not os.path.exists(path):
            return []
        with open(path, encoding="utf-8") as f:
            texts.append(f.read())
    path = os.path.join(scratch, "models.v")
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(texts).replace("assign Y = S ? A[1] : A[0];", "assign Y = S ? A[2*WIDTH-1:WIDTH] : A[WIDTH-1:0];"))
    return [path]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1, help="modules with each cell twice")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--vectors", type=int, default=100)
    parser.add_argument("--only", help="one kind of cell")
    parser.add_argument("--keep", help="where files of findings go")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="smec-models-") as scratch:
        return compare(options, models(scratch))


def compare(options, library):
    if not shutil.which("yosys") or not shutil.which("iverilog") or not library:
        print("yosys and iverilog are needed: apt-get install yosys iverilog")
        return 77
    kinds = [options.only] if options.only else BINARY + UNARY + OTHER + list(GATES)
    failed = compared = vectors = 0
    for k in range(options.rounds):
        seed = options.seed + k
        writer = Writer(random.Random(seed))
        for kind in kinds * 2:
            writer.add(kind)
        folder = tempfile.mkdtemp(prefix="smec-cells-")
        with open(os.path.join(folder, "dut.v"), "w", encoding="utf-8") as f:
            f.write(writer.text())
        try:
            compared += cosimulation.check(folder, ["dut.v"], "dut", writer.inputs, writer.outputs, None, options.vectors, seed, models=library)
            vectors += options.vectors * len(writer.lines)
        except cosimulation.Different as found:
            failed += 1
            print(f"seed {seed}: {found}")
            if options.keep:
                shutil.copytree(folder, os.path.join(options.keep, f"seed_{seed}"), dirs_exist_ok=True)
        shutil.rmtree(folder)
    print(f"{len(kinds)} kinds of cells, {vectors} vectors, {compared} bits compared, {failed} of {options.rounds} modules differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
