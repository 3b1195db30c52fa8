#!/usr/bin/env python3
"""Gated clocks through smec import: gates of known shape become enables and do what they do in Icarus, in one module, in modules of their own and
down the hierarchy; any others are refused at their place."""
import os
import shutil
import subprocess
import sys
import tempfile

import cosimulation

GATE = """module gate(input clk_i, input en_i, input test_en_i, output clk_o);
  reg en;
  always @* if (!clk_i) en <= en_i | test_en_i;
  assign clk_o = clk_i & en;
endmodule
"""
# Registers of each kind, and a memory.
WORKER = """module worker(input clk, input rst, input en, input [7:0] d, output [7:0] q);
  reg [7:0] plain = 1, held = 2, reset, both, first, away, kept;
  reg [7:0] ram [0:3], set [0:7];
  reg [7:0] word = 0;
  integer i;
  initial for (i = 0; i < 4; i = i + 1) ram[i] = i;
  initial begin reset = 0; both = 0; first = 0; away = 0; kept = 0; end
  always @(posedge clk) plain <= d;
  always @(posedge clk) if (en) held <= d + held;
  always @(posedge clk) if (rst) reset <= 5; else reset <= reset + d;
  always @(posedge clk) if (rst) both <= 6; else if (en) both <= both + d;
  always @(posedge clk) if (en) begin if (rst) first <= 7; else first <= first + d; end
  always @(posedge clk or posedge rst) if (rst) away <= 8; else away <= away ^ d;
  always @(posedge clk or posedge rst) if (rst) kept <= 9; else if (en) kept <= kept + d;
  always @(posedge clk) if (en) ram[d[1:0]] <= d;
  always @(posedge clk) word <= ram[d[3:2]];
  always @(posedge clk or posedge rst) if (rst) for (i = 0; i < 8; i = i + 1) set[i] <= 77; else if (en) set[d[2:0]] <= d;
  assign q = plain ^ held ^ reset ^ both ^ first ^ away ^ kept ^ word ^ set[d[5:3]];
endmodule
"""
# Gated by a gate whose module has registers too, gated twice, and not at all.
LEVELS = GATE + WORKER + """module sleep(input clk, input rst, input wake, output reg [2:0] left, output clk_gated);
  initial left = 0;
  always @(posedge clk) if (rst) left <= 0; else if (wake) left <= 5; else if (left != 0) left <= left - 1;
  gate g(.clk_i(clk), .en_i(left != 0), .test_en_i(1'b0), .clk_o(clk_gated));
endmodule
module island(input clk, input rst, input en, input [7:0] d, output [7:0] a, output [7:0] b);
  wire inner;
  gate g(.clk_i(clk), .en_i(d[7]), .test_en_i(en), .clk_o(inner));
  worker w(.clk(clk), .rst(rst), .en(en), .d(d), .q(a));
  worker v(.clk(inner), .rst(rst), .en(en), .d(d), .q(b));
endmodule
module dut(input clk, input rst, input wake, input en, input [7:0] d, output [7:0] a, output [7:0] b, output [7:0] c, output [7:0] e, output [2:0] left);
  wire gated;
  sleep s(.clk(clk), .rst(rst), .wake(wake), .left(left), .clk_gated(gated));
  island i(.clk(gated), .rst(rst), .en(en), .d(d), .a(a), .b(b));
  island j(.clk(clk), .rst(rst), .en(en), .d(d), .a(c), .b(e));
endmodule
"""
# A clock that passes through, gates one behind the other and by the word, and `or` with a register.
SHAPES = """module through(input clk, output out);
  assign out = clk;
endmodule
module dut(input clk, input rst, input [3:0] en, input [7:0] d, output reg [7:0] a, output reg [7:0] b, output reg [7:0] c, output reg [7:0] e);
  wire same;
  through t(.clk(clk), .out(same));
  reg [3:0] open;
  always @* if (!clk) open = en;
  wire first = same && open[0];
  wire second = open[1] & first;
  wire [1:0] pair = {2{same}} & open[3:2];
  reg off = 0;
  always @(posedge clk) off <= d[0];
  wire third = same | off;
  initial begin a = 0; b = 0; c = 0; e = 0; end
  always @(posedge second) a <= a + d;
  always @(posedge pair[0]) b <= b + d;
  always @(posedge pair[1]) c <= b;
  always @(posedge third) e <= e + d;
endmodule
"""
# The same at the other edge: `or`, with a latch that is open while the clock is on.
FALLING = """module dut(input clk, input en, input [7:0] d, output reg [7:0] a, output reg [7:0] b);
  reg shut;
  always @* if (clk) shut = !en;
  wire gated = clk | shut;
  initial begin a = 0; b = 0; end
  always @(negedge gated) a <= a + d;
  always @(negedge clk) b <= a;
endmodule
"""
# Ports that are called as the enable would be, and clocks handed on by a module that uses them.
NAMES = GATE + """module worker(input clk, input clk_enable, input [7:0] d, output reg [7:0] q);
  initial q = 0;
  always @(posedge clk) if (clk_enable) q <= q + d;
endmodule
module hands(input clk, input d, output reg q, output clk_o, output clk_o_enable);
  initial q = 0;
  assign clk_o = clk;
  assign clk_o_enable = d;
  always @(posedge clk) q <= d;
endmodule
module dut(input clk, input en, input ce, input [7:0] d, output [7:0] a, output [7:0] b, output reg c, output q, output f);
  wire g, h;
  gate i(clk, en, 1'b0, g);
  worker v(g, ce, d, a);
  worker w(clk, ce, d, b);
  hands s(g, d[0], q, h, f);
  initial c = 0;
  always @(posedge h) c <= c ^ q;
endmodule
"""
# Clocks and words that go straight through modules, to others and to nobody.
HANDED = """module handed(input in, input [7:0] word, output a, output b, output [7:0] same, output [7:0] crossed);
  assign a = in, b = in, same = word, crossed = {word[0], word[1], word[2], word[3], word[4], word[5], word[6], word[7]};
endmodule
module core(input clk, input rst, input other, input [7:0] d, output reg [7:0] q, output next);
  assign next = clk;
  always @(posedge clk) if (rst) q <= 3; else q <= q + d;
endmodule
module dut(input clk, input rst, input [7:0] d, output [7:0] q, output [7:0] r, output [7:0] s, output [7:0] t);
  wire c0, c1, c2, c3, c4;
  wire [7:0] same, crossed, more;
  handed h(.in(clk), .word(d), .a(c0), .b(c1), .same(same), .crossed(crossed));
  handed g(.in(c0), .word({crossed[7:1], q[0]}), .a(c2), .b(c3), .same(more), .crossed(s));
  core one(.clk(c2), .rst(rst), .other(c1), .d(same), .q(q), .next(c4));
  core two(.clk(c4), .rst(rst), .other(c3), .d(more), .q(r), .next());
  handed open(.in(c3), .same(t));
endmodule
"""
# A clock that stands still, through two modules, beside one that runs.
STOPPED = """module tap(input tck, input trst, input [7:0] d, output reg [7:0] kept, output reg [7:0] set, output [7:0] word, output seen);
  assign seen = tck & d[3];
  reg [7:0] ram [0:3], all [0:7];
  integer i;
  initial begin kept = 7; for (i = 0; i < 4; i = i + 1) ram[i] = 3 * i; end
  always @(posedge tck) kept <= d;
  always @(posedge tck) if (trst) ram[d[1:0]] <= d;
  always @(posedge tck or posedge trst) if (trst) set <= 9; else if (d[0]) set <= d;
  always @(posedge tck or posedge trst) if (trst) for (i = 0; i < 8; i = i + 1) all[i] <= 21; else if (d[0]) all[d[3:1]] <= d;
  assign word = ram[d[1:0]] ^ all[d[4:2]];
endmodule
module debug(input tck, input clk, input rst, input [7:0] d, output seen, output [7:0] a, output [7:0] b, output [7:0] c, output reg [7:0] e);
  tap t(.tck(tck), .trst(rst), .d(d), .kept(a), .set(b), .word(c), .seen(seen));
  always @(posedge clk) if (rst) e <= 1; else e <= e + d;
endmodule
module dut(input clk, input rst, input [7:0] d, output [7:0] a, output [7:0] b, output [7:0] c, output [7:0] e, output seen);
  debug g(.tck(1'b0), .clk(clk), .rst(rst), .d(d), .seen(seen), .a(a), .b(b), .c(c), .e(e));
endmodule
"""
# The same behind gates and inverters, which leave it no edge, in the module and between modules.
BEHIND = STOPPED.replace("always @(posedge tck) kept", "wire shut = ~tck | d[1];\n  always @(negedge shut) kept").replace(
    "always @(posedge tck) if (trst)", "wire chosen = tck ? d[0] : tck & trst;\n  always @(posedge chosen) if (trst)").replace(
    "tap t(.tck(tck)", "wire gated = !(!tck || d[5]);\n  tap t(.tck(gated)")
