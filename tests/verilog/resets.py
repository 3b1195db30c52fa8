#!/usr/bin/env python3
"""--after-reset: registers and memories start as Icarus has them after eight cycles of the reset, whatever instances do with it; and --tie holds
ports of the top module alone. Modules by hand, random ones, and a process whose body is Verilog."""
import argparse
import os
import random
import re
import shutil
import sys
import tempfile

import cosimulation
import random_modules

CYCLES_OF_RESET = 8
COPIES = 32  # of a core, beside one another
# Instances of one module that start apart: behind a synchroniser, by what they are given, by a parameter; registers that nothing but the reset
# sets, a memory that is written meanwhile, a child's port with the name of the top's.
STAGES = """module stage #(parameter N = 1) (input clk, input rst_n, input [7:0] d, output reg [7:0] q, output [7:0] m);
  reg [7:0] mem [0:3];
  reg [1:0] p = 2;
  integer i;
  initial for (i = 0; i < 4; i = i + 1) mem[i] = 3 * i;
  assign m = mem[p];
  always @(posedge clk or negedge rst_n) if (!rst_n) q <= 7; else q <= d + N;
  always @(posedge clk) begin p <= p + 1; mem[p] <= q ^ p; end
endmodule
module dut(input clk, input rst_n, input [3:0] k, output [7:0] a, output [7:0] b, output [7:0] c, output [7:0] ma, output [7:0] mb, output reg [7:0] late);
  reg [2:0] sync = 0;
  reg [7:0] once = 0;
  reg boot = 0;
  initial late = 0;
  always @(posedge clk) sync <= {sync[1:0], rst_n};
  always @(posedge clk) begin if (!sync[2]) once <= 42; boot <= !sync[2]; late <= once + boot; end
  stage s0(.clk(clk), .rst_n(rst_n), .d({4'd0, k}), .q(a), .m(ma));
  stage s1(.clk(clk), .rst_n(sync[2]), .d(a), .q(b), .m(mb));
  stage #(.N(3)) s2(.clk(clk), .rst_n(sync[2]), .d(b), .q(c), .m());
endmodule
"""
STAGE_PORTS = [("k", 4)], [("a", 8), ("b", 8), ("c", 8), ("ma", 8), ("mb", 8), ("late", 8)]
# Names that Yosys writes in its own ways, two levels down, in a loop.
NAMES = """module leaf #(parameter I = 1) (input clk, input rst, input we, input [2:0] a, input [7:0] d, output [7:0] q, output reg [7:0] c);
  reg [7:0] mem [0:7];
  reg [7:0] \\odd[name ;
  integer i;
  initial begin for (i = 0; i < 8; i = i + 1) mem[i] = 0; c = 0; \\odd[name = 0; end
  assign q = mem[a] ^ \\odd[name ;
  always @(posedge clk) begin
    if (we) mem[a] <= d;
    c[3:0] <= rst ? I : c[3:0] + 1;
    c[7:4] <= rst ? 4'd3 : c[3:0];
    \\odd[name <= d + c;
  end
endmodule
module mid(input clk, input rst, input we, input [2:0] a, input [7:0] d, output [7:0] q, output [7:0] c);
  leaf #(.I(5)) \\l.x (.clk(clk), .rst(rst), .we(we), .a(a), .d(d), .q(q), .c(c));
endmodule
module dut(input clk, input rst, input we, input [2:0] a, input [7:0] d, output [15:0] q, output [15:0] c);
  genvar i;
  generate for (i = 0; i < 2; i = i + 1) begin : g
    mid m(clk, rst, we ^ i[0], a, d + i[7:0], q[i * 8 +: 8], c[i * 8 +: 8]);
  end endgenerate
endmodule
"""
# Modules that are to stay apart, and names that look like Yosys' own or that `write_json` leaves as they are.
APART = """(* keep_hierarchy *) module sub(input clk, input rst, input [3:0] d, output reg [7:0] q);
  initial q = 0;
  always @(posedge clk) if (rst) q <= 5; else q <= q + d;
endmodule
module mid(input clk, input rst, input [3:0] d, output [7:0] q, output [7:0] p);
  sub \\0 (clk, rst, d, q);
  sub \\$hid (clk, rst, d, p);
endmodule
module dut(input clk, input rst, input [3:0] d, output [7:0] a, output [7:0] b, output [7:0] c, output [7:0] e, output [7:0] f);
  mid \\1a (clk, rst, d, a, b);
  mid plain(clk, rst, d + 4'd1, c, e);
  (* keep_hierarchy *) sub last(clk, rst, d, f);
endmodule
"""
APART_PORTS = [("d", 4)], [("a", 8), ("b", 8), ("c", 8), ("e", 8), ("f", 8)]
NAME_PORTS = [("we", 1), ("a", 3), ("d", 8)], [("q", 16), ("c", 16)]
TIED = """module count(input clk, input en, output reg [3:0] q);
  initial q = 0;
  always @(posedge clk) if (en) q <= q + 1;
endmodule
module dut(input clk, input en, input go, output [3:0] x, output [3:0] y);
  count a(clk, en, x);
  count b(clk, go, y);
endmodule
"""
# Two equal modules below a process of a network.
TWICE = """module count(input clk, input rst, input en, output reg [7:0] q);
  always @(posedge clk) if (rst) q <= 5; else if (en) q <= q + 1;
endmodule
module twice(input clk, input rst, output [7:0] a_v, output [7:0] b_v);
  count c0(clk, rst, 1'b1, a_v);
  count c1(clk, rst, a_v[0], b_v);
endmodule
"""
NETWORK = """type byte: bus { v: u8; };
extern proc twice(out a: byte, out b: byte) verilog("twice.v");
network top(out a: byte, out b: byte)
{
    instance t of twice(a, b);
}
"""
failures = []


