"""Lists of files as other simulators of Verilog take them, and folders of modules."""
import os
import shutil
import subprocess
import sys
import tempfile

SMEC = os.environ["SMEC"]
done = []


def check(ok, what):
    done.append(ok)
    if not ok:
        print(f"FAILED: {what}")


def smec(folder, *arguments, **more):
    result = subprocess.run([SMEC, *arguments], cwd=folder, capture_output=True, text=True, timeout=120, env=os.environ | more)
    return result.returncode, result.stdout, result.stderr


def write(folder, name, text):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


TOP = """`include "width.vh"
module top (input clk, input [`W-1:0] a, output [`W-1:0] y, output [`W-1:0] z);
    // absent u_comment (.a(a));
    /* absent2 #(.N(2)) u_comment2 (a); */
    (* keep = "absent3" *) adder #(.N(`STEP)) u_adder (.clk(clk), .a(a), .y(y));
    twice u_twice [0:0] (.a(a), .y(z));
    initial $display("absent4 u (x);");
endmodule
"""
ADDER = """module adder #(parameter N = 1) (input clk, input [7:0] a, output reg [7:0] y);
    wire [7:0] next;
    inner u_inner (a, next);
    always @(posedge clk) y <= next + N;
endmodule
"""
FILES = {
    "rtl/top.v": TOP,
    "lib/adder.v": ADDER,
    "lib/inner.v": "module inner (input [7:0] a, output [7:0] y); assign y = ~a; endmodule\n",
    "lib/absent.v": "module absent (; endmodule\n",
    "lib/absent2.v": "module absent2 (; endmodule\n",
    "lib/absent4.v": "module absent4 (; endmodule\n",
    "lib/unused.v": "module unused (; endmodule\n",
    "more/inner.v": "module inner (input [7:0] a, output [7:0] y); assign y = a; endmodule\n",
    "more/twice.v": "module twice (input [7:0] a, output [7:0] y); assign y = a << 1; endmodule\n",
    "inc/width.vh": "`define W 8\n",
    "here.f": "// what the core is made of\n+incdir+inc+other +define+STEP=3+UNUSED\n-y lib -ymore +libext+.v+.sv\n-Wno-fatal -sv /* of\nothers */ rtl/top.v # the top\n--top-module top\n",
    "rtl/core.f": "+incdir+../inc\n\"top.v\" -DSTEP=3 -F ../libs/libs.f\n",
    "empty.f": "",
    "libs/libs.f": "-y ../lib\n-y $MORE -y ${MORE} -y $(MORE)\n",
}
ROWS = "cycle,a\n0,1\n1,200\n"
TRACE = "cycle,a.v,y.v,z.v\n0,1,0,2\n1,200,1,144\n2,0,58,0\n"
TRACED = ("--input", "rows.csv", "--cycles", "3", "--trace", "-", "--quiet")


def runs(folder):
    for given in (("-f", "here.f"), ("-F", "rtl/core.f", "--top", "top"),
                  ("rtl/top.v", "-y", "lib", "--library", "more", "--include", "inc", "-D", "STEP=3"),
                  ("rtl/top.v", "lib/inner.v", "-y", "more", "-y", "lib", "--include", "inc", "-D", "STEP=3")):
        for mode in ((), ("--interpret",)):
            status, out, err = smec(folder, "run", *given, *TRACED, *mode, MORE="../more")
            check((status, out, err) == (0, TRACE, ""), f"{given} {mode}: {status} {out} {err}")
    status, out, err = smec(folder, "import", "-f", "here.f")
    check(status == 0 and "proc adder" in out and "absent" not in out, f"import: {status} {err}")
    status, out, err = smec(folder, "run", "rtl/top.v", "-y", "more", "-y", "lib", "--include", "inc", "-D", "STEP=3", *TRACED)
    check(status == 0 and "\n1,200,4,144\n" in out, f"the first folder's: {status} {out} {err}")


def changes(folder):
    """A file that a folder has is an input as one that is named."""
    write(folder, "lib/inner.v", "module inner (input [7:0] a, output [7:0] y); assign y = a; endmodule\n")
    status, out, err = smec(folder, "run", "-f", "here.f", *TRACED)
    check(status == 0 and "\n1,200,4,144\n" in out, f"changed: {status} {out} {err}")
    write(folder, "here.f", FILES["here.f"].replace("STEP=3", "STEP=4"))
    status, out, err = smec(folder, "run", "-f", "here.f", *TRACED)
    check(status == 0 and "\n1,200,5,144\n" in out, f"changed list: {status} {out} {err}")


def extern(folder):
    write(folder, "net.sme", """type word: bus { v: u8; };
extern proc adder(in a: word, out y: word, const N: int) verilog("lib/adder.v");
network top(in a: word, out y: word) { instance u of adder(a: a, y: y, N: 5); }
""")
    write(folder, "lib/adder.v", ADDER.replace("input [7:0] a", "input [7:0] a_v").replace("reg [7:0] y", "reg [7:0] y_v").replace("(a, next)", "(a_v, next)").replace("y <=", "y_v <="))
    status, out, err = smec(folder, "run", "net.sme", "-y", "lib", *TRACED)
    check(status == 0 and "\n2,0,205\n" in out, f"extern: {status} {out} {err}")


