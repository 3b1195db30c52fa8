#!/usr/bin/env python3
"""Every example, every program of the standard library's tests and those of programs/ as hardware, in both dialects of Verilog and in VHDL: linted without a word, and its test bench passes.

Designs that hardware cannot do (floats, loops without constant bounds) are refused; EXPECTED names them.
"""
import concurrent.futures
import json
import glob
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "judge"))
from sample import sampled  # noqa: E402
from judges import ROOT, Tally, exported, ghdl, icarus, lint, lint2005, run, scratch, sourcesOf, synth, yosys, yosys2005

# What is refused, with a part of the reason.
FLOATS, LOOPS = "floating-point", "a loop whose bounds are not constant"
# Judged with an asynchronous reset, too.
ASYNC = {"cpu", "fifo", "std.arbiter", "std.crc", "std.divider", "std.fifo", "std.pwm", "std.uart", "hdl.loops"}
EXPECTED = {"ring_heavy": FLOATS, "ring_uneven": FLOATS, "weak": FLOATS, "std.fixed": FLOATS, "std.math": FLOATS, "std.math_accuracy": FLOATS,
            "std.bits_more": LOOPS, "std.lfsr": LOOPS, "std.stream_shapes": LOOPS}
# Enough to see the wiring.
SIZES = {"ring": ["-G", "n=8"], "ring_heavy": ["-G", "n=8"], "ring_uneven": ["-G", "n=8"], "weak": ["-G", "each=4"], "mesh": ["-G", "size=3"]}


