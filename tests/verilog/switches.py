#!/usr/bin/env python3
"""Long `case`s through smec import, as in Icarus: those of constants become tables, which equal modules share, those of words trees, and whatever
else chooses between many words is no chain of conditions."""
import os
import shutil
import sys
import tempfile

import cosimulation


def arms(values, word, width=8):
    return "".join(f"    {width}'d{value}: y = {word(value)};\n" for value in values)


def case(select, text, default, ports="input [7:0] a, input [63:0] d", reg="output reg [15:0] y"):
    otherwise = f"    default: y = {default};\n" if default else ""
    return f"module dut({ports}, {reg});\n  always @* case ({select})\n{text}{otherwise}  endcase\nendmodule\n"


def constant(value):
    return f"16'd{value * 40503 % 65536}"


def part(value):
    return f"d[{value % 48} +: 16] + {value}"


BOX = """module box(input [7:0] a, output reg [15:0] y);
  always @* case (a)
%s  endcase
endmodule
module dut(input [31:0] a, output [31:0] y, output z);
  wire [15:0] lost;
  box first(a[7:0], y[15:0]);
  box second(a[15:8] ^ a[31:24], y[31:16]);
  reg flag;
  always @* case (a[20:16])
%s    default: flag = 0;
  endcase
  assign z = flag;
endmodule
""" % (arms(range(256), constant), "".join(f"    5'd{k}: flag = {k * k // 3 % 2};\n" for k in range(3, 30)))
# A table in the way of those who write for old compilers, with one more port that reads it.
WIRES = "module dut(input [7:0] a, input [7:0] b, output [15:0] y, output [15:0] z);\n  wire [15:0] t [0:255];\n%s  assign y = t[a];\n  assign z = t[b] ^ t[a ^ b];\nendmodule\n" % (
    "".join(f"  assign t[{k}] = {constant(k)};\n" for k in range(256)))
ONE_HOT = "module dut(input [99:0] s, input [63:0] d, output reg [15:0] y);\n  always @* begin\n    y = d[63:48];\n    case (1'b1)\n%s    endcase\n  end\nendmodule\n" % (
    "".join(f"      s[{k}]: y = {part(k)};\n" for k in range(100)))
# what it holds, what it reads as, whether there is a table
PORTS = [("a", 8), ("d", 64)], [("y", 16)]
CASES = {
    "a table": (case("a", arms(range(256), constant), None), *PORTS, True),
    "a table with gaps": (case("a", arms(range(3, 250, 2), constant), "16'hbeef"), *PORTS, True),
    "a table and words that are left": (case("a", arms(range(3, 250, 2), constant), "d[15:0]"), *PORTS, False),
    "a few values of many bits": (case("d[40:0]", arms(range(80), constant, 41), "7"), *PORTS, None),
    "words": (case("a", arms(range(256), part), None), *PORTS, False),
    "words, not all": (case("a", arms(range(70, 220), part), "d[20:5]"), *PORTS, False),
    "an array of wires": (WIRES, [("a", 8), ("b", 8)], [("y", 16), ("z", 16)], True),
    "two of one table": (BOX, [("a", 32)], [("y", 32), ("z", 1)], True),
    "one of many bits": (ONE_HOT, [("s", 100), ("d", 64)], [("y", 16)], False),
    "values that cannot be": (case("{2'b0, a[5:0]}", arms(range(256), constant), "3"), *PORTS, None),
    "signed": (case("$signed(a)", "".join(f"    -{k}: y = {constant(k)};\n" for k in range(1, 120)), "9"), *PORTS, None),
}
done = []


def check(holds, what):
    done.append(holds)
    if not holds:
        print(f"FAILED: {what}")


def tables(folder):
    with open(os.path.join(folder, "dut.sme"), encoding="utf-8") as f:
        return [line for line in f if line.startswith("const ")]


def main():
    if not shutil.which("yosys") or not shutil.which("iverilog"):
        print("yosys and iverilog are needed: apt-get install yosys iverilog")
        return 77
    with tempfile.TemporaryDirectory(prefix="smec-switches-") as folder:
        for what, (text, inputs, outputs, isTable) in cosimulation.sampled(CASES.items(), lambda case: case[0]):
            with open(os.path.join(folder, "dut.v"), "w", encoding="utf-8") as f:
                f.write(text)
            for mode in (("--interpret",), ("-O1", "--threads", "2")):
                try:
                    compared = cosimulation.check(folder, ["dut.v"], "dut", inputs, outputs, None, 600, 5, mode)
                    check(compared > 500, f"{what}: {compared} bits compared")
                except cosimulation.Different as found:
                    check(False, f"{what} {mode}: {found}")
            if isTable is not None:
                check(bool(tables(folder)) == isTable, f"{what}: {tables(folder)}")
            if what == "two of one table":
                check(len(tables(folder)) == 2, f"shared: {tables(folder)}")
    print(f"{sum(done)} of {len(done)} checks passed")
    return 0 if all(done) else 1


if __name__ == "__main__":
    sys.exit(main())