def errors(folder):
    for text, said in (("a.v\n\n -Q\n", "bad.f:3: '-Q' is no option that lists may have"), ("/* a\n b */ x.c", "bad.f:2: 'x.c' does not end in .v or .sv"),
                       ("+incdir+", "bad.f:1: '+incdir+' is"), ("+libext+.vhd", "bad.f:1: '+libext+.vhd'"), ("a.v\n-D", "bad.f:2: '-D' has no value"),
                       ("\n/* no end", "bad.f:2: the comment has no end"), ("'a.v\n", "bad.f:1: the quotes have no end"), ("$NOT_THERE/a.v", "bad.f:1: the environment has no variable 'NOT_THERE'"),
                       ("$/a.v", "bad.f:1: '$' is without"), ("${HOME/a.v", "bad.f:1: '${HOME' has no end"), ("-f bad.f", "lists that read one another"), ("-f missing.f", "cannot read the list of files 'missing.f'")):
        write(folder, "bad.f", text)
        status, out, err = smec(folder, "check", "-f", "bad.f")
        check(status == 2 and out == "" and err.startswith("smec: error: ") and said in err, f"{text!r}: {status} {out} {err}")
    write(folder, "one.v", "module one(input a, output y); assign y = a; endmodule\n")
    write(folder, "same.v", "module one(input a, output y); assign y = !a; endmodule\n")
    for words, said in ((("one.v", "one.v"), "'one.v' is given twice; name it once"), (("one.v", "./one.v"), "'one.v' is given twice, also as './one.v'; name it once"),
                        (("one.v", "same.v"), "in 'one.v' and in 'same.v'")):
        status, out, err = smec(folder, "check", *words)
        check(status == 1 and f"error: module 'one' is declared twice: {said} [verilog]" in err and "Yosys" not in err, f"{words}: {status} {err}")
    for arguments, said in ((("check", "-f"), "-f takes a list of files"), (("check", "-f", "empty.f"), "FILE is required"), (("check", "rtl/top.v", "-y", "nowhere"), "--library takes a folder, and 'nowhere' is none"),
                            (("fmt", "-f", "here.f"), "-f")):
        status, out, err = smec(folder, *arguments)
        check(status == 2 and said in err, f"{arguments}: {status} {out} {err}")
    status, out, err = smec(folder, "check", "rtl/top.v", "-y", "lib", "--include", "inc", "-D", "STEP=3")
    check(status == 1 and "name its file, or with -y a folder that has twice.v" in err, f"no such module: {status} {err}")


def unneeded(folder):
    """Modules that the top one has no use for may be none that Yosys can build."""
    write(folder, "unneeded.v", "`include \"width.vh\"\n" + ADDER.replace("inner u_inner (a, next)", "assign next = a") + "module other (input a, output y); assign y = nowhere(a); nothing u_nothing (a); endmodule\n")
    status, out, err = smec(folder, "import", "unneeded.v", "--top", "adder", "-G", "N=3", "-I", "inc")
    check(status == 0 and "proc adder(" in out and err == "", f"unneeded: {status} {out} {err}")
    status, out, err = smec(folder, "import", "unneeded.v", "--top", "other", "-I", "inc")
    check(status == 1 and "nowhere" in err, f"needed: {status} {out} {err}")


def declared(folder):
    """What the files given have themselves, also by include, is not read from folders and lists again; and what stands in an include, or comes from a macro,
    is needed as anything else."""
    low = "module low (input [7:0] a, output [7:0] y); assign y = a + STEP; endmodule\n"
    outer = "module outer (input clk, input rst, input [7:0] a_v, output [7:0] y_v); `MAKE(low) endmodule\n"
    write(folder, "own/low.v", low.replace("STEP", "7"))
    write(folder, "own/low.vh", low.replace("STEP", "1"))
    write(folder, "own/outer.vh", "`define MAKE(n) n u_``n (.a(a_v), .y(y_v));\n" + outer)
    write(folder, "whole.v", "`include \"own/low.vh\"\n`include \"own/outer.vh\"\n")
    write(folder, "part.v", "`include \"own/outer.vh\"\n")
    write(folder, "low.f", "own/low.v\n")
    write(folder, "a.csv", "cycle,a_v\n0,1\n1,200\n")
    write(folder, "net.csv", "cycle,a\n0,1\n1,200\n")
    for file, wanted in (("whole.v", "0,1,2\n1,200,201\n"), ("part.v", "0,1,8\n1,200,207\n")):
        status, out, err = smec(folder, "run", file, "-y", "own", "--top", "outer", "--input", "a.csv", "--cycles", "2", "--trace", "-", "--quiet", "--interpret",
                                "-Wno-unused")
        check(status == 0 and wanted in out.replace(",false", ""), f"{file}: {status} {out} {err}")
        write(folder, "net.sme", f"""type word: bus {{ v: u8; }};
extern proc outer(in a: word, out y: word) verilog("{file}");
network top(in a: word, out y: word) {{ instance u of outer(a: a, y: y); }}
""")
        for given in (("-y", "own"), ("-f", "low.f")):
            status, out, err = smec(folder, "run", "net.sme", *given, "--input", "net.csv", "--cycles", "2", "--trace", "-", "--quiet", "--interpret")
            check(status == 0 and wanted in out, f"{file} in a network, {given}: {status} {out} {err}")
            if shutil.which("iverilog"):
                status, out, err = smec(folder, "verify", "net.sme", *given, "--cycles", "20", "--engines", "icarus")
                check(status == 0 and "agree over 20 cycles" in out, f"{file} verified, {given}: {status} {out} {err}")


def main():
    if not shutil.which("yosys"):
        print("yosys is needed: apt-get install yosys")
        return 77
    with tempfile.TemporaryDirectory(prefix="smec-lists-") as folder:
        folder = os.path.realpath(folder)
        for name, text in (FILES | {"rows.csv": ROWS}).items():
            write(folder, name, text)
        runs(folder)
        changes(folder)
        errors(folder)
        extern(folder)
        unneeded(folder)
        declared(folder)
    print(f"{sum(done)} of {len(done)} checks passed")
    return 0 if all(done) else 1


sys.exit(main())
