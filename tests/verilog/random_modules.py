#!/usr/bin/env python3
"""Operators of Verilog at many widths and signs, and random modules with registers, memories, resets and instances: what `smec import` makes of
them does in every cycle what Icarus does."""
import argparse
import os
import random
import shutil
import sys
import tempfile

import cosimulation

WIDTHS = [1, 2, 3, 7, 8, 13, 31, 32, 33, 64, 65, 100]
BINARY = ["+", "-", "*", "/", "%", "&", "|", "^", "~^", "<", "<=", ">", ">=", "==", "!=", "===", "!==", "&&", "||", "<<", ">>", "<<<", ">>>"]
UNARY = ["~", "-", "+", "!", "&", "|", "^", "~&", "~|", "~^"]


def operators(draw, count):
    """A module with `count` outputs, each of one operator, for random widths and signs."""
    inputs, outputs, lines = [], [], []
    for k in range(count):
        wa, wb, wy = (draw.choice(WIDTHS) for _ in range(3))
        signs = draw.choice([("", ""), ("", ""), (" signed", " signed"), (" signed", ""), ("", " signed")])
        a, b, y = f"a{k}", f"b{k}", f"y{k}"
        inputs += [(a, wa), (b, wb)]
        outputs.append((y, wy))
        lines.append(f"  input{signs[0]} [{wa - 1}:0] {a}; input{signs[1]} [{wb - 1}:0] {b};")
        sign = " signed" if signs[0] and draw.random() < 0.5 else ""
        lines.append(f"  output{sign} [{wy - 1}:0] {y};")
        lines.append(f"  assign {y} = {operation(draw, a, wa, b, wb)};")
    ports = ", ".join(n for n, _ in inputs + outputs)
    return "module dut(" + ports + ");\n" + "\n".join(lines) + "\nendmodule\n", inputs, outputs


def operation(draw, a, wa, b, wb):
    kind = draw.random()
    if kind < 0.60:
        op = draw.choice(BINARY)
        if op in "/%" and max(wa, wb) > 64:               # Icarus 11: 65'h1ffffffffffffffff / 1 is 0
            op = "+"
        if op in ("<<", "<<<", ">>", ">>>") and wb > 8:
            return f"{a} {op} {b}[{min(wb, 7) - 1}:0]"
        return f"{a} {op} {b}"
    if kind < 0.72:
        return f"{draw.choice(UNARY)}{a}"
    if kind < 0.78:
        return f"{b}[0] ? {a} : {b}"
    if kind < 0.84 and wa > 1:
        return f"{a}[{b}]" if wb <= 8 else f"{a}[{b}[3:0]]"
    if kind < 0.90 and wa > 3:
        return f"{a}[{b}{'[2:0]' if wb > 3 else ''} +: {draw.randrange(1, wa)}]"
    if kind < 0.95:
        return f"{{{a}, {draw.randrange(1, 4)}'d1, {{2{{{b}}}}}}}"
    return f"{a} {draw.choice(['+', '-', '*', '<<', '>>', '=='] + ['/', '%'] * (wa <= 64))} {draw.randrange(1, 200)}"


