#!/usr/bin/env python3
"""Which arrays become memories of an FPGA: what Yosys makes of them for iCE40 and Xilinx, whether smec warns of the others, and whether the
test bench passes before synthesis and, of the netlist for iCE40, after it.

    memories.py [--all]

--all: arrays of which registers become are given to Xilinx's synthesis, too, which takes minutes."""
import concurrent.futures
import json
import os
import random
import re
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "judge"))
from sample import sampled  # noqa: E402
from judges import Tally, exported, ghdl, icarus, lint, run, scratch, sourcesOf, synth, vhdlOf

# Reads often follow writes of the same word, or hit it in the same cycle.
PROGRAM = """
%s
type port: bus { we: bool; we2: bool; waddr: u%d; raddr: u%d; data: u8; };
type answer: bus { data: u8; more: u8; };
proc source(out o)
    var n: u32 = 1;
{
    n = n ^ u32(n << 13);
    n = n ^ (n >> 17);
    n = n ^ u32(n << 5);
    o.we = n[20];
    o.we2 = n[21];
    o.waddr = u%d(n >> 22);
    o.raddr = u%d(n[19] ? n >> 22 : n >> 9);
    o.data = n[18:11];
}
proc user(in p, out q)
%s
network top(out q: answer)
{
    bus m: port;
    instance s of source(m);
    %s
}
"""
OWN, WRITE = "instance u of user(m, q);", "if (p.we) { mem[p.waddr] = p.data; } "
COMMON = f"    var mem: [512]u8;\n{{ q.data = mem[p.raddr]; {WRITE}%s}}"
BYTES = "    var mem: [512]u16;\n{ q.data = mem[p.raddr][7:0]; q.more = mem[p.raddr][15:8]; %s }"
PORTS, COMPUTED, WHOLE = "block RAM has one port for writing", "in which its address is computed", "as a whole"

# Name, body, and what is expected: families in which block RAM comes out, and what the warning says where none does. Slow ones are
# small: 128 words of 2 bits.
CASES = [
    ("registered", COMMON % "", "both", None),
    ("enabled", "    var mem: [512]u8;\n{ if (p.we2) { q.data = mem[p.raddr]; } " + WRITE + "}", "both", None),
    ("enabled and held", "    var mem: [512]u8;\n    var last: u8;\n{ q.data = last; if (p.we2) { last = mem[p.raddr]; } " + WRITE + "}", "both", None),
    ("two readers", COMMON % "q.more = mem[p.waddr]; ", "both", None),
    ("read after a write", "    var mem: [512]u8;\n{ " + WRITE + "q.data = mem[p.raddr]; }", "both", None),
    ("branches", "    var mem: [512]u8;\n{ " + WRITE + "else { mem[p.raddr] = 7; } q.data = mem[p.raddr]; }", "both", None),
    ("writes that exclude each other", COMMON.replace("} %s", "} elif (p.we2) { mem[p.raddr] = 9; } %s") % "", "both", None),
    ("address from a register", "    var mem: [512]u8;\n{ q.data = mem[p.raddr] + 1; " + WRITE + "}", "ice40", None),
    ("parts of words", "    var mem: [512]u8;\n{ q.data = mem[p.raddr]; if (p.we) { mem[p.waddr][3:0] = p.data[3:0]; } "
                       "if (p.we2) { mem[p.waddr][7:4] = p.data[7:4]; } }", "both", None),
    ("bytes of words", BYTES % "if (p.we) { mem[p.waddr][7:0] = p.data; } if (p.we2) { mem[p.waddr][15:8] = p.data; }", "both", None),
    ("a byte by its number", BYTES % "if (p.we) { mem[p.waddr][8 * u1(p.we2) +: 8] = p.data; }", "both", None),
    ("bytes in a loop", BYTES % "for i = 0 until 2 { if (p.data[i]) { mem[p.waddr][8 * i +: 8] = p.data + i; } }", "both", None),
    ("side by side", "    var high: [512]u4;\n    var low: [512]u4;\n{ q.data = cat(high[p.raddr], low[p.raddr]); "
                     "if (p.we) { high[p.waddr] = p.data[7:4]; } if (p.we2) { low[p.waddr] = p.data[3:0]; } }", "ice40", None),
    ("contents", '    var mem: [512]u8 = file("contents.hex");\n{ q.data = mem[p.raddr]; }', "ice40", None),
    ("contents, changed", '    var mem: [512]u8 = file("contents.hex");\n{ q.data = mem[p.raddr]; ' + WRITE + "}", "both", None),
    ("computed address", "    var mem: [128]u8;\n{ q.data = mem[u7(p.raddr + p.waddr)] + 1; " + WRITE + "}", "none", COMPUTED),
    ("two writers", "    var mem: [128]u8;\n{ q.data = mem[p.raddr]; " + WRITE + "if (p.we2) { mem[p.data[6:0]] = 3; } }", "none", PORTS),
    ("two ports", "    var mem: [512]u8;\n{ q.data = mem[p.raddr]; " + WRITE + "if (p.we2) { mem[p.raddr] = 3; } }", "xilinx", "iCE40 not"),
    ("copied", "    var mem: [128]u8;\n    var old: [128]u8;\n{ " + WRITE + "if (p.we && p.we2) { old = mem; } q.data = old[p.raddr]; }", "none", WHOLE),
    ("small", "    var mem: [16]u8;\n{ q.data = mem[p.raddr % 16]; if (p.we) { mem[p.waddr % 16] = p.data; } }", "none", None),
    ("std.fifo", "{ q.data = p.data; }", "both", None),
]
# Those that are looked at with an asynchronous reset, too; and memories that depend on arrays which their process reads after places that set
# them, or sets in long loops.
ASYNC = ("registered", "enabled and held", "contents, changed", "std.fifo")
PLACED = "    var mem: [512]u8;\n    var at: [4]u9;\n{ q.data = mem[p.raddr]; at[p.data % 4] = p.waddr; if (p.we) { mem[at[p.raddr % 4]] = p.data; } }"
LOOPED = ("    var mem: [512]u8;\n    var at: [4]u9;\n{ q.data = mem[p.raddr]; if (p.we) { mem[at[p.raddr % 4]] = p.data; } "
          "for i = 0 until 90 { if (p.data > i) { at[i % 4] = u9(p.waddr + i); } } }")
