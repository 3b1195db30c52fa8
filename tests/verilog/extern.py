#!/usr/bin/env python3
"""Extern processes with a Verilog body and no C++: simulated through the import, compiled and interpreted; exported and verified as the Verilog that
they are; what is combinational in them enters the levels; and what is said where a module does not fit."""
import os
import shutil
import subprocess
import sys
import tempfile

SMEC = os.path.abspath(os.environ.get("SMEC", "build/release/bin/smec"))
SUMS = """module sums #(parameter limit = 1, parameter down = 0) (
    input clk, input rst, input signed [15:0] a_data, input a_valid, output reg signed [31:0] p_sum, output reg [31:0] p_history, output p_near
);
    wire signed [31:0] next = down != 0 ? p_sum - a_data : p_sum + a_data;
    assign p_near = next > limit;
    always @(posedge clk)
        if (rst) begin p_sum <= -1; p_history <= 0; end
        else if (a_valid) begin p_sum <= next > limit ? limit : next; p_history <= {p_history[23:0], a_data[7:0]}; end
endmodule
"""
BEST = """module best(input clk, input rst, input [95:0] x_sum, input [95:0] x_history, input [2:0] x_near, input [1:0] k_kind, output [1:0] v_kind, output reg [4:0] v_count,
            output signed [32:0] v_pair_low, output v_pair_any);
    assign v_kind = k_kind == 0 ? 2 : 0;
    assign v_pair_low = $signed(x_sum[31:0]) < $signed(x_sum[63:32]) ? $signed(x_sum[31:0]) : $signed(x_sum[63:32]);
    assign v_pair_any = |x_near;
    always @(posedge clk or posedge rst) if (rst) v_count <= 5; else v_count <= v_count + x_near[2];
endmodule
"""
DESIGN = """enum kind { SMALL, OTHER, LARGE };
type pair: struct { low: i33; any: bool; };
type sample: bus { data: i16; valid: bool; };
type total: bus { sum: i32 = -1; history: [4]u8; near: bool; };
type verdict: bus { kind: kind; count: u5 = 5; pair: pair; };
type choice: bus { kind: kind; };
extern proc sums(in a: sample, out p: total, const limit: int, const down: bool = false) verilog("sums.v");
extern proc best([3] in x: total, in k: choice, out v: verdict) verilog("best.v");
proc source(out s: sample, out k: choice, const step: i16)
    var n: i16 = -20;
{
    n += step;
    s.data = n;
    s.valid = n % 3 != 0;
    k.kind = n > 0 ? kind.SMALL : kind.OTHER;
}
network lane(out p: total, out k: choice, const step: i16, const limit: int) {
    bus s: sample;
    instance origin of source(s, k, step);
    instance sum of sums(s, p, limit, step > 3);
}
network top(out v: verdict) {
    bus t[3]: total;
    bus k[3]: choice;
    generate i = 0 until 3 { instance l[i] of lane(t[i], k[i], i + 2, 100 * i - 100); }
    instance judge of best(t, k[0], v);
}
"""
CPP = """#include <algorithm>
#include <cstdint>
class sums {
public:
    sums(std::int64_t limit, bool down) : limit_(limit), down_(down) {}
    void operator()(const auto& a, auto& p) {
        if (!a.valid) return;
        sum_ = std::min<std::int64_t>(limit_, down_ ? sum_ - a.data : sum_ + a.data);
        p.sum = static_cast<std::int32_t>(sum_);
    }
private:
    std::int64_t limit_, sum_ = -1;
    bool down_;
};
"""
CHAIN = """type bit: bus { v: u8; };
extern proc inner(in a: bit, out p: bit, in b: bit, out q: bit) verilog("inner.v");
async proc plus(in x: bit, out y: bit) { y.v = x.v + 1; }
proc count(out o: bit) var n: u8; { n += 1; o.v = n; }
proc show(in x: bit) { trace("{}", x.v); }
network top() {
    bus a: bit;
    bus p: bit;
    bus b: bit;
    bus q: bit;
    instance c of count(a);
    instance i of inner(a, p, b, q);
    instance j of plus(p, b);
    instance s of show(q);
}
"""
INNER = "module inner(input clk, input rst_n, input [7:0] a_v, output [7:0] p_v, input [7:0] b_v, output [7:0] q_v);\n  assign p_v = a_v + 8'd10;\n  reg [7:0] r; always @(posedge clk or negedge rst_n) if (!rst_n) r <= 100;\n  assign q_v = b_v + r;\nendmodule\n"
done = []


