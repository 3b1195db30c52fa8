#!/usr/bin/env python3
"""Verilog where other commands take .sme: compile, run, check, export, verify do with it what they do with the imported text, the second run
imports nothing, and what an include or a data file says counts."""
import os
import shutil
import subprocess
import sys
import tempfile

SMEC = os.path.abspath(os.environ.get("SMEC", "build/release/bin/smec"))
BLINKER = """`include "width.vh"
module blinker #(parameter WIDTH = `W)(input clk, input rst, input enable, input unread, output reg [WIDTH-1:0] count, output last);
  edge_of e(.clk(clk), .d(enable), .q(last));
  reg [7:0] first [0:3];
  initial $readmemh("first.hex", first);
  always @(posedge clk)
    if (rst) count <= first[0];
    else if (enable) count <= count + 1;
endmodule
"""
EDGE = "module edge_of(input clk, input d, output q);\n  reg old = 0;\n  always @(posedge clk) old <= d;\n  assign q = d & ~old;\nendmodule\n"
ROWS = "cycle,rst.v,enable.v\n0,true,false\n1,false,true\n2,false,true\n3,false,false\n"
TRACE = "cycle,count.v,enable.v,last.v,rst.v,unread.v\n0,0,false,false,true,false\n1,3,true,true,false,false\n2,4,true,false,false,false\n3,5,false,false,false,false\n"
done = []


def check(holds, what):
    done.append(holds)
    if not holds:
        print(f"FAILED: {what}")


