#!/usr/bin/env python3
"""Each register of Yosys' internal library, at many widths and with all polarities, by its name in Verilog: what `smec import` makes of it does what the
cell's model in Yosys' simlib.v and simcells.v does in Icarus. A bit that is x there may be anything. What acts without the clock comes in ways that events and
hardware agree on: a set never outlasts a clear that was on with it, and what is loaded does not change meanwhile."""
import argparse
import itertools
import os
import random
import shutil
import sys
import tempfile

import cells
import cosimulation

# By always blocks.
SOURCE = """module dut(input clk, input load, input en, input rst, input set, input [7:0] d, output reg [7:0] q, output reg [7:0] e, output reg [7:0] s);
  reg [7:0] start = 3;
  always @(posedge clk) if (!load) start <= d;
  always @(posedge clk or posedge load) if (load) q <= start; else q <= d;
  always @(posedge clk or posedge load) if (load) e <= start; else if (en) e <= e + d;
  wire on = set & ~rst;
  always @(posedge clk or posedge rst or posedge on) if (rst) s <= 0; else if (on) s <= 255; else if (en) s <= s ^ d;
endmodule
"""
SOURCE_PORTS = [("load", 1), ("en", 1), ("rst", 1), ("set", 1), ("d", 8)], [("q", 8), ("e", 8), ("s", 8)]
# Cells of proofs, and what they are in four cycles.
PROOFS = """module dut(input clk, input [3:0] a, output first, output [3:0] some, output [3:0] before, output [3:0] again);
  \\$initstate i(.Y(first));
  \\$ff #(.WIDTH(4)) f(.D(a), .Q(before));
  \\$anyinit #(.WIDTH(4)) g(.D(a), .Q(again));
  assign some = $anyseq;
  \\$live l(.A(a[0]), .EN(1'b1));
  \\$fair m(.A(a[1]), .EN(1'b1));
endmodule
"""
PROOF_PORTS = [("a", 4)], [("first", 1), ("some", 4), ("before", 4), ("again", 4)]
WORDS = ["dff", "dffe", "sdff", "sdffe", "sdffce", "adff", "adffe", "aldff", "aldffe", "dffsr", "dffsre"]
GATES = {"DFF": "C", "DFFE": "CE", "SDFF": "CRV", "SDFFE": "CRVE", "SDFFCE": "CRVE", "ALDFF": "CL", "ALDFFE": "CLE", "DFFSR": "CSR", "DFFSRE": "CSRE"}
ASYNC_GATES = {"DFF": "CRV", "DFFE": "CRVE"}
LETTERS = {"V": "01"}


def gateNames(edge):
    names = []
    for table in (GATES, ASYNC_GATES):
        for kind, pins in table.items():
            for letters in itertools.product(*(LETTERS.get(pin, edge if pin == "C" else "NP") for pin in pins)):
                names.append((f"_{kind}_{''.join(letters)}_", dict(zip(pins, letters))))
    return names


class Writer:
    """`edge` of the clock: P or N, the same for all."""
    def __init__(self, draw, edge):
        self.draw, self.edge, self.inputs, self.outputs, self.lines = draw, edge, [], [], []

    def wire(self, width, isOutput=False):
        name = f"{'y' if isOutput else 'a'}{len(self.inputs) + len(self.outputs)}"
        (self.outputs if isOutput else self.inputs).append((name, width))
        return name

    def load(self, width):
        """What loads, for one cycle at a time, and what is loaded: neither changes within a cycle."""
        name, edge = f"l{len(self.lines)}", "posedge" if self.edge == "P" else "negedge"
        self.lines.append(f"  reg {name}_phase = 0, {name}_wanted = 0; reg [{width - 1}:0] {name}_value = 0; wire {name} = {name}_wanted & {name}_phase;\n"
                          f"  always @({edge} clk) begin {name}_phase <= ~{name}_phase; {name}_wanted <= {self.wire(1)}; {name}_value <= {self.wire(width)}; end")
        return name, f"{name}_value"

    def add(self, kind, pins, parameters):
        values = ", ".join(f".{name}({value})" for name, value in parameters.items())
        ports = ", ".join(f".{name}({value})" for name, value in pins.items())
        number = len(self.lines)
        self.lines.append(f"  \\${kind} {f'#({values}) ' if values else ''}cell{number} (.{'CLK' if values else 'C'}(clk), {ports});")

    def setAndCleared(self, width, polarities):
        """Some bits are set and cleared together, others never."""
        clear, wanted = self.wire(width), self.wire(width)
        both = f"{width}'d{self.draw.getrandbits(width)}"
        inverted = {True: "", False: "~"}
        return f"{inverted[polarities[0]]}({wanted} & ~{clear} | {both} & {clear})", f"{inverted[polarities[1]]}({clear})"

    def word(self, kind):
        draw, width = self.draw, self.draw.choice(cells.WIDTHS)
        parameters, pins = {"WIDTH": width, "CLK_POLARITY": int(self.edge == "P")}, {}
        for pin in [reset for reset in ("SRST", "ARST") if kind.startswith(f"{reset[0].lower()}dff")] + ["EN"] * kind.endswith("e"):
            parameters[f"{pin}_POLARITY"] = draw.randrange(2)
            pins[pin] = self.wire(1)
            if pin != "EN":
                parameters[f"{pin}_VALUE"] = f"{width}'d{draw.getrandbits(width)}"
        if kind.startswith("aldff"):
            parameters["ALOAD_POLARITY"] = draw.randrange(2)
            load, pins["AD"] = self.load(width)
            pins["ALOAD"] = load if parameters["ALOAD_POLARITY"] else f"~{load}"
        if kind.startswith("dffsr"):
            parameters |= {"SET_POLARITY": draw.randrange(2), "CLR_POLARITY": draw.randrange(2)}
            pins["SET"], pins["CLR"] = self.setAndCleared(width, (bool(parameters["SET_POLARITY"]), bool(parameters["CLR_POLARITY"])))
        self.add(kind, pins | {"D": self.wire(width), "Q": self.wire(width, True)}, parameters)

    def gate(self, name, letters):
        pins = {}
        if "S" in letters:
            pins["S"], pins["R"] = self.setAndCleared(1, (letters["S"] == "P", letters["R"] == "P"))
        elif "R" in letters:
            pins["R"] = self.wire(1)
        if "L" in letters:
            load, pins["AD"] = self.load(1)
            pins["L"] = load if letters["L"] == "P" else f"~{load}"
        if "E" in letters:
            pins["E"] = self.wire(1)
        self.add(name, pins | {"D": self.wire(1), "Q": self.wire(1, True)}, {})

    def text(self):
        ports = ["input clk"] + [f"input [{w - 1}:0] {n}" for n, w in self.inputs] + [f"output [{w - 1}:0] {n}" for n, w in self.outputs]
        return f"module dut({', '.join(ports)});\n" + "\n".join(self.lines) + "\nendmodule\n"