class Module:
    """A random module: wires of expressions, registers with enables and resets, a memory, cases."""

    def __init__(self, draw, name, children=()):
        self.draw, self.name = draw, name
        self.values = [("rst", 1), ("en", 1)]
        self.inputs = [("rst", 1), ("en", 1)] + [(f"x{k}", draw.choice([1, 2, 4, 8, 8, 16, 33])) for k in range(draw.randrange(1, 5))]
        self.values = list(self.inputs)
        self.lines, self.outputs = [], []
        registers = [(f"r{k}", draw.choice([1, 3, 8, 8, 16, 40])) for k in range(draw.randrange(0, 5))]
        for register, width in registers:
            initial = draw.choice([0, 0, 1, draw.getrandbits(width)])
            self.lines.append(f"  reg [{width - 1}:0] {register} = {width}'d{initial & ((1 << width) - 1)};")
        self.values += registers
        for k, child in enumerate(children):
            pins = [".clk(clk)"]
            for port, width in child.inputs:
                if port == "rst":                            # one that is computed has glitches in Icarus, which set registers
                    pins.append(".rst(rst)")
                    continue
                self.wire(f"c{k}_{port}", width)
                pins.append(f".{port}(c{k}_{port})")
            for port, width in child.outputs:
                self.lines.append(f"  wire [{width - 1}:0] c{k}_{port};")
                pins.append(f".{port}(c{k}_{port})")
            self.lines.append(f"  {child.name} c{k}({', '.join(pins)});")
            if k == 0 or draw.random() < 0.5:                # another child may read it
                self.values += [(f"c{k}_{port}", width) for port, width in child.outputs]
        for k in range(draw.randrange(1, 7)):
            self.wire(f"w{k}", draw.choice([1, 2, 5, 8, 16, 32]))
        if draw.random() < 0.5:
            self.memory()
        if draw.random() < 0.6:
            self.case()
        for register, width in registers:
            self.register(register, width)
        for k in range(draw.randrange(1, 5)):
            value, width = draw.choice(self.values)
            if draw.random() < 0.5:
                self.outputs.append((f"o{k}", width))
                self.lines.append(f"  assign o{k} = {value};")
            else:
                width = draw.choice([1, 4, 8, 20])
                self.outputs.append((f"o{k}", width))
                self.lines.append(f"  assign o{k} = {self.expression(2)};")

    def value(self):
        name, width = self.draw.choice(self.values)
        if width > 2 and self.draw.random() < 0.3:
            low = self.draw.randrange(width - 1)
            return f"{name}[{self.draw.randrange(low, width)}:{low}]"
        return name

    def expression(self, depth):
        draw = self.draw
        if depth == 0 or draw.random() < 0.15:
            return self.value() if draw.random() < 0.85 else f"{draw.choice([4, 8, 12])}'d{draw.randrange(16)}"
        kind = draw.random()
        left, right = self.expression(depth - 1), self.expression(depth - 1)
        if kind < 0.5:
            return f"({left} {draw.choice(['+', '-', '*', '&', '|', '^', '<', '==', '!=', '>=', '&&', '||'])} {right})"
        if kind < 0.65:
            return f"({left} ? {right} : {self.expression(depth - 1)})"
        if kind < 0.75:
            return f"({draw.choice(['~', '-', '!', '^'])}{left})"
        if kind < 0.87:
            return f"{{{left}, {right}}}"
        return f"({left} {draw.choice(['<<', '>>'])} {draw.randrange(0, 9)})"

    def wire(self, name, width):
        self.lines.append(f"  wire [{width - 1}:0] {name} = {self.expression(3)};")
        self.values.append((name, width))

    def memory(self):
        draw = self.draw
        width, size = draw.choice([(8, 16), (1, 8), (12, 10), (32, 32)])
        bits = max(1, (size - 1).bit_length()) + draw.choice([0, 0, 1, 3])    # also beyond its end
        self.lines += [f"  reg [{width - 1}:0] mem [0:{size - 1}];", "  integer i;",
                       f"  initial for (i = 0; i < {size}; i = i + 1) mem[i] = i * 7;",
                       f"  wire [{bits - 1}:0] wa = {self.expression(2)}; wire [{bits - 1}:0] ra = {self.expression(2)};",
                       f"  wire [{width - 1}:0] wd = {self.expression(2)}; wire we = {self.expression(1)};"]
        if width > 8 and draw.random() < 0.7:
            self.lines.append(f"  always @(posedge clk) if (we) mem[wa][7:0] <= wd[7:0];\n  always @(posedge clk) if (en) mem[wa][{width - 1}:8] <= wd[{width - 1}:8];")
        else:
            self.lines.append("  always @(posedge clk) if (we) mem[wa] <= wd;")
        if draw.random() < 0.5:
            self.lines.append(f"  wire [{width - 1}:0] rd = mem[ra];")
        else:
            self.lines.append(f"  reg [{width - 1}:0] rd = 0;\n  always @(posedge clk) rd <= mem[ra];")
        self.values.append(("rd", width))

    def case(self):
        arms = "".join(f"      2'd{k}: cs = {self.expression(2)};\n" for k in range(self.draw.randrange(2, 5)))
        self.lines.append(f"  reg [7:0] cs;\n  wire [1:0] sel = {self.expression(1)};\n  always @* begin\n    cs = {self.expression(1)};\n"
                          f"    case (sel)\n{arms}      default: ;\n    endcase\n  end")
        self.values.append(("cs", 8))

    def register(self, name, width):
        kind, value = self.draw.random(), self.draw.getrandbits(width)
        reset, enable = f"rst) {name} <= {width}'d{value}", f"{self.expression(1)}"
        if kind < 0.2:
            body = f"{name} <= {self.expression(3)};"
        elif kind < 0.4:
            body = f"if ({enable}) {name} <= {self.expression(3)};"
        elif kind < 0.6:
            body = f"if ({reset}; else if ({enable}) {name} <= {self.expression(3)};"
        elif kind < 0.7:
            body = f"if ({enable}) begin if ({reset}; else {name} <= {self.expression(3)}; end"
        elif kind < 0.8 and width > 4:
            body = f"begin if ({enable}) {name}[3:0] <= {self.expression(2)}; {name}[{width - 1}:4] <= {self.expression(2)}; end"
        else:
            self.lines.append(f"  always @(posedge clk or posedge rst) if ({reset}; else if (en) {name} <= {self.expression(3)};")
            return
        self.lines.append(f"  always @(posedge clk) {body}")

    def text(self):
        ports = ["input clk"] + [f"input [{w - 1}:0] {n}" for n, w in self.inputs] + [f"output [{w - 1}:0] {n}" for n, w in self.outputs]
        return f"module {self.name}({', '.join(ports)});\n" + "\n".join(self.lines) + "\nendmodule\n"