def check(holds, what):
    done.append(holds)
    if not holds:
        print(f"FAILED: {what}")


def write(name, text):
    with open(name, "w", encoding="utf-8") as f:
        f.write(text)


def smec(*words):
    p = subprocess.run([SMEC, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", timeout=300, check=False)
    return p.returncode, p.stdout, p.stderr


def columns(trace, *names):
    rows = [line.split(",") for line in trace.splitlines()]
    places = [rows[0].index(name) for name in names]
    return [tuple(row[place] for place in places) for row in rows[1:]]


def runs():
    """Constants differ, one of them is negative: what they are compared with keeps its sign."""
    write("sums.v", SUMS)
    write("best.v", BEST)
    write("top.sme", DESIGN)
    traces = []
    for mode in (("-O0",), ("-O0", "--threads", "2"), ("--interpret",)):
        status, out, err = smec("run", "top.sme", *mode, "--cycles", "60", "--trace", "-", "--trace-all", "--quiet")
        check(status == 0 and err == "", f"run {mode}: {status} {err}")
        traces.append(out)
    check(traces[0] == traces[1] == traces[2], "compiled and interpreted agree")
    first = columns(traces[0], "v.count", "v.kind", "t[0].sum", "t[2].sum")
    check(first[0] == ("5", "LARGE", "-1", "-1") and first[-1][2] == "-100", f"after the reset, and limited: {first[0]} {first[-1]}")
    check({row[1] for row in first} == {"SMALL", "LARGE"}, f"an enum is driven: {first}")
    # what C++ does with the same
    write("sums.hpp", CPP)
    write("cpp.sme", DESIGN.replace('verilog("sums.v")', 'cpp("sums.hpp")'))
    status, out, err = smec("run", "cpp.sme", "-O0", "--cycles", "60", "--trace", "-", "--trace-all", "--quiet")
    names = ("t[0].sum", "t[1].sum", "t[2].sum")
    check(status == 0 and columns(out, *names) == columns(traces[0], *names), f"as C++: {status} {err} {columns(out, *names)[:9]}")
    status, out, err = smec("run", "top.sme", "--interpret", "--list", "--cycles", "1")
    check("l[1].sum.sums" in out, f"names: {out}")


def others():
    status, out, err = smec("check", "top.sme")
    check((status, out, err) == (0, "", ""), f"check: {status} {out} {err}")
    engines = "cpp,icarus"
    status, out, err = smec("verify", "top.sme", "--cycles", "60", "--engines", engines, "-O0", "--threads", "1,2", "--models", "m1,m2")
    check(status == 0 and "agree over 60 cycles" in out, f"verify: {status} {out} {err}")
    status, out, err = smec("export", "top.sme", "--verilog", "-o", "hdl", "--cycles", "20")
    with open("hdl/sums.v", encoding="utf-8") as f:
        check(status == 0 and f.read() == SUMS, f"the Verilog itself is exported: {status} {err}")
    status, out, err = smec("run", "top.sme", "-O0", "--cycles", "5", "--trace", "x.vcd", "--trace-all", "--quiet")
    with open("x.vcd", encoding="utf-8") as f:
        check(status == 0 and "p_sum" in f.read(), f"waves: {status} {err}")
    write("best.v", BEST.replace("v_count + x_near[2]", "v_count + 2"))
    status, out, err = smec("run", "top.sme", "-O0", "--cycles", "3", "--trace", "-", "--trace-all", "--quiet")
    check([row[0] for row in columns(out, "v.count")] == ["5", "7", "9"], f"a module that has changed: {out} {err}")
    write("best.v", BEST)


def combinational():
    write("inner.v", INNER)
    write("chain.sme", CHAIN)
    for mode in (("-O0",), ("--interpret",)):
        status, out, err = smec("run", "chain.sme", *mode, "--cycles", "3", "--quiet")
        check((status, out) == (0, "111\n112\n113\n"), f"same cycle: {mode} {status} {out} {err}")
    write("chain.sme", CHAIN.replace("instance j of plus(p, b)", "instance j of plus(q, b)"))
    status, out, err = smec("check", "chain.sme")
    check(status == 1 and "combinational" in err, f"a loop through the module: {status} {err}")


def refusals():
    base = 'type w: bus { v: u8; };\nextern proc box(in a: w, out p: w) verilog("box.v");\nnetwork top() { bus a: w; bus p: w; instance _ of box(a, p); }\n'
    good = "module box(input clk, input rst, input [7:0] a_v, output [7:0] p_v);\n  assign p_v = a_v;\nendmodule\n"
    cases = [
        (good.replace("module box", "module bax"), "Yosys: Module `box' not found"),
        (good.replace("input [7:0] a_v", "input [6:0] a_v"), "its port 'a_v' has 7 bits, but the field 'a.v' 8 bits [extern-module]"),
        (good.replace("output [7:0] p_v", "output [7:0] p_w, inout [7:0] p_v"), "its port 'p_v' is no output"),
        (good.replace("input [7:0] a_v", "input [7:0] a_v, input more"), "its port 'more' is that of no field"),
        (good.replace("a_v", "b_v"), "it has no port 'a_v' for the field 'a.v'"),
        (good.replace("assign p_v = a_v", "assign p_v = a_v +"), "box.v:2:1: error: Yosys: syntax error"),
        (good.replace("assign p_v = a_v;", "reg [7:0] p_v; always @* if (a_v[0]) p_v = a_v;").replace("output [7:0] p_v", "output reg [7:0] p_v").replace("reg [7:0] p_v; always", "always"),
         "cannot import a latch"),
    ]
    write("box.sme", base)
    for text, wanted in cases:
        write("box.v", text)
        status, out, err = smec("check", "box.sme")
        check(status == 1 and wanted in err, f"{wanted}: {status} {err}")
    os.remove("box.v")
    status, out, err = smec("run", "--interpret", "box.sme", "--cycles", "1")
    check(status == 1 and "box.sme:2:44: error: cannot read 'box.v': no such file" in err, f"missing: {status} {err}")
    write("box.sme", base.replace("u8", "f32"))
    write("box.v", good)
    status, out, err = smec("check", "box.sme")
    check(status == 1 and "its field 'a.v' is a float" in err, f"float: {status} {err}")


BOTH = """type bit: bus { v: u8; };
extern proc step(in a: bit, out p: bit) cpp("step.hpp") verilog("step.v");
proc count(out o: bit) var n: u8; { n += 1; o.v = n; }
network top(out p: bit) {
    bus a: bit;
    instance c of count(a);
    instance s of step(a, p);
}
"""


def both():
    """C++ is clocked: Verilog beside it has to be."""
    write("both.sme", BOTH)
    write("step.hpp", "struct step { void operator()(const auto& a, auto& p) { p.v = a.v + 1; } };\n")
    write("step.v", "module plus(input [7:0] x, output [7:0] y);\n  assign y = x + 1;\nendmodule\n"
                    "module step(input clk, input [7:0] a_v, output [7:0] p_v);\n  plus p(a_v, p_v);\nendmodule\n")
    for words in (("export", "both.sme", "--verilog", "-o", "both", "--cycles", "0"), ("verify", "both.sme", "--engines", "icarus", "--cycles", "9")):
        status, out, err = smec(*words)
        check((status == 1 or words[0] == "verify") and "its output 'p_v' depends on the input 'a_v' in the same cycle, where the C++ beside it is clocked" in out + err, f"{words[0]} of both: {status} {out} {err}")
    write("step.v", "module step(input clk, input [7:0] a_v, output reg [7:0] p_v);\n  always @(posedge clk) p_v <= a_v + 1;\nendmodule\n")
    status, out, err = smec("export", "both.sme", "--verilog", "-o", "both", "--cycles", "0")
    check(status == 0, f"clocked beside C++: {status} {out} {err}")


def main():
    if not shutil.which("yosys") or not shutil.which("iverilog"):
        print("yosys and iverilog are needed: apt-get install yosys iverilog")
        return 77
    with tempfile.TemporaryDirectory(prefix="smec-extern-") as folder:
        os.chdir(folder)
        runs()
        others()
        combinational()
        refusals()
        both()
        os.chdir("/")
    print(f"{sum(done)} of {len(done)} checks passed")
    return 0 if all(done) else 1


sys.exit(main())