def compare(options, library):
    failed = compared = 0
    gates = 0
    for k in range(options.rounds):
        edge = "PN"[k % 2]
        writer = Writer(random.Random(options.seed + k), edge)
        for kind in WORDS * 2:
            writer.word(kind)
        for name, letters in gateNames(edge):
            writer.gate(name, letters)
        gates = len(gateNames(edge))
        cosimulation.EDGES = ("0", "1") if edge == "P" else ("1", "0")
        folder = tempfile.mkdtemp(prefix="smec-registers-")
        with open(os.path.join(folder, "dut.v"), "w", encoding="utf-8") as f:
            f.write(writer.text())
        try:
            compared += cosimulation.check(folder, ["dut.v"], "dut", writer.inputs, writer.outputs, "clk", options.vectors, options.seed + k, models=library)
        except cosimulation.Different as found:
            failed += 1
            print(f"seed {options.seed + k}: {found}")
            if options.keep:
                shutil.copytree(folder, os.path.join(options.keep, f"registers_{options.seed + k}"), dirs_exist_ok=True)
        shutil.rmtree(folder)
    print(f"{len(WORDS)} kinds of words and {gates} of bits, {compared} bits compared, {failed} of {options.rounds} modules differ")
    return 1 if failed or compared == 0 else 0


def handwritten(folder):
    """What does not hold, as texts."""
    with open(os.path.join(folder, "dut.v"), "w", encoding="utf-8") as f:
        f.write(SOURCE)
    inputs, outputs = SOURCE_PORTS
    for options in ((), ("--reset-as-sync",)):
        try:
            cosimulation.check(folder, ["dut.v"], "dut", inputs, outputs, cycles=300, options=options)
            if options:
                yield "--reset-as-sync changes nothing"
        except cosimulation.Different as found:
            if not options or "in Icarus" not in str(found):
                yield f"always blocks {options}: {found}"
    with open(os.path.join(folder, "dut.v"), "w", encoding="utf-8") as f:
        f.write(PROOFS)
    cosimulation.imported(folder, ["dut.v"], "dut")
    values = cosimulation.inSmec(folder, *PROOF_PORTS, [{"a": a} for a in (3, 4, 0, 1)], ("--interpret",))
    if values != [[1, 0, 0, 0], [0, 0, 3, 3], [0, 0, 4, 4], [0, 0, 0, 0]]:
        yield f"cells of proofs: {values}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=2, help="modules with each kind; every other one with falling clocks")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--vectors", type=int, default=200)
    parser.add_argument("--keep", help="where files of findings go")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="smec-models-") as scratch:
        library = cells.models(scratch)
        if not shutil.which("yosys") or not shutil.which("iverilog") or not library:
            print("yosys and iverilog are needed: apt-get install yosys iverilog")
            return 77
        problems = list(handwritten(scratch))
        for problem in problems:
            print(f"FAILED: {problem}")
        return 1 if compare(options, library) or problems else 0


if __name__ == "__main__":
    sys.exit(main())
