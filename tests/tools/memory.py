#!/usr/bin/env python3
"""--memory: what arrays hold before the first cycle, compiled and interpreted, and what is said of files and paths that are wrong."""
import os
import shutil
import subprocess

from support import Tally, scratch, smec, write

DESIGN = """
type word: bus { v: u8; };
type digit: u8 range 0 to 9;
enum state { idle, busy = 5 };
proc core(in q: word, out o: word, out sum: word)
    var own: [8]u8 = [9, 9, 9, 9, 9, 9, 9, 9];
    var signs: [4]i5;
    var wide: [3]u100;
    var flags: [4]bool;
    var states: [2]state;
    var small: [2]digit;
    var grid: [2][4]u8;
    var constants: [4]u8 = [1, 2, 3, 4];
    var real: [2]f32;
    var at: u3;
    hold bus shared { v: [4]u8; };
    hold bus nobody { v: [4]u8; };
    bus plain { v: [4]u8; };
    instance r of reader(shared, nobody, plain, o);
{
    sum.v = own[at] + constants[at % 4] + q.v;
    own[(at + 1) % 8] = own[at];
    if (at == 7) {
        shared.v[1] = 1; signs[0] = 0; wide[0] = 1; flags[0] = true; states[0] = idle; small[0] = 1; grid[1][0] = 1; real[0] = 1.0;
    }
    plain.v[0] = at;
    at += 1;
}
async proc reader(in a, in b, in c, out o: word) { o.v = a.v[cycle() % 4] + b.v[0] + c.v[0]; }
network top(in q: word, out o: word, out sum: word) { instance core of core(q, o, sum); }
"""
MANY = """
type total: bus { v: u16; };
proc sum(out o: total) var words: [4]u8; var at: u2; var all: u16;
{ all += words[at]; words[at] = 0; at += 1; o.v = all; }
network top() {
    exposed bus o[300]: total;
    generate i = 0 until 300 { instance c[i] of sum(o[i]); }
}
"""
HEX = "// first\n11 2_2 /* two\nlines */ 33\n@4 aB\n"
RAM = """module ram(input clk, input we, input [1:0] a, input [7:0] d, output [7:0] now, output reg [7:0] q);
  reg [7:0] mem [0:3];
  reg [7:0] own [0:3];
  assign now = mem[a];
  always @(posedge clk) begin q <= own[a]; if (we) begin mem[a] <= d; own[a] <= d; end end
endmodule
"""
WRONG = [
    ("own=bad.hex", "1 2\n 3g", 1, "bad.hex:2:3: error: 'g' is no hexadecimal digit"),
    ("own=bad.bin", "1 2", 1, "bad.bin:1:3: error: '2' is no binary digit"),
    ("own=bad.hex", "1 _ 2", 1, "bad.hex:1:3: error: '_' is no hexadecimal number"),
    ("own=bad.hex", "1 x", 1, "bad.hex:1:3: error: 'x' is no hexadecimal digit"),
    ("own=bad.hex", "@ 1", 1, "bad.hex:1:1: error: '@' is no hexadecimal number"),
    ("own=bad.hex", "@2z 1", 1, "bad.hex:1:3: error: 'z' is no hexadecimal digit"),
    ("own=bad.hex", "0ff\n\n100", 1, "bad.hex:3:1: error: '100' has more than 8 bits"),
    ("signs=bad.hex", "1f 20", 1, "bad.hex:1:4: error: '20' has more than 5 bits"),
    ("small=bad.hex", "9 a", 1, "bad.hex:1:3: error: 'a' is no value of the memory's type"),
    ("states=bad.hex", "5 1", 1, "bad.hex:1:3: error: '1' is no value of the memory's type"),
    ("own=bad.hex", "@8 1", 1, "bad.hex:1:1: error: address 0x8 is beyond the memory, which has 8 words"),
    ("own=bad.hex", "@10000000000000001", 1, "bad.hex:1:1: error: address 0x10000000000000001 is beyond the memory, which has 8 words"),
    ("own=bad.hex", "@7 1 2", 1, "bad.hex:1:6: error: address 8 is beyond the memory, which has 8 words"),
    ("own=missing.hex", None, 3, "cannot read 'missing.hex': No such file or directory"),
    ("own=.", None, 3, "cannot read '.': Is a directory"),
    ("owm=bad.hex", "1", 2, "--memory: no memory 'core.owm'; did you mean 'core.own'?"),
    ("own", None, 2, "--memory takes PATH=FILE, not 'core.own'"),
    ("at=bad.hex", "1", 2, "--memory: 'core.at' is of type u3; arrays of integers are loaded"),
    ("grid=bad.hex", "1", 2, "--memory: 'core.grid' is of type [2][4]u8; arrays of integers are loaded"),
    ("real=bad.hex", "1", 2, "--memory: 'core.real' is of type [2]f32; arrays of integers are loaded"),
    ("plain.v=bad.hex", "1", 2, "--memory: 'core.plain.v' does not keep what it holds"),
    ("nobody.v=bad.hex", "1", 2, "--memory: 'core.nobody.v' does not keep what it holds"),
]


