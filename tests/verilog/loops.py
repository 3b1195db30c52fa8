#!/usr/bin/env python3
"""Words that depend on one another in different bits through smec import: they are parted and do what they do in Icarus; loops of bits are refused
at their place."""
import os
import shutil
import subprocess
import sys
import tempfile

import cosimulation

ALIKE = {
    "ripple carry": ("""module dut(input [15:0] a, input [15:0] b, input first, output [15:0] sum, output last);
  wire [16:0] c;
  assign c[0] = first;
  assign c[16:1] = (a & b) | (c[15:0] & (a ^ b));
  assign sum = a ^ b ^ c[15:0];
  assign last = c[16];
endmodule
""", [("a", 16), ("b", 16), ("first", 1)], [("sum", 16), ("last", 1)]),
    "grants": ("""module dut(input [7:0] request, input [7:0] mask, output [7:0] grant, output some);
  wire [7:0] taken;
  assign taken = {taken[6:0] | (request[6:0] & mask[6:0]), 1'b0};
  assign grant = request & mask & ~taken;
  assign some = |grant;
endmodule
""", [("request", 8), ("mask", 8)], [("grant", 8), ("some", 1)]),
    "fields": ("""module dut(input [7:0] a, input [7:0] b, input [1:0] pick, output reg [23:0] word, output [7:0] back);
  reg [23:0] next;
  always @* begin
    next[7:0] = a;
    next[15:8] = word[7:0] + b;
    next[23:16] = pick[0] ? word[15:8] - a : word[15:8] ^ b;
  end
  always @* case (pick)
    0: word = next;
    1: word = ~next;
    2: word = {next[23:8], b};
    default: word = next & {3{b}};
  endcase
  assign back = word[23:16];
endmodule
""", [("a", 8), ("b", 8), ("pick", 2)], [("word", 24), ("back", 8)]),
    "sums": ("""module dut(input [11:0] a, input [11:0] b, output [11:0] y, output [11:0] z);
`ifdef REFERENCE  // where a bit of a sum is x, Icarus has x in all
  wire [3:0] y0 = a[3:0] + 4'd3 - b[3:0];
  wire [7:0] y1 = a[7:0] + {y0, 4'd3} - b[7:0];
  assign y = a + {y1, 4'd3} - b;
  wire [2:0] z0 = a[2:0] - b[2:0];
  wire [5:0] z1 = a[5:0] - {z0, b[2:0]};
  wire [8:0] z2 = {{3{a[5]}}, a[5:0]} - {z1, b[2:0]};
  assign z = {{6{a[5]}}, a[5:0]} - {z2, b[2:0]};
`else
  assign y = a + {y[7:0], 4'd3} - b;
  wire signed [11:0] s = $signed(a[5:0]) - $signed({z[8:0], b[2:0]});
  assign z = s;
`endif
endmodule
""", [("a", 12), ("b", 12)], [("y", 12), ("z", 12)]),
    "through instances": ("""module swap(input clk, input [3:0] a, input b, output [3:0] y, output [3:0] old);
  reg [3:0] kept = 3;
  always @(posedge clk) kept <= a;
  assign y = {a[2:0], b};
  assign old = kept;
endmodule
module pair(input clk, input [7:0] a, output [7:0] y, output [3:0] old);
  wire [3:0] none;
  swap low(.clk(clk), .a(a[3:0]), .b(1'b1), .y(y[3:0]), .old(none));
  swap high(.clk(clk), .a(a[7:4]), .b(a[3]), .y(y[7:4]), .old(old));
endmodule
module dut(input clk, input rst, input [7:0] d, output [7:0] q, output [3:0] r, output [3:0] s, output [3:0] t);
  wire [7:0] w;
  wire [3:0] plain;
  pair p(.clk(clk), .a({w[6:0], d[0]} ^ d), .y(w), .old(r));
  swap alone(.clk(clk), .a(d[3:0]), .b(rst), .y(plain), .old(s));
  wire through;
  pass one(.a({d[1], through}), .y({through, t[0]}));
  assign q = w;
  assign t[3:1] = plain[3:1];
endmodule
module pass(input [1:0] a, output [1:0] y);
  assign y = a;
endmodule
""", [("rst", 1), ("d", 8)], [("q", 8), ("r", 4), ("s", 4), ("t", 4)]),
    "beside registers": ("""module dut(input clk, input rst, input [7:0] d, output [7:0] q, output reg [7:0] held);
  wire [7:0] chain = {chain[6:0] & d[7:1], d[0]} ^ held;
  always @(posedge clk) if (rst) held <= 0; else held <= chain + 1;
  assign q = chain;
endmodule
""", [("rst", 1), ("d", 8)], [("q", 8), ("held", 8)]),
}
REFUSED = {
    "of a bit": ("module m(input a, input b, output y);\n  wire c;\n  assign c = a & y;\n  assign y = b | c;\nendmodule\n", ":3:14: error: cannot import a combinational loop through"),
    "within words": ("module m(input [3:0] a, output [3:0] y);\n  wire [3:0] c = a & {y[2:0], y[3]};\n  assign y = c ^ 4'd5;\nendmodule\n",
                     "error: cannot import a combinational loop through"),
    "through instances": ("module n(input [1:0] a, output [1:0] y);\n  assign y = ~a;\nendmodule\nmodule m(input a, output [1:0] w);\n  n u(.a({w[0], w[1] & a}), .y(w));\nendmodule\n",
                          "error: cannot import a combinational loop through"),
    "of a carry": ("module m(input [3:0] a, output [3:0] y);\n  assign y = a + {3'd0, y[3]};\nendmodule\n", "m.v:2:14: error: cannot import a combinational loop through"),
}
done = []


def check(holds, what):
    done.append(holds)
    if not holds:
        print(f"FAILED: {what}")


def alike(folder):
    for what, (text, inputs, outputs) in cosimulation.sampled(ALIKE.items(), lambda case: case[0]):
        with open(os.path.join(folder, "dut.v"), "w", encoding="utf-8") as f:
            f.write(text)
        clock = "clk" if "clk" in text else None
        for mode in (("--interpret",), ("-O1", "--threads", "2")):
            try:
                compared = cosimulation.check(folder, ["dut.v"], "dut", inputs, outputs, clock, 600, 5, mode, ("rst", 1, 2) if clock else None, models=["-DREFERENCE"])
                check(compared > 600, f"{what}: {compared} bits compared")
            except cosimulation.Different as found:
                check(False, f"{what} {mode}: {found}")


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
    with tempfile.TemporaryDirectory(prefix="smec-loops-") as folder:
        alike(folder)
        refusals(folder)
    print(f"{sum(done)} of {len(done)} checks passed")
    return 0 if all(done) else 1


sys.exit(main())
