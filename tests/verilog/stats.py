#!/usr/bin/env python3
"""`--stats` of imported Verilog: what of a cycle each module is, with all processes that it became."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

SMEC = os.path.abspath(os.environ.get("SMEC", "build/release/bin/smec"))
# cpu_busy is called as a process of cpu would be that drives a bus 'busy'
CPU = """module cpu_busy(input [15:0] a, input [15:0] b, output y, output [15:0] most);
  assign y = ^(a & b) | a[0] & (a < b), most = a < b ? b * 16'd3 : a - 16'd7;
endmodule
module work #(parameter N = 24)(input clk, input [15:0] d, output reg [15:0] q, output [15:0] now);
  reg [15:0] stage [0:N];
  integer i;
  assign now = (d * q) ^ (d + stage[3]);
  always @(posedge clk) begin
    stage[0] <= d;
    for (i = 0; i < N; i = i + 1) stage[i + 1] <= stage[i] * 16'd5 + (stage[i] >> 3);
    q <= stage[N] ^ q;
  end
endmodule
module cpu(input clk, input [15:0] d, input [15:0] e, output [15:0] q, output a, output b, output [15:0] sum);
  wire [15:0] now, first, second;
  work #(.N(24)) u(.clk(clk), .d(d), .q(q), .now(now));
  cpu_busy one(.a(now), .b(e), .y(a), .most(first));
  cpu_busy two(.a(d), .b(now), .y(b), .most(second));
  reg [15:0] count = 0;
  always @(posedge clk) count <= count + first;
  assign sum = (second ^ count) + (d & first);
endmodule
"""
done = []


def check(holds, what):
    done.append(holds)
    if not holds:
        print(f"FAILED: {what}")


def write(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
        f.write(text)


def smec(folder, *words):
    p = subprocess.run([SMEC, *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                       timeout=300, check=False)
    return p.returncode, p.stdout, p.stderr


def modules(folder, *words):
    status, out, err = smec(folder, "compile", *words, "--no-build", "--stats=json")
    check(status == 0 and out == "", f"compile {words}: {status} {out} {err}")
    return {entry["module"]: entry for entry in json.loads(err) if "module" in entry}


def shares(folder):
    found = modules(folder, "cpu.v")
    check(set(found) == {"cpu.cpu", "cpu.cpu_busy", "cpu.work_N_24"}, f"one entry for each module: {sorted(found)}")
    counts = {name: entry["instances"] for name, entry in found.items()}
    check(counts == {"cpu.cpu": 1, "cpu.cpu_busy": 2, "cpu.work_N_24": 1}, f"instances: {counts}")
    check(abs(sum(entry["share"] for entry in found.values()) - 1) < 1e-9, f"shares are of one whole: {found}")
    check(list(found)[0] == "cpu.work_N_24" and found["cpu.work_N_24"]["share"] > 0.5, f"the dearest is first: {found}")
    check(all(entry["statements"] > 0 and entry["cost"] > 0 for entry in found.values()), f"all have some: {found}")
    status, _, err = smec(folder, "compile", "cpu.v", "--no-build", "--stats")
    part = f"{100 * found['cpu.cpu_busy']['share']:.1f} %"
    check(status == 0 and any(part in line and line.endswith("  cpu.cpu_busy") for line in err.splitlines()), f"as text: {err}")


def texts(folder):
    """The text alone does not tell what was one module."""
    status, _, err = smec(folder, "import", "cpu.v", "-o", "text.sme")
    check(status == 0, f"import: {err}")
    found, parts = modules(folder, "cpu.v"), modules(folder, "text.sme")
    check("text.cpu_sum" in parts and set(parts) > {"text.cpu", "text.cpu_busy", "text.work_N_24"}, f"processes of a text: {sorted(parts)}")
    cost = sum(entry["cost"] for name, entry in parts.items() if name == "text.cpu" or name == "text.cpu_sum")
    check(abs(cost - found["cpu.cpu"]["cost"]) < 1e-9, f"a module is all of its processes: {cost} {found}")


def copies(folder):
    """Of an extern process, and of modules that share a class."""
    write(folder, "add.v", "module add(input clk, input rst, input [7:0] a_v, output reg [7:0] s_v);\n  always @(posedge clk) if (rst) s_v <= 0; else s_v <= s_v + a_v * 8'd3;\nendmodule\n")
    write(folder, "net.sme", "type w: bus { v: u8; };\nextern proc add(in a: w, out s: w) verilog(\"add.v\");\nnetwork net(in a: w, out s: w) { bus m: w; instance one of add(a, m); instance two of add(m, s); }\n")
    found = modules(folder, "net.sme")
    check("add.add" in found and found["add.add"]["instances"] == 2, f"extern: {found}")
    write(folder, "twins.v", "module p(input clk, input [7:0] d, output reg [7:0] q);\n  always @(posedge clk) q <= q * d;\nendmodule\n"
          "module r(input clk, input [7:0] d, output reg [7:0] q, input spare);\n  always @(posedge clk) q <= q * d;\nendmodule\n"
          "module twins(input clk, input [7:0] d, output [7:0] x, output [7:0] y, output [7:0] z);\n"
          "  p a(clk, d, x);\n  p b(clk, x, y);\n  r c(clk, y, z, 1'b0);\nendmodule\n")
    found = modules(folder, "twins.v")
    counts = {name: entry["instances"] for name, entry in found.items()}
    check(counts == {"twins.p": 2, "twins.r": 1}, f"classes that became one: {found}")
    check(abs(found["twins.p"]["share"] - 2 / 3) < 1e-9, f"are told apart: {found}")


def again(folder):
    for _ in range(2):  # nothing is left to compile at the second time
        status, _, err = smec(folder, "compile", "twins.v", "--stats", "-q", "-O0")
        check(status == 0 and "plan " in err and "  twins.r" in err, f"each time: {status} {err}")
    kinds = "".join(f"proc p{i}(out o) var n: u32; {{ n = n * {i + 2} ^ n >> {i % 7}; o.v = n; }}\n" for i in range(40))
    uses = " ".join(f"exposed bus b{i} {{ v: u32; }} instance _ of p{i}(b{i});" for i in range(40))
    write(folder, "many.sme", f"{kinds}network many() {{ {uses} }}\n")
    status, _, err = smec(folder, "compile", "many.sme", "--no-build", "--stats")
    lines = err[err.index("share of a cycle"):].splitlines()[1:]
    check(status == 0 and len(lines) == 30 and lines[-1].endswith("  (11 others)"), f"thirty lines at most: {status} {err}")


def main():
    if not shutil.which("yosys"):
        print("yosys is needed: apt-get install yosys")
        return 77
    with tempfile.TemporaryDirectory(prefix="smec-stats-") as folder:
        folder = os.path.realpath(folder)
        write(folder, "cpu.v", CPU)
        for test in (shares, texts, copies, again):
            test(folder)
    print(f"{sum(done)} of {len(done)} checks passed")
    return 0 if all(done) else 1


sys.exit(main())