FIFO = """bus i: queue;
    bus o: queue;
    instance source_of of filler(m, i);
    instance f of fifo.fifo(i, o, depth: 512);
    instance sink of drainer(m, o, q);"""
FIFO_TYPES = """import std.fifo as fifo;
type queue: bus { valid: bool; data: u8; flip ready: bool; };
proc filler(in p, out i) { if (p.we || p.we2) { i.valid = true; } i.data = p.data; }
proc drainer(in p, in o, out q) { o.ready = p.we; if (o.valid) { q.data = o.data; } }"""
# Cells that hold bits without being registers.
BLOCKS = {"ice40": r"SB_RAM40_4K", "xilinx": r"RAMB\d+E1"}
CELLS = os.path.join(os.path.dirname(shutil.which("yosys") or "/usr/bin/yosys"), "..", "share", "yosys", "ice40", "cells_sim.v")


def written(folder, name, body):
    bits = 7 if "[128]" in body else 9
    if bits == 7:
        body = body.replace("u8", "u2").replace("= p.data;", "= p.data[1:0];")
    with open(os.path.join(folder, "contents.hex"), "w", encoding="utf-8") as f:
        f.write("".join(f"{random.Random(i).randrange(256):02x}\n" for i in range(512)))
    path = os.path.join(folder, "program.sme")
    with open(path, "w", encoding="utf-8") as f:
        if name == "std.fifo":
            f.write(PROGRAM.replace("%d", "9") % (FIFO_TYPES, body, FIFO))
        else:
            f.write(PROGRAM % ("", bits, bits, bits, bits, body, OWN))
    return path


def cellsOf(rtl, family, isWhole, until="map_ffram"):
    """Cells by type: all, and the netlist in a file; or what stands when memories have been mapped, or before another step."""
    rest = f"check -assert; write_verilog -noattr {family}.v; " if isWhole else ""
    steps = f"synth_{family} -top top" + ("" if isWhole else f" -run begin:{until}")
    if family == "xilinx":
        # Up to there nobody asks what is in its cells, and reading them takes longer than all the rest.
        steps = "hierarchy -check -top top; synth_xilinx -top top -run prepare:map_ffram"
    script = f"read_verilog -sv {' '.join(sourcesOf(rtl))}; {steps}; {rest}tee -q -o stat.json stat -json"
    status, out = run(["yosys", "-q", "-p", script], rtl)
    if status != 0:
        return None, "\n".join(out.splitlines()[-4:])
    with open(os.path.join(rtl, "stat.json"), encoding="utf-8") as f:
        return json.load(f)["design"]["num_cells_by_type"], None


def afterSynthesis(rtl):
    """What the test bench says of the netlist for iCE40, or None."""
    status, out = run(["iverilog", "-g2012", "-DONLY_PORTS", "-DNO_ICE40_DEFAULT_ASSIGNMENTS", "-o", "net.vvp", "-s", "tb_top", "ice40.v", "tb_top.sv",
                       CELLS], rtl)
    if status == 0:
        status, out = run(["vvp", "-N", "net.vvp"], rtl)
    return None if status == 0 and "PASSED" in out else "netlist: " + "\n".join(out.splitlines()[:4])