ALIKE = {
    "stopped behind gates": (BEHIND, [("rst", 1), ("d", 8)], [("a", 8), ("b", 8), ("c", 8), ("e", 8), ("seen", 1)], ("rst", 1, 2)),
    "stopped": (STOPPED, [("rst", 1), ("d", 8)], [("a", 8), ("b", 8), ("c", 8), ("e", 8), ("seen", 1)], ("rst", 1, 2)),
    "stopped at 1": (STOPPED.replace("1'b0", "1'b1"), [("rst", 1), ("d", 8)], [("a", 8), ("b", 8), ("c", 8), ("e", 8), ("seen", 1)], ("rst", 1, 2)),
    "names": (NAMES, [("en", 1), ("ce", 1), ("d", 8)], [("a", 8), ("b", 8), ("c", 1), ("q", 1), ("f", 1)], None),
    "levels": (LEVELS, [("rst", 1), ("wake", 1), ("en", 1), ("d", 8)], [("a", 8), ("b", 8), ("c", 8), ("e", 8), ("left", 3)], ("rst", 1, 2)),
    "handed on": (HANDED, [("rst", 1), ("d", 8)], [("q", 8), ("r", 8), ("s", 8), ("t", 8)], ("rst", 1, 2)),
    "shapes": (SHAPES, [("rst", 1), ("en", 4), ("d", 8)], [("a", 8), ("b", 8), ("c", 8), ("e", 8)], ("rst", 1, 2)),
}
MAY_CHANGE = "m.v:3:12: error: cannot import a clock gate whose signal may change while that makes edges of its own; take it from a latch"
REFUSED = {
    "a register of this edge": ("module m(input c, input e, input d, output reg q);\n  reg r; always @(posedge c) r <= e;\n  wire g = c & r;\n"
                                "  always @(posedge g) q <= d;\nendmodule\n", MAY_CHANGE),
    "a latch and something else": ("module m(input c, input e, input f, input d, output reg q); reg r;\n  always @* if (!c) r = e;\n  wire g = c & (r | f);\n"
                                   "  always @(posedge g) q <= d;\nendmodule\n", MAY_CHANGE),
    "a latch of the wrong half": ("module m(input c, input e, input d, output reg q); reg r;\n  always @* if (c) r = e;\n  wire g = c & r;\n"
                                  "  always @(posedge g) q <= d;\nendmodule\n", MAY_CHANGE),
    "or with a latch": ("module m(input c, input e, input d, output reg q); reg r;\n  always @* if (!c) r = e;\n  wire g = c | r;\n"
                        "  always @(posedge g) q <= d;\nendmodule\n", "m.v:3:12: error: cannot import a clock gate whose signal may change while that makes edges of its own; take it from registers"),
    "as a value": ("module m(input c, input e, input d, output reg q, output p); reg r;\n  always @* if (!c) r = e;\n  wire g = c & r;\n"
                   "  always @(posedge g) q <= d;\n  assign p = g ^ d;\nendmodule\n", "m.v:5:14: error: cannot import a gated clock as a value"),
    "as a value of another instance": (GATE + "module m(input c, input e, input d, output reg q, output p);\n  wire g;\n  wire h;\n  gate a(c, e, 1'b0, g);\n  gate b(c, d, 1'b0, h);\n"
                                       "  always @(posedge g) q <= d;\n  assign p = ~h;\nendmodule\n", "error: cannot import a gated clock as a value"),
    "shown outside": ("module m(input c, input e, input d, output reg q, output g); reg r;\n  always @* if (!c) r = e;\n  assign g = c & r;\n"
                      "  always @(posedge g) q <= d;\nendmodule\n", "m.v:1:1: error: cannot import a gated clock as a value"),
    "a latch beside a clock that stands still high": ("module gate(input clk, input s, output g); reg shut = 0; always @(posedge clk) shut <= s; assign g = clk | shut; endmodule\n"
                                                      "module w(input clk, input d, output reg l, output reg p); always @* if (!clk) l = d; always @(posedge clk) p <= d; endmodule\n"
                                                      "module m(input clk, input s, input d, output l, output p); wire g; gate a(clk, s, g); w b(g, d, l, p); endmodule\n", "error: cannot import"),
    "as a value through a second output": ("module through(input clk, output a, output b); assign a = clk; assign b = clk; endmodule\n"
                                           "module m(input clk, input d, output reg q, output p);\n  wire g, h; through t(clk, g, h);\n"
                                           "  always @(posedge g) q <= d;\n  assign p = h & d;\nendmodule\n", "error: cannot import"),
    "a clock of itself": ("module through(input clk, output out); assign out = clk; endmodule\nmodule m(input e, input d, output reg q);\n  wire g; through t(.clk(g), .out(g));\n"
                          "  always @(posedge g) q <= d;\nendmodule\n", "error: cannot import"),
    "or with a memory": ("module m(input c, input we, input w, input [1:0] a, input d, output reg q);\n  reg shut [0:3]; always @(posedge c) if (we) shut[a] <= w;\n"
                         "  wire g = c | shut[a];\n  always @(posedge g) q <= d;\nendmodule\n", "error: cannot import a clock gate whose signal may change"),
    "or with a register that is reset at any time": ("module m(input c, input r, input s, input d, output reg q); reg shut;\n  always @(posedge c or posedge r) if (r) shut <= 1; else shut <= s;\n"
                                                     "  wire g = c | shut;\n  always @(posedge g) q <= d;\nendmodule\n", "error: cannot import a clock gate whose signal may change"),
    "two inputs": ("module m(input c, input e, input d, output reg q);\n  wire g = c & e;\n  always @(posedge g) q <= d;\nendmodule\n",
                   "m.v:3:3: error: cannot import a clock that is made inside the design"),
}
done = []