def source(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def isWrong(path):
    """A program that is there for its errors."""
    text = source(path)
    return "expect-error" in text or text.startswith("// exit: 1")


def programs():
    found = [(p, os.path.basename(p)[:-4]) for p in sorted(glob.glob(os.path.join(ROOT, "examples", "*", "*.sme")))]
    found += [(p, "std." + os.path.basename(p)[:-4]) for p in sorted(glob.glob(os.path.join(ROOT, "tests", "stdlib", "*.sme")))]
    found += [(p, "hdl." + os.path.basename(p)[:-4]) for p in sorted(glob.glob(os.path.join(ROOT, "tests", "hdl", "programs", "*.sme")))]
    return [(path, name) for path, name in found if not isWrong(path)]


def missing(path, rtl):
    """Lines of the program's "// shows FILE: TEXT" that do not hold."""
    for file, text in re.findall(r"^// shows (\S+): (.*)$", source(path), re.M):
        with open(os.path.join(rtl, file), encoding="utf-8") as f:
            if text not in f.read():
                yield f"{file} does not hold '{text}'"


def unrestored(rtl):
    """Files after which a name that is not declared is no net any more: those of other people may count on it."""
    for file in sourcesOf(rtl):
        text = source(os.path.join(rtl, file))
        if "`default_nettype none\n" in text and not text.endswith("endmodule\n`default_nettype wire\n"):
            yield f"{file} does not restore the default type of nets"


def judge(program):
    path, name = program
    with scratch() as folder:
        status, out = exported(path, folder, *SIZES.get(name, []))
        if name in EXPECTED:
            good = status == 1 and "cannot be exported as hardware" in out and EXPECTED[name] in out
            return [] if good else [f"{name}: not refused as it should be: {out[:400]}"]
        if status != 0:
            return [f"{name}: export ended with {status}: {out[:400]}"]
        if "trace(" in source(path) and "[left-out]" not in out:
            return [f"{name}: nothing is said of its traces: {out[:400]}"]
        rtl = os.path.join(folder, "rtl")
        wrong = list(missing(path, rtl)) + list(unrestored(rtl)) + [tool(rtl) for tool in (lint, icarus, yosys, ghdl, synth)]
        old = os.path.join(folder, "old")
        os.mkdir(old)
        status, out = exported(path, old, "--std", "v2005", *SIZES.get(name, []))
        wrong += [f"export --std v2005: {out[:400]}"] if status != 0 else [tool(os.path.join(old, "rtl")) for tool in (lint2005, yosys2005, icarus)]
        return [f"{name}: {text}" for text in wrong if text]


def handWritten(tally):
    """An extern process needs a body in each language that is asked for, and its file."""
    with scratch() as folder:
        path = os.path.join(folder, "own.sme")
        for bodies, wanted in (('verilog("gone.v")', "whose file 'gone.v' is not there, cannot be exported as hardware [hardware-extern-file]"),
                             ("", 'which has no verilog("…") body, cannot be exported as hardware [hardware-extern-body]')):
            with open(path, "w", encoding="utf-8") as f:
                f.write('type w: bus { v: u8; };\nextern proc own(in a: w, out p: w) cpp("own.hpp") %s;\n'
                        "network top(in a: w, out p: w) { instance d of own(a, p); }\n" % bodies)
            with open(os.path.join(folder, "own.hpp"), "w", encoding="utf-8") as f:
                f.write("struct own { void operator()(const auto& in, auto& out) { out.v = in.v; } };\n")
            status, out = exported(path, folder, cycles=0)
            tally.check(status == 1 and wanted in out and "own.sme:2:" in out, f"extern with '{bodies}': {status}: {out[:400]}")


def loops(tally):
    """What is refused is the loop that cannot be, at its place."""
    for body, wanted in (("for i = 0 until 5000 { s = s + x.n; }", "a loop of more than 4096 rounds (5000)"),
                         ("for i = 5000 downto 1 { if (x.n == 3) { break; } s = s + i; }", "a loop of more than 4096 rounds (5000)"),
                         ("for i = 0 until x.m { s = s + 1; }", "a loop whose bounds are not constant"),
                         ("while (s < x.m) { s = s + 3; }", "a loop whose bounds are not constant"),
                         # by what loops in loops come to
                         ("for i = 0 until 4000 { for j = 0 until 4000 { if (x.m == i * j) { break; } s = s + 1; } }", "loops of so many operations"),
                         ("for i = 0 until 4000 { if (x.n == 3) { for j = 0 until 4000 { if (x.m == j) { continue; } s = s + i; if (s == 7) { break; } } } }",
                          "loops of so many operations"),
                         ("for i = 0 until 64 { for j = 0 until 64 { for k = 0 until 64 { if (x.m == i * j + k) { break; } s = s + 1; } } }",
                          "loops of so many operations")):
        with scratch() as folder:
            path = os.path.join(folder, "own.sme")
            with open(path, "w", encoding="utf-8") as f:
                f.write("type port: bus { n: u4; m: u20; };\ntype sum: bus { v: u32; };\nproc p(in x, out y) {\n  var s: u32 = 0;\n"
                        f"  for i = 0 until 10 {{ s = s + x.n; }}\n  {body}\n  y.v = s;\n}}\n"
                        "network top(in x: port, out y: sum) { instance _ of p(x, y); }\n")
            status, out = exported(path, folder)
            tally.check(status == 1 and f"own.sme:6:3: error: {wanted}" in out, f"'{body}': {status}: {out[:400]}")


def returns(tally):
    """Each of the ways out of a function has all that follows after a test."""
    for body, wanted in (("for i = 0 until 4000 { for j = 0 until 4000 { if (x == i * 3 + j) { return i; } } }", 16000000),
                         ("for i = 0 until 200 { for j = 0 until 200 { if (x == i * 3 + j) { return i; } } }", 40000),
                         ("for i = 0 until 40 { for j = 0 until 40 { if (x > i) { for k = 0 until 40 { if (x == i + j * k) { return 1; } } } } }", 64000),
                         ("for i = 0 until 2100 { if (x == i) { return 1; } elif (x == i * 3) { return 2; } }", 4200)):
        with scratch() as folder:
            path = os.path.join(folder, "own.sme")
            with open(path, "w", encoding="utf-8") as f:
                f.write(f"type w: bus {{ v: u32; }};\nfunc f(x: u32): u32 {{\n  {body}\n  return 0;\n}}\nproc p(in x, out y) {{ y.v = f(x.v); }}\n"
                        "network top(in x: w, out y: w) { instance _ of p(x, y); }\n")
            status, out = exported(path, folder)
            text = f"own.sme:3:3: error: a loop with {wanted} ways to return, more than 4096, cannot be exported"
            tally.check(status == 1 and text in out, f"'{body}': {status}: {out[:400]}")


def places(tally):
    """Warnings about what a process keeps, and about its loops, point at the line that they are about."""
    for declarations, body, wanted in (("type s: struct { a: [300]u8; b: u8; };", "t.a[x.n] = x.n; t.a[x.n + 1] = 2; y.v = t.a[3] + t.b;", "own.sme:4:7: warning: "),):
        with scratch() as folder:
            path = os.path.join(folder, "own.sme")
            with open(path, "w", encoding="utf-8") as f:
                f.write(f"type port: bus {{ n: u8; }};\ntype sum: bus {{ v: u32; }};\n{declarations} proc p(in x, out y) var n: u8;\n  var t: s;\n{{\n  {body}\n}}\n"
                        "network top(in x: port, out y: sum) { instance _ of p(x, y); }\n")
            status, out = exported(path, folder)
            tally.check(status == 0 and wanted in out, f"'{body}': {status}: {out[:400]}")


def widths(tally):
    """Numbers whose width nobody chose are told at their place; those with a range and those of test benches are not."""
    with scratch() as folder:
        path = os.path.join(folder, "own.sme")
        with open(path, "w", encoding="utf-8") as f:
            f.write("type pair: struct { a: u8; b: int; };\ntype port: bus { n: u8; };\ntype sum: bus { v: u8; wide: uint; };\nproc p(in x, out y)\n"
                    "  var n: int;\n  var t: [4]pair;\n  var ok: uint range 0 to 9;\n{\n  var m: uint = x.n;\n  n = n + 1; t[1].b = n; ok = 3;\n"
                    "  y.v = u8(t[1].b + ok); y.wide = m;\n}\nsim proc bench() var k: int; { k = k + 1; }\n"
                    "network top(in x: port, out y: sum) { instance _ of p(x, y); instance _ of bench(); }\n")
        status, out = exported(path, folder)
        lines = [line for line in out.split("\n") if line.endswith("[export-width]")]
        found = re.findall(r"own.sme:(\d+):(\d+): warning: ('\w+' of type \S+) becomes 64 bits of hardware; ", "\n".join(lines))
        wanted = [("3", "24", "'wide' of type uint"), ("5", "7", "'n' of type int"), ("6", "7", "'t' of type [4]pair"), ("9", "7", "'m' of type uint")]
        tally.check(status == 0 and found == wanted, f"numbers without a width: {status}: {found}: {out[:400]}")


def assertions(tally):
    """A combinational process passes through states in which they do not hold; one that the clock finds ends the test bench, with its text."""
    path = os.path.join(ROOT, "tests", "hdl", "programs", "assertions.sme")
    begins = 'too large: 20 10100 mode BUSY ok true rest -10 f6 exact 140 14c byte B 100% "a" [    20] [000020] [000014] '
    for options, file, old, new, tools, ends in (((), "add.sv", "8'd30", "8'd20", (icarus, ghdl), "[    14] [14] [   -10]"),
                                                 (("--std", "v2005"), "add.v", "8'd30", "8'd20", (icarus,), "[14] [14] [   -10]"),
                                                 ((), "add.vhd", "x_v < 30", "x_v < 20", (ghdl,), "[    14] [14] [-00010]")):
        wanted = begins + ends
        with scratch() as folder:
            exported(path, folder, *options)
            rtl = os.path.join(folder, "rtl")
            text = source(os.path.join(rtl, file))
            tally.check(text.count(old) == 1, f"{file} asks once: {text.count(old)}")
            with open(os.path.join(rtl, file), "w", encoding="utf-8") as f:
                f.write(text.replace(old, new))
            for tool in tools:
                found = tool(rtl)
                isOther = (tool is ghdl) != file.endswith(".vhd")
                tally.check(found is None if isOther else wanted in (found or ""), f"{file}, {tool.__name__}: {found}")


def unread(tally):
    """What only covers read is no hardware: neither are there their counters, nor registers that nobody reads."""
    path = os.path.join(ROOT, "tests", "hdl", "programs", "covers.sme")
    with scratch() as folder:
        exported(path, folder, cycles=0)
        rtl = os.path.join(folder, "rtl")
        for file in sorted(os.listdir(rtl)):
            found = [line for line in source(os.path.join(rtl, file)).splitlines() if re.search(r"\bcover(ed)?(_\d+)?\b|unread_", line)]
            tally.check(not found, f"{file} has what only covers read: {found}")
        tally.check("kept" in source(os.path.join(rtl, "clocked.sv")), "what assertions read stays")
        status, out = run(["yosys", "-q", "-p", f"read_verilog -sv {' '.join(sourcesOf(rtl))}; hierarchy -top top; proc; opt_expr; opt_clean; write_json left.json"], rtl)
        modules = json.loads(source(os.path.join(rtl, "left.json")))["modules"] if status == 0 else {}
        tally.check("clocked" in modules and "n" in modules["clocked"]["netnames"], f"Yosys, without what nobody reads: {out[:400]}")
        for name, module in modules.items():
            declared = re.findall(r"^    logic (?:\[[^]]*\] )?(\w+)(?: \[[^]]*\])?;", source(os.path.join(rtl, name + ".sv")), re.M)
            gone = [one for one in declared if one != "kept" and not any(net.split("[")[0] == one for net in module["netnames"])]  # synthesis has no assertions
            tally.check(not gone, f"{name} has registers that nobody reads: {gone}")


def large(tally):
    """Thousands of instances stay fast in Icarus, and within the loops that Verilator takes."""
    with scratch() as folder:
        status, out = exported(os.path.join(ROOT, "examples", "08_ring", "ring.sme"), folder, "-G", "n=4000", cycles=10)
        rtl = os.path.join(folder, "rtl")
        text = source(os.path.join(rtl, "ring.sv")) if status == 0 else out
        rounds = [int(last) - int(first) for first, last in re.findall(r"for \(i = (\d+); i < (\d+);", text)]
        tally.check(len(rounds) == 4 and max(rounds) == 1024, f"loops of a ring of 4,000: {rounds}: {text[:400]}")
        status, out = run(["verilator", "--lint-only", "-Wall", "--top-module", "ring", *sourcesOf(rtl)], rtl)
        tally.check(status == 0 and not out.strip(), f"verilator, a ring of 4,000: {out[:400]}")
        wrong = icarus(rtl, 60)
        tally.check(not wrong, f"a ring of 4,000: {wrong}")


def judgeAsync(program):
    """Registers that keep their value, that nothing sets, or that a constant of the instance keeps from being set, are no latches."""
    path, name = program
    with scratch() as folder:
        status, out = exported(path, folder, "--reset", "async", "--reset-polarity", "low", *SIZES.get(name, []))
        if status != 0:
            return [f"{name}, --reset async: export ended with {status}: {out[:400]}"]
        wrong = [tool(os.path.join(folder, "rtl")) for tool in (lint, icarus, yosys, ghdl, synth)]
        return [f"{name}, --reset async: {text}" for text in wrong if text]


OWN_BENCH = """type w: bus { v: u8; };
extern proc tb_top(in a: w, out p: w) cpp("own.hpp") verilog("own/TOP.sv") vhdl("own/tb top_1.vhd");
proc add(in x: w, out y: w) { y.v = x.v + 1; }
network top(in a: w, out p: w) { bus b: w; instance f of add(a, b); instance d of tb_top(b, p); }
"""
OWN_VERILOG = """module tb_top (input clk, input rst, input [7:0] a_v, output reg [7:0] p_v);
    always @(posedge clk) p_v <= rst ? 8'd0 : a_v;
endmodule
"""
OWN_VHDL = """library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
entity tb_top is
    port (clk, rst : in std_logic; a_v : in unsigned(7 downto 0); p_v : out unsigned(7 downto 0));
end entity;
architecture rtl of tb_top is
begin
    process (clk)
    begin
        if rising_edge(clk) then
            if rst = '1' then p_v <= x"00"; else p_v <= a_v; end if;
        end if;
    end process;
end architecture;
"""


def namesOfFiles(tally):
    """No file takes the place of another, whatever processes and files written by hand are called: the benches look at the design."""
    for name in ("programs/names.sme", "own"):
        with scratch() as folder:
            path = os.path.join(ROOT, "tests", "hdl", name)
            if name == "own":
                path = os.path.join(folder, "own.sme")
                os.mkdir(os.path.join(folder, "own"))
                for file, text in (("own.sme", OWN_BENCH), ("own/TOP.sv", OWN_VERILOG), ("own/tb top_1.vhd", OWN_VHDL),
                                   ("own.hpp", "struct tb_top { void operator()(const auto& in, auto& out) { out.v = in.v; } };\n")):
                    with open(os.path.join(folder, file), "w", encoding="utf-8") as f:
                        f.write(text)
            status, out = exported(path, folder)
            rtl = os.path.join(folder, "rtl")
            small = [file.lower() for file in os.listdir(rtl)] if status == 0 else []
            tally.check(status == 0 and len(set(small)) == len(small), f"{name}: {out}: {small}")
            for goal, suffix, old, new in (("icarus", ".sv", "8'd1", "8'd2"), ("ghdl", ".vhd", "x_v + 1;", "x_v + 2;")):
                status, out = run(["make", "--silent", goal], rtl)
                tally.check(status == 0 and out == "PASSED: 60 cycles\n", f"{name}, make {goal}: {status}: {out[:400]}")
                changed = os.path.join(rtl, ("add" if name == "own" else "tb_top_1") + suffix)
                text = source(changed)
                tally.check(text.count(old) == 1, f"{changed} adds once: {text}")
                with open(changed, "w", encoding="utf-8") as f:
                    f.write(text.replace(old, new))
                status, out = run(["make", "--silent", goal], rtl)
                tally.check(status != 0 and "FAILED in cycle" in out, f"{name}, make {goal}, another design: {status}: {out[:400]}")
            with open(os.path.join(rtl, "top.core"), encoding="utf-8") as f:
                named = re.findall(r"^      - ([^:\n]+)", f.read(), re.M)
            wrong = [file for file in named if not os.path.exists(os.path.join(rtl, file))]
            tally.check(len(named) > 5 and not wrong, f"{name}: the core names {wrong}")


def endings(tally):
    """A bench is as long as the design runs, and the export says why."""
    for body, wanted, rows in (("if (n == 41) { stop(2); }", "test bench of 42 cycles; the design stopped with status 2 in cycle 41\n", 42),
                               ("assert(n != 41);", "test bench of 41 cycles; the design failed in cycle 41\n", 41),
                               ("assert(n != 0);", "the recorded run failed in cycle 0; there is no test bench", None)):
        with scratch() as folder:
            path = os.path.join(folder, "own.sme")
            with open(path, "w", encoding="utf-8") as f:
                f.write("proc p(out y) var n: u8 = 0; { %s n = n + 1; y.v = n; }\ntype w: bus { v: u8; };\nnetwork top(out o: w) { instance _ of p(o); }\n" % body)
            status, out = exported(path, folder, cycles=None)
            tally.check(status == 0 and wanted in out, f"'{body}': {status}: {out}")
            tally.check(("assert" in body) == ("own.sme:1:32: error: assertion failed" in out), f"'{body}': why it failed: {out}")
            rtl = os.path.join(folder, "rtl")
            if rows is None:
                tally.check("Makefile" not in os.listdir(rtl), f"'{body}': {os.listdir(rtl)}")
                continue
            for tool in (icarus, ghdl):
                wrong = tool(rtl)
                tally.check(not wrong, f"'{body}': {wrong}")
            tally.check(wanted.split("; the ")[1].strip() in source(os.path.join(rtl, "tb_top.sv")), f"'{body}': the bench says so")
            tally.equal(len(source(os.path.join(rtl, "tb_top.hex")).splitlines()), rows, f"'{body}': lines of data")


def main():
    tally = Tally()
    large(tally)
    unread(tally)
    endings(tally)
    namesOfFiles(tally)
    assertions(tally)
    loops(tally)
    returns(tally)
    places(tally)
    widths(tally)
    handWritten(tally)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for wrong in pool.map(judge, sampled(programs(), name=lambda program: program[1])):
            tally.check(not wrong, "\n".join(wrong))
        chosen = [program for program in programs() if program[1] in ASYNC]
        for wrong in pool.map(judgeAsync, chosen):
            tally.check(not wrong, "\n".join(wrong))
        tally.check(len(chosen) == len(ASYNC), f"programs with --reset async: {chosen}")
    tally.end()


if __name__ == "__main__":
    main()