def judge(case):
    name, body, wanted, why = case
    with scratch() as folder:
        status, out = exported(written(folder, name, body), folder, "-Wno-unread", "-Wno-uninstantiated", cycles=900)
        if status != 0:
            return [f"{name}: export ended with {status}: {out[:400]}"]
        found = []
        warned = "[memory-registers]" in out
        if warned != (why is not None) or why and why not in out:
            found.append(f"wrong warnings: {out[:400]}")
        rtl = os.path.join(folder, "rtl")
        found += [text for text in (tool(rtl) for tool in (lint, icarus, ghdl, synth)) if text]
        for family, block in BLOCKS.items():
            if family == "xilinx" and wanted == "none" and why and "--all" not in sys.argv:
                continue
            isWhole = family == "ice40" and wanted in ("both", "ice40")
            cells, problem = cellsOf(rtl, family, isWhole)
            if problem:
                found.append(f"{family}: {problem}")
                continue
            blocks = sum(n for kind, n in cells.items() if re.fullmatch(block, kind))
            if (blocks > 0) != (wanted in ("both", family)):
                found.append(f"{family}: {blocks} blocks of RAM; all cells: {cells}")
        found.append(afterSynthesis(rtl) if wanted in ("both", "ice40") else None)
        return [f"{name}: {text}" for text in found if text]


def resetAtOnce(name, body, isSimulated):
    """With --reset async, writes stand in a process of their own, so that they become ports of a RAM all the same; `isSimulated`: of the netlist, too."""
    with scratch() as folder:
        status, out = exported(written(folder, name, body), folder, "--reset", "async", "-Wno-unread", "-Wno-uninstantiated", cycles=300)
        if status != 0 or "[memory-registers]" in out:
            return [f"export ended with {status}: {out[:400]}"]
        rtl = os.path.join(folder, "rtl")
        found = [tool(rtl) for tool in (lint, icarus, ghdl, synth)]
        cells, problem = cellsOf(rtl, "ice40", isSimulated)
        if problem or not any(re.fullmatch(BLOCKS["ice40"], kind) for kind in cells):
            return found + [f"ice40: {problem}, {cells}"]
        return found + [afterSynthesis(rtl) if isSimulated else None]


BYTE_RAM = """import std.ram as ram;
type request: bus { address: u9; write: u4; data: u32; };
type word: bus { data: u32; };
network top(in p: request, out q: word) { instance m of ram.byte_ram(p, q, words: 512); }
"""


def byteRam():
    """512 words of 32 bits are 4 blocks of iCE40, from the Verilog and, through GHDL's synthesis, from the VHDL; no bit of them is a register."""
    with scratch() as folder:
        path = os.path.join(folder, "program.sme")
        with open(path, "w", encoding="utf-8") as f:
            f.write(BYTE_RAM)
        status, out = exported(path, folder, cycles=0)
        if status != 0 or "[memory-registers]" in out:
            return [f"export ended with {status}: {out[:400]}"]
        rtl, found = os.path.join(folder, "rtl"), []
        vhdl = os.path.join(folder, "vhdl")
        os.makedirs(vhdl)
        with open(os.path.join(vhdl, "files.f"), "w", encoding="utf-8") as f:
            f.write("top.v")
        status, out = run(["sh", "-c", f"cd {rtl} && ghdl -a --std=08 {' '.join(vhdlOf(rtl))} && ghdl --synth --std=08 --out=verilog top > {vhdl}/top.v"], rtl)
        found.append(f"ghdl: {out[:400]}" if status else None)
        for language, sources in (("Verilog", rtl), ("VHDL", vhdl)):
            cells, problem = cellsOf(sources, "ice40", False, "map_luts")  # memories and registers are what they will be
            blocks = sum(n for kind, n in (cells or {}).items() if kind == "SB_RAM40_4K")
            registers = sum(n for kind, n in (cells or {}).items() if kind.startswith("SB_DFF"))
            found.append(None if blocks == 4 and registers < 200 else f"{language}: {problem}, {cells}")
        return found


def checkReset(tally, name, body, isSimulated):
    wrong = [text for text in resetAtOnce(name, body, isSimulated) if text]
    tally.check(not wrong, f"{name}, --reset async: " + "\n".join(wrong))


def main():
    tally = Tally()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for wrong in pool.map(judge, sampled(CASES, name=lambda case: case[0])):
            tally.check(not wrong, "\n".join(wrong))
    resets = [(name, body) for name, body, _, _ in CASES if name in ASYNC] + [("placed", PLACED), ("placed by a loop", LOOPED)]
    simulated = sampled(resets, name=lambda case: f"{case[0]}, --reset async")
    for case in resets:
        checkReset(tally, *case, case in simulated)
    wrong = [text for text in byteRam() if text]
    tally.check(not wrong, "std.ram.byte_ram: " + "\n".join(wrong))
    with scratch() as folder:
        for body in (body for name, body, _, _ in CASES if name in ("read after a write", "enabled")):
            _, out = exported(written(folder, "placed", body), folder, "--reset", "async", cycles=0)
            tally.check("[memory-registers]" in out and "note: the reset of its process is asynchronous; take --reset sync" in out, f"an asynchronous reset: {out}")
    tally.end()


if __name__ == "__main__":
    main()