def check_values(tally, folder, run):
    write(folder, "a.hex", HEX)
    write(folder, "b.bin", "1 1111_0000 @3 101")
    write(folder, "c.hex", "1f 0f 10")
    write(folder, "wide.hex", "f_ffffffff_ffffffff_ffffffff 123456789abcdef01")
    write(folder, "states.hex", "5 0")
    loads = ["own=a.hex", "shared=b.bin", "signs=c.hex", "wide=wide.hex", "flags=b2.bin", "states=states.hex", "grid[1]=b.bin", "constants=c2.hex"]
    write(folder, "b2.bin", "0 1 1 0")
    write(folder, "c2.hex", "a b")
    words = [word for load in loads for word in ("--memory", "core." + load)]
    prints = [word for name in ("own", "shared.v", "signs", "wide", "flags", "states", "grid", "constants") for word in ("--print", "core." + name)]
    status, out, err = run("--cycles", "0", "--quiet", *words, *prints)
    tally.equal((status, err, out.splitlines()),
                (0, "", ["core.own: [17, 34, 51, 9, 171, 9, 9, 9]", "core.shared.v: [1, 240, 0, 5]", "core.signs: [-1, 15, -16, 0]",
                         f"core.wide: [{2**100 - 1}, {0x123456789abcdef01}, 0]", "core.flags: [false, true, true, false]", "core.states: [busy, idle]",
                         "core.grid: [[0, 0, 0, 0], [1, 240, 0, 5]]", "core.constants: [10, 11, 3, 4]"]), "what is held")
    status, out, err = run("--cycles", "5", "--quiet", "--trace", "-", *words)
    # o: shared and what `plain` was; sum: own, of which one element is copied on each cycle, and constants
    wanted = ["cycle,o.v,q.v,sum.v", "0,1,0,0", "1,240,0,27", "2,1,0,28", "3,7,0,20", "4,4,0,21"]
    tally.equal((status, err, out.splitlines()), (0, "", wanted), "what runs")
    status, out, err = run("--cycles", "0", "--quiet", "--memory", "core.own=a.hex", "--memory", "core.own=c2.hex", "--print", "core.own")
    tally.equal(out, "core.own: [10, 11, 51, 9, 171, 9, 9, 9]\n", "one after the other")


def check_wrong(tally, folder, run):
    for load, text, wanted, message in WRONG:
        if text is not None:
            write(folder, load.split("=")[1], text)
        status, out, err = run("--cycles", "1", "--quiet", "--memory", "core." + load)
        tally.check((status, out) == (wanted, "") and message in err, f"{load} {text!r}: {status} {out} {err}")
    status, out, err = run("--cycles", "1", "--quiet", "--checkpoint", "state")
    tally.equal(status, 0, err)
    status, out, err = run("--cycles", "2", "--resume", "state", "--memory", "core.own=a.hex")
    tally.check(status == 2 and "--memory does not go with --resume" in err, f"resume: {status} {err}")


def check_many(tally, folder):
    """Elements of the arrays of many instances may lie apart from each other."""
    write(folder, "many.sme", MANY)
    write(folder, "m3.hex", "1 2 3 4")
    for engine in ([], ["--interpret"]):
        status, out, err = smec("run", "many.sme", *engine, "--cycles", "4", "--quiet", "--memory", "c[3].words=m3.hex", "--memory", "c[299].words=m3.hex",
                                *(word for i in (2, 3, 4, 299) for word in ("--print", f"o[{i}].v")), cwd=folder)
        tally.equal((status, err, out.splitlines()), (0, "", ["o[2].v: 0", "o[3].v: 10", "o[4].v: 0", "o[299].v: 10"]), f"many {engine}")


def check_verilog(tally, folder):
    write(folder, "ram.v", RAM)
    write(folder, "rows.csv", "cycle,a\n0,0\n1,1\n2,2\n3,3\n")
    for engine in ([], ["--interpret"]):
        status, out, err = smec("run", "ram.v", *engine, "--input", "rows.csv", "--memory", "ram.mem=a4.hex", "--memory", "ram.own=b.bin", "--trace", "-",
                                "--trace-filter", "now.v", "--trace-filter", "q.v", "--quiet", cwd=folder)
        tally.equal((status, err, out.splitlines()), (0, "", ["cycle,now.v,q.v", "0,16,0", "1,32,1", "2,48,240", "3,64,0"]), f"Verilog {engine}")


def main():
    tally = Tally()
    with scratch() as folder:
        write(folder, "t.sme", DESIGN)
        status, _, err = smec("compile", "t.sme", "-o", "t", "-O1", "-Wno-unread", "-Wno-undriven", cwd=folder)
        tally.equal(status, 0, err)

        def interpreted(*words):
            return smec("run", "--interpret", "-Wno-unread", "-Wno-undriven", "t.sme", "--", *words, cwd=folder)

        def compiled(*words):
            run = subprocess.run([os.path.join(folder, "t"), *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 encoding="utf-8", timeout=120, check=False)
            return run.returncode, run.stdout, run.stderr

        for run in (compiled, interpreted):
            check_values(tally, folder, run)
            check_wrong(tally, folder, run)
        status, _, err = compiled("--cycles", "1", "--ranks", "2", "--memory", "core.own=a.hex")
        tally.check(status == 2 and "--memory does not go with several ranks" in err, f"ranks: {status} {err}")
        status, _, err = compiled("--cycles", "1", "--threads", "1", "--report", "factored", "--memory", "core.own=a.hex")
        tally.check(status == 2 and "it does not go with --memory" in err, f"factored: {status} {err}")
        write(folder, "a4.hex", "10 20 30 40")
        check_many(tally, folder)
        if shutil.which("yosys"):
            check_verilog(tally, folder)
    tally.end()


main()