def unseen(folder, cycles, inputs):
    """On one thread and without a trace nobody looks before the last cycle, and what is only for lookers is not stored: the state must be the same."""
    words = [cosimulation.SMEC, "run", "dut.sme", "-Wno-unused", "--cycles", str(cycles), "--checksum", "--quiet", *(["--input", "rows.csv"] if inputs else [])]
    wanted = cosimulation.must(*words, "--interpret", folder=folder)
    found = cosimulation.must(*words, "--threads", "1", "-O1", folder=folder)
    if not wanted.strip() or wanted != found:
        raise cosimulation.Different(f"the state after all cycles is {found}, {wanted} in the interpreter")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--operators", type=int, default=0, help="modules of 40 operators each")
    parser.add_argument("--modules", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cycles", type=int, default=150)
    parser.add_argument("--compiled", type=int, default=0, help="every so many modules runs compiled, on two threads; 0: none")
    parser.add_argument("--keep", help="where files of findings go")
    options = parser.parse_args()
    if not shutil.which("yosys") or not shutil.which("iverilog"):
        print("yosys and iverilog are needed: apt-get install yosys iverilog")
        return 77
    failed = compared = 0
    for k in range(options.operators + options.modules):
        seed = options.seed + k
        draw = random.Random(seed)
        if k < options.operators:
            text, inputs, outputs = operators(draw, 40)
            clock = None
        else:
            leaf = Module(draw, "leaf")
            top = Module(draw, "dut", [leaf] * draw.randrange(0, 3))
            text, inputs, outputs, clock = leaf.text() + top.text(), top.inputs, top.outputs, "clk"
        isCompiled = options.compiled and k % options.compiled == 0
        mode = ("--threads", "2", "-O1") if isCompiled else ("--interpret",)
        folder = tempfile.mkdtemp(prefix="smec-verilog-")
        with open(os.path.join(folder, "dut.v"), "w", encoding="utf-8") as f:
            f.write(text)
        try:
            compared += cosimulation.check(folder, ["dut.v"], "dut", inputs, outputs, clock, options.cycles, seed, mode,
                                           reset=("rst", 1, 2) if clock else None)
            if isCompiled:
                unseen(folder, options.cycles, inputs)
        except cosimulation.Different as found:
            failed += 1
            print(f"seed {seed}: {found}")
            if options.keep:
                shutil.copytree(folder, os.path.join(options.keep, f"seed_{seed}"), dirs_exist_ok=True)
        shutil.rmtree(folder)
    print(f"{options.operators + options.modules - failed} of {options.operators + options.modules} modules agree with Icarus, {compared} bits compared")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