def afterReset(folder, text, ports, reset, seed, mode=("--interpret",), cycles=60):
    """How many bits were compared. Icarus sees the reset, and zeros, for eight cycles first."""
    inputs, outputs = ports
    name, on = reset
    with open(os.path.join(folder, "dut.v"), "w", encoding="utf-8") as f:
        f.write(text)
    draw = random.Random(seed)
    rows = [{port: cosimulation.drawn(draw, width) for port, width in inputs} for _ in range(cycles)]
    before = [{port: 0 for port, _ in inputs} | {name: on}] * CYCLES_OF_RESET
    whole = before + [row | {name: 1 - on} for row in rows]
    bits = cosimulation.inIcarus(folder, ["dut.v"], "dut", [(name, 1)] + inputs, outputs, "clk", whole)[CYCLES_OF_RESET:]
    cosimulation.imported(folder, ["dut.v"], "dut", ("--after-reset", f"{name}={on}"))
    return cosimulation.compare(outputs, bits, cosimulation.inSmec(folder, inputs, outputs, rows, mode))


def tried(what, keep, run):
    folder = tempfile.mkdtemp()
    try:
        return run(folder)
    except cosimulation.Different as found:
        failures.append(what)
        print(f"{what}: {found}")
        if keep:
            shutil.copytree(folder, os.path.join(keep, what), dirs_exist_ok=True)
        return 0
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def randomModule(seed):
    draw = random.Random(seed)
    leaf = random_modules.Module(draw, "leaf")
    top = random_modules.Module(draw, "dut", [leaf] * draw.randrange(0, 3))
    inputs = [port for port in top.inputs if port[0] != "rst"]
    return leaf.text() + top.text(), (inputs, top.outputs)


def tied(folder):
    with open(os.path.join(folder, "dut.v"), "w", encoding="utf-8") as f:
        f.write(TIED)
    cosimulation.imported(folder, ["dut.v"], "dut", ("--tie", "en=0", "--tie", "go=1"))
    values = cosimulation.inSmec(folder, [], [("x", 4), ("y", 4)], [{}] * 4, ("--interpret",))
    if values != [[0, 0], [0, 1], [0, 2], [0, 3]]:
        raise cosimulation.Different(f"en is 0 at the top alone: {values}")
    return 8 * len(values)


def inNetwork(folder):
    for name, text in (("twice.v", TWICE), ("dut.sme", NETWORK)):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
            f.write(text)
    values = cosimulation.inSmec(folder, [], [("a", 8), ("b", 8)], [{}] * 4, ("--interpret",))
    if values != [[5, 5], [6, 6], [7, 6], [8, 7]]:
        raise cosimulation.Different(f"two counters below a process: {values}")
    return 16 * len(values)


MANY = """module dut #(parameter N = 4) (input clk, input rst, output [31:0] sum);
  wire [31:0] part [0:N];
  assign part[0] = 0;
  genvar i;
  generate for (i = 0; i < N; i = i + 1) begin : cores
    wire cyc, we; wire [31:0] adr, dat; wire [3:0] sel;
    tiny core (.clk(clk), .rst(rst), .cyc(cyc), .adr(adr), .we(we), .sel(sel), .dat(dat), .ack(cyc), .rdt(32'h00108093));
    assign part[i + 1] = part[i] ^ adr ^ dat;
  end endgenerate
  assign sum = part[N];
endmodule
"""