def check(holds, what):
    done.append(holds)
    if not holds:
        print(f"FAILED: {what}")


def alike(folder):
    for what, (text, inputs, outputs, reset) in cosimulation.sampled(ALIKE.items(), lambda case: case[0]):
        with open(os.path.join(folder, "dut.v"), "w", encoding="utf-8") as f:
            f.write(text)
        for mode in (("--interpret",), ("-O1", "--threads", "2")):
            try:
                compared = cosimulation.check(folder, ["dut.v"], "dut", inputs, outputs, "clk", 1000, 11, mode, reset)
                check(compared > 15000, f"{what}: {compared} bits compared")
            except cosimulation.Different as found:
                check(False, f"{what} {mode}: {found}")


def falling(folder):
    """Inputs change after the edge that counts: what is low then is the second half of a cycle."""
    with open(os.path.join(folder, "dut.v"), "w", encoding="utf-8") as f:
        f.write(FALLING)
    cosimulation.EDGES = ("1", "0")
    try:
        compared = cosimulation.check(folder, ["dut.v"], "dut", [("en", 1), ("d", 8)], [("a", 8), ("b", 8)], "clk", 500, 3)
        check(compared > 5000, f"falling: {compared} bits compared")
    except cosimulation.Different as found:
        check(False, f"falling: {found}")
    cosimulation.EDGES = ("0", "1")


def refusals(folder):
    for what, (text, message) in REFUSED.items():
        with open(os.path.join(folder, "m.v"), "w", encoding="utf-8") as f:
            f.write(text)
        p = subprocess.run([cosimulation.SMEC, "import", "m.v", "--top", "m"], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           encoding="utf-8", timeout=300, check=False)
        check(p.returncode == 1 and message in p.stderr and not p.stdout, f"{what}: {p.returncode} {p.stderr}")


def main():
    if not shutil.which("yosys") or not shutil.which("iverilog"):
        print("yosys and iverilog are needed: apt-get install yosys iverilog")
        return 77
    with tempfile.TemporaryDirectory(prefix="smec-gates-") as folder:
        alike(folder)
        falling(folder)
        refusals(folder)
    print(f"{sum(done)} of {len(done)} checks passed")
    return 0 if all(done) else 1


sys.exit(main())
