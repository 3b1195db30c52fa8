#!/usr/bin/env python3
"""What is chosen through smec import, as in Icarus: elements of words that are wider than a machine's, of which little is read, and that are no
longer wide; and selects that are inverted elsewhere."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

import cosimulation

REGISTERS = """module dut(input clk, input rst, input [4:0] at, input [4:0] into, input we, input [31:0] d, output [31:0] q, output [7:0] low);
  wire [31:0] r [0:@LAST@];
  genvar i;
  generate for (i = 0; i <= @LAST@; i = i + 1) begin : words
    reg [31:0] value;
    always @(posedge clk) if (rst) value <= i * 77; else if (we && into == i) value <= d;
    assign r[i] = value;
  end endgenerate
  wire [@BITS@:0] all = {@JOINED@};
  assign q = all[{at, 5'd0} +: 32];
  assign low = all >> {at, 5'd0};
endmodule
"""


def registers(count, index=5):
    joined = ", ".join(f"r[{i}]" for i in reversed(range(count)))
    return REGISTERS.replace("@LAST@", str(count - 1)).replace("@BITS@", str(32 * count - 1)).replace("@JOINED@", joined).replace("[4:0]", f"[{index - 1}:0]")


FILE_PORTS = ([("rst", 1), ("at", 5), ("into", 5), ("we", 1), ("d", 32)], [("q", 32), ("low", 8)])
WIDE = re.compile(r"\bu(6[5-9]|[7-9][0-9]|[1-9][0-9]{2,})\b")
# what: text, inputs, outputs, whether words above 64 bits stay
CASES = {
    "registers of 32": (registers(32), *FILE_PORTS, False),
    "registers of 19, beyond the last": (registers(19), *FILE_PORTS, False),
    "registers by a part of a word": (registers(20).replace("all[{at, 5'd0} +: 32]", "all[{2'd0, at, 5'd0} +: 32]").replace("all >> {at, 5'd0}", "all[at * 32 +: 8]"), *FILE_PORTS, False),
    "registers of 100, in a table": (registers(100, 7), [("rst", 1), ("at", 7), ("into", 7), ("we", 1), ("d", 32)], FILE_PORTS[1], False),
    "registers of 24 bits, by a product": (registers(20).replace("[31:0]", "[23:0]").replace("[639:0] all", "[479:0] all").replace("{at, 5'd0} +: 32", "at * 24 +: 24").replace("{at, 5'd0}", "24 * at"),
                                          [("rst", 1), ("at", 5), ("into", 5), ("we", 1), ("d", 24)], [("q", 24), ("low", 8)], False),
    "registers of 40 bits in a table, by a product": (registers(80, 8).replace("[31:0]", "[39:0]").replace("[2559:0] all", "[3199:0] all").replace("{at, 5'd0} +: 32", "at * 40 +: 40").replace("{at, 5'd0}", "(40 * at)"),
                                                      [("rst", 1), ("at", 8), ("into", 8), ("we", 1), ("d", 40)], [("q", 40), ("low", 8)], False),
    "a product that is cut": (registers(20).replace("wire [639:0] all", "wire [7:0] place = at * 24;\n  wire [639:0] all").replace("{at, 5'd0} +: 32", "place +: 24").replace("{at, 5'd0}", "place"),
                              *FILE_PORTS, None),
    "one word": ("""module dut(input clk, input rst, input [1:0] at, input [31:0] d, output [31:0] q);
  reg [127:0] r;
  always @(posedge clk) if (rst) r <= 0; else r <= {r[95:0], d};
  assign q = r[{at, 5'd0} +: 32];
endmodule
""", [("rst", 1), ("at", 2), ("d", 32)], [("q", 32)], True),
    "an element that is written": ("""module dut(input clk, input rst, input [4:0] at, input we, input [31:0] d, output reg [15:0] third, output reg [31:0] last);
  reg [1023:0] next;
  always @* begin
    next = {32{32'd5}};
    next[96 +: 16] = third;
    next[992 +: 32] = last;
    if (we) next[{at, 5'd0} +: 32] = d;
  end
  always @(posedge clk) if (rst) begin third <= 3; last <= 31; end else begin third <= next[96 +: 16]; last <= next[992 +: 32]; end
endmodule
""", [("rst", 1), ("at", 5), ("we", 1), ("d", 32)], [("third", 16), ("last", 32)], None),
    "a select that is inverted elsewhere": ("""module dut(input clk, input a, input b, input t, input [7:0] c, input [7:0] d, output n, output reg [7:0] y);
  wire s = a ^ b;
  assign n = ~s;
  initial y = 0;
  always @(posedge clk) (* parallel_case *) case (1'b1) n: y <= c; t & s: y <= d; endcase
endmodule
""", [("a", 1), ("b", 1), ("t", 1), ("c", 8), ("d", 8)], [("n", 1), ("y", 8)], None),
    "resets that are on high and not 0": ("""module dut(input clk, input rst, input en, input [7:0] d, output reg [7:0] q, output reg [7:0] r);
  always @(posedge clk or posedge rst) if (rst) q <= 165; else q <= d;
  always @(posedge clk or posedge rst) if (rst) r <= 90; else if (en) r <= q;
endmodule
""", [("rst", 1), ("en", 1), ("d", 8)], [("q", 8), ("r", 8)], None),
    "elements by a negative stride": ("""module dut(input clk, input [1:0] idx, input [255:0] d, output [7:0] q);
  reg [7:0] r [0:31];
  integer i;
  wire [255:0] all = {@ALL@};
  wire signed [2:0] s = {1'b0, idx};
  wire signed [7:0] place = s * -8'sd24;
  wire [7:0] up = place;
  assign q = all[up +: 8];
  initial for (i = 0; i < 32; i = i + 1) r[i] = 0;
  always @(posedge clk) for (i = 0; i < 32; i = i + 1) r[i] <= d[8 * i +: 8];
endmodule
""".replace("@ALL@", ", ".join(f"r[{k}]" for k in range(31, -1, -1))), [("idx", 2), ("d", 256)], [("q", 8)], None),
    "bits that nobody reads": ("""module dut(input signed [39:0] a, input [99:0] b, input pick, output [9:0] y, output z);
  wire signed [99:0] wide = a;
  wire [99:0] all = pick ? ~(wide ^ b) : (wide & b) | {b[49:0], b[99:50]};
  assign y = {all[99], all[70:65], all[41:39]};
  assign z = all[0] ^ all[64];
endmodule
""", [("a", 40), ("b", 100), ("pick", 1)], [("y", 10), ("z", 1)], None),
    "signed counts and narrow elements": ("""module dut(input [79:0] a, input [2:0] b, input [31:0] c, input [31:0] d, input [31:0] e, input [1:0] at, output [7:0] y, output [31:0] z, output [3:0] n);
  wire [95:0] joined = {e, d, c};
  assign y = a >> {b, 3'd0};
  assign z = $signed(joined) >>> {at, 5'd0};
  assign n = joined >> {at, b[0], 2'd0};
endmodule
""", [("a", 80), ("b", 3), ("c", 32), ("d", 32), ("e", 32), ("at", 2)], [("y", 8), ("z", 32), ("n", 4)], None),
}
done = []


def check(holds, what):
    done.append(holds)
    if not holds:
        print(f"FAILED: {what}")


def wideWords(folder):
    """Those of what is computed; joined for a port they do not count."""
    p = subprocess.run([cosimulation.SMEC, "import", "dut.v", "--top", "dut"], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       encoding="utf-8", timeout=300, check=True)
    return WIDE.findall(p.stdout)


def main():
    if not shutil.which("yosys") or not shutil.which("iverilog"):
        print("yosys and iverilog are needed: apt-get install yosys iverilog")
        return 77
    with tempfile.TemporaryDirectory(prefix="smec-choices-") as folder:
        for what, (text, inputs, outputs, staysWide) in cosimulation.sampled(CASES.items(), lambda case: case[0]):
            with open(os.path.join(folder, "dut.v"), "w", encoding="utf-8") as f:
                f.write(text)
            clock = "clk" if "clk" in text else None
            for mode in (("--interpret",), ("-O1", "--threads", "2")):
                try:
                    compared = cosimulation.check(folder, ["dut.v"], "dut", inputs, outputs, clock, 500, 5, mode, ("rst", 1, 2) if "rst" in text else None)
                    check(compared > 500, f"{what}: {compared} bits compared")
                except cosimulation.Different as found:
                    check(False, f"{what} {mode}: {found}")
            if staysWide is not None:
                check(bool(wideWords(folder)) == staysWide, f"{what}: {wideWords(folder)}")
    print(f"{sum(done)} of {len(done)} checks passed")
    return 0 if all(done) else 1


sys.exit(main())