def drawn(folder):
    """Copies of a core begin with other values, each of its own, and have as many classes as those that begin alike."""
    shutil.copy(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cores", "tiny.v"), folder)
    with open(os.path.join(folder, "dut.v"), "w", encoding="utf-8") as f:
        f.write(MANY)

    def done(*words):
        status, out, said = cosimulation.run(*words, folder=folder)
        if status != 0:
            raise cosimulation.Different(f"{words}: status {status}, {said}")
        return out

    def imported(copies, name, *options):
        done(cosimulation.SMEC, "import", "dut.v", "tiny.v", "--top", "dut", "--parameter", f"N={copies}", "--after-reset", "rst", *options, "-o", name)
        with open(os.path.join(folder, name), encoding="utf-8") as f:
            return f.read()

    def classes(name):
        return re.findall(r"^class \d+ (\w+): (\d+)", done(cosimulation.SMEC, "compile", name, "--emit", "ir"), re.M)

    imported(COPIES, "alike.sme")
    imported(COPIES, "drawn.sme", "--x-initial", "random")
    if classes("drawn.sme") != classes("alike.sme") or ("tiny", str(COPIES)) not in classes("drawn.sme"):
        raise cosimulation.Different(f"classes: {classes('drawn.sme')} drawn, {classes('alike.sme')} alike")
    cycles = ("--cycles", "70", "--trace-all", "--quiet", "--checksum", "--trace")
    wanted = done(cosimulation.SMEC, "run", "drawn.sme", "--interpret", *cycles, "wanted.csv")
    done(cosimulation.SMEC, "compile", "drawn.sme", "-O0", "-q", "-o", "drawn")
    traces = []
    if done("./drawn", *cycles, "got.csv") != wanted:
        raise cosimulation.Different("the checksum")
    for name in ("wanted.csv", "got.csv"):
        with open(os.path.join(folder, name), encoding="utf-8") as f:
            traces.append(f.read())
    header, first = (line.split(",") for line in traces[0].splitlines()[:2])
    begins = [value for name, value in zip(header, first) if re.fullmatch(r".*core.*\.registers\[1\]", name)]
    if traces[0] != traces[1] or len(begins) != COPIES or len(set(begins)) < COPIES:
        raise cosimulation.Different(f"the traces, or what registers[1] is at first: {begins}")
    same = [imported(2, "few.sme", "--x-initial", initial) for initial in ("random:7", "random:7", "random:8")]
    if same[0] != same[1] or same[1] == same[2]:
        raise cosimulation.Different("one seed, other values, or two, the same")
    return 32 * COPIES


def noReset(folder):
    with open(os.path.join(folder, "dut.v"), "w", encoding="utf-8") as f:
        f.write(TIED)
    for name in ("x", "nothing"):
        status, _, said = cosimulation.run(cosimulation.SMEC, "import", "dut.v", "--top", "dut", "--after-reset", name, folder=folder)
        if status != 1 or f"the top module 'dut' has no input '{name}' of one bit" not in said:
            raise cosimulation.Different(f"--after-reset {name}: status {status}, {said}")
    status, _, said = cosimulation.run(cosimulation.SMEC, "import", "dut.v", "--top", "dut", "--after-reset", "clk", folder=folder)
    if status != 1 or "'clk' is a clock of the module 'dut'" not in said:
        raise cosimulation.Different(f"--after-reset clk: status {status}, {said}")
    return 1


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--modules", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="where files of findings go")
    options = parser.parse_args()
    if not shutil.which("yosys") or not shutil.which("iverilog"):
        print("yosys and iverilog are needed: apt-get install yosys iverilog")
        return 77
    bits = [tried("stages", options.keep, lambda folder: afterReset(folder, STAGES, STAGE_PORTS, ("rst_n", 0), 1)),
            tried("compiled", options.keep, lambda folder: afterReset(folder, STAGES, STAGE_PORTS, ("rst_n", 0), 1, ("--threads", "2"))),
            tried("names", options.keep, lambda folder: afterReset(folder, NAMES, NAME_PORTS, ("rst", 1), 2)),
            tried("apart", options.keep, lambda folder: afterReset(folder, APART, APART_PORTS, ("rst", 1), 3)),
            tried("tied", options.keep, tied), tried("drawn", options.keep, drawn), tried("network", options.keep, inNetwork), tried("none", options.keep, noReset)]
    for seed in range(options.seed, options.seed + options.modules):
        text, ports = randomModule(seed)
        bits.append(tried(f"seed-{seed}", options.keep, lambda folder: afterReset(folder, text, ports, ("rst", 1), seed)))
    print(f"{len(bits) - len(failures)} of {len(bits)} as wanted, {sum(bits)} bits")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