def write(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
        f.write(text)


def smec(folder, *words, env=None):
    p = subprocess.run([SMEC, *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                       timeout=300, check=False, env=env)
    return p.returncode, p.stdout, p.stderr


def runs(folder):
    given = ("blinker.v", "edge.v", "--include", "inc", "-q")
    traced = ("--input", "rows.csv", "--trace", "-", "--quiet")
    for mode in ((), ("--interpret",)):
        status, out, err = smec(folder, "run", *given, *mode, *traced)
        check(status == 0 and out == TRACE and err == "", f"run {mode}: {status} {out} {err}")
    without = {**os.environ, "PATH": folder}
    status, out, err = smec(folder, "run", *given, "--interpret", *traced, env=without)
    check(status == 3 and "there is no 'yosys'" in err, f"another Yosys is another import: {status} {err}")
    write(folder, "first.hex", "07\n0\n0\n0\n")
    status, out, err = smec(folder, "run", *given, *traced)
    check("\n1,7," in out, f"data file: {out}{err}")
    write(folder, "first.hex", "03\n0\n0\n0\n")
    write(folder, "inc/width.vh", "`define W 2\n")
    status, out, err = smec(folder, "run", *given, *traced)
    check("\n2,0," in out, f"include: {out}{err}")
    write(folder, "width.vh", "`define W 8\n")  # beside the file: found first
    status, out, err = smec(folder, "run", *given, *traced)
    check(status == 0 and out == TRACE, f"another include: {out}{err}")
    write(folder, "short.csv", ROWS.replace(".v", ""))
    for mode in ((), ("--interpret",)):
        status, out, err = smec(folder, "run", *given, *mode, "--input", "short.csv", "--trace", "-", "--quiet")
        check(status == 0 and out == TRACE, f"names as in Verilog {mode}: {status} {out} {err}")
        status, out, err = smec(folder, "run", *given, *mode, "--input", "short.csv", "--print", "count", "--print", "count.v", "--print", "blinker.e.old", "--quiet")
        check(status == 0 and "count" in out and out.count("5") == 2, f"--print {mode}: {status} {out} {err}")
    status, out, err = smec(folder, "run", *given, "-G", "WIDTH=2", "-I", ".", *traced)
    check("\n2,0," in out, f"parameter: {out}{err}")
    status, out, err = smec(folder, "run", *given, "--top", "edge_of", "--interpret", "--cycles", "1", "--list")
    check("q.v" in out and "count" not in out, f"top: {out}{err}")


MINI = """module mini(input clk, input push, input [7:0] x, output reg [7:0] count = 0, output [8:0] sum, output [8:0] inv);
    assign sum = count + x;
    assign inv = ~count;
    always @(posedge clk) if (push) count <= count + 1;
endmodule
"""


def moments(folder):
    """What is printed after n cycles is row n of a trace: registers and what is made of them and of inputs."""
    write(folder, "mini.v", MINI)
    write(folder, "six.csv", "cycle,push,x\n" + "".join(f"{k},{'true' if k % 3 else 'false'},{40 * k}\n" for k in range(6)))
    names = ("count", "inv", "sum")
    for mode in (("-O0",), ("--interpret",)):
        status, out, err = smec(folder, "run", "mini.v", "-q", *mode, "--input", "six.csv", "--trace", "-", "--quiet")
        check(status == 0 and err == "", f"rows of mini {mode}: {status} {err}")
        head, *rows = (line.split(",") for line in out.splitlines())
        for cycles in (0, 1, 4, 5):
            row = dict(zip(head, rows[cycles]))
            printed = [word for name in names for word in ("--print", name)]
            status, out, err = smec(folder, "run", "mini.v", "-q", *mode, "--input", "six.csv", "--cycles", str(cycles), "--quiet", "--checksum", *printed)
            check(status == 0 and out.splitlines()[:3] == [f"{name}: {row[name + '.v']}" for name in names], f"moment {cycles} {mode}: {out} {err} {row}")
            without = smec(folder, "run", "mini.v", "-q", *mode, "--input", "six.csv", "--cycles", str(cycles), "--quiet", "--checksum")[1]
            check(out.endswith(without), f"the checksum of cycle {cycles} {mode}: {out} {without}")
    check(rows[5][head.index("inv.v")] == str(511 - 3), f"inv: {rows[5]}")


def others(folder):
    given = ("blinker.v", "edge.v", "--include", "inc")
    status, out, err = smec(folder, "check", *given)
    check((status, out, err) == (0, "", ""), f"check: {status} {out} {err}")
    status, out, err = smec(folder, "compile", *given, "-O0", "-MMD", "-q")
    check(status == 0 and os.access(os.path.join(folder, "blinker"), os.X_OK), f"compile: {status} {err}")
    with open(os.path.join(folder, "blinker.d"), encoding="utf-8") as f:
        rule = f.read()
    check(all(os.path.join(folder, name) in rule for name in ("blinker.v", "edge.v", "width.vh", "first.hex")), f"depfile: {rule}")
    for name in ("edge.v", "width.vh", "first.hex"):
        status, out, err = smec(folder, "compile", *given, "-o", name, "-q")
        check(status == 2 and f"cannot write '{name}'" in err, f"-o {name}: {status} {err}")
    status, out, err = smec(folder, "export", *given, "--vhdl", "-o", "hdl", "--cycles", "0")
    check(status == 0 and os.path.exists(os.path.join(folder, "hdl", "blinker.vhd")), f"export: {status} {out} {err}")
    status, out, err = smec(folder, "verify", *given, "--input", "rows.csv", "--engines", "cpp,icarus", "--threads", "1", "--models", "m2")
    check(status == 0 and "Icarus Verilog" in out and "2 of 2 agree" in out, f"verify: {status} {out} {err}")


def errors(folder):
    write(folder, "bad.v", "module bad(input a, output b);\n  assign b = a +;\nendmodule\n")
    for command in ("compile", "run", "check", "bench", "verify"):
        status, out, err = smec(folder, command, "bad.v")
        check(status == 1 and out == "" and err.startswith("bad.v:2:1: error: Yosys: syntax error"), f"{command}: {status} {out} {err}")
    status, out, err = smec(folder, "run", "blinker.v", "other.sme")
    check(status == 1 and "cannot read 'other.sme'" in err, f"Verilog beside a .sme that is not there: {status} {err}")
    status, out, err = smec(folder, "run", "one.sme", "other.sme")
    check(status == 2 and "expected one source file" in err, f"two sources: {status} {err}")
    status, out, err = smec(folder, "run", "missing.v")
    check(status == 1 and "cannot read 'missing.v'" in err, f"missing: {status} {err}")
    status, out, err = smec(folder, "run", "edge.v", "--define", "1+1")
    check(status == 2 and "--define takes" in err, f"define: {status} {err}")
    write(folder, "bad.sme", "proc p( {\n")
    status, out, err = smec(folder, "check", "bad.sme", "edge.v")
    check(status == 1 and "bad.sme:1" in err, f"mixed: {status} {err}")


def main():
    if not shutil.which("yosys") or not shutil.which("iverilog"):
        print("yosys and iverilog are needed: apt-get install yosys iverilog")
        return 77
    with tempfile.TemporaryDirectory(prefix="smec-verilog-") as folder:
        folder = os.path.realpath(folder)
        os.mkdir(os.path.join(folder, "inc"))
        for name, text in (("blinker.v", BLINKER), ("edge.v", EDGE), ("rows.csv", ROWS), ("first.hex", "03\n0\n0\n0\n"), ("inc/width.vh", "`define W 8\n")):
            write(folder, name, text)
        runs(folder)
        moments(folder)
        others(folder)
        errors(folder)
    print(f"{sum(done)} of {len(done)} checks passed")
    return 0 if all(done) else 1


sys.exit(main())
