#!/usr/bin/env python3
"""smec export --estimate: its table agrees with what Yosys counts, and what happens without Yosys and when it is interrupted."""
import json
import os
import re
import signal
import subprocess
import time

from judges import SMEC, Tally, exported, run, scratch, sourcesOf

# Two of the three adders have the same width; the multiplier is slow to synthesise.
PROGRAM = """type port: bus { a: u16; b: u16; };
type sum: bus { v: u17; };
proc adder(in p, out q, const step: u16)
    var last: u16 = 0;
{
    last = p.a + step;
    q.v = p.b + last;
}
network top(in p: port, out q: sum, out r: sum, out s: sum)
{
    instance one of adder(p, q, 1);
    instance two of adder(p, r, 1);
    instance three of adder(p, s, 600);
}
"""
SLOW = """type port: bus { a: u512; b: u512; };
type sum: bus { v: u1024; };
proc slow(in p, out q) { q.v = p.a * p.b; }
network top(in p: port, out q: sum) { instance it of slow(p, q); }
"""
MEMORY = """type port: bus { we: bool; a: u10; d: u16; };
type word: bus { d: u16; };
proc store(in p, out q)
    var mem: [1024]u16;
{
    q.d = mem[p.a];
    if (p.we) { mem[p.a] = p.d; }
}
network top(in p: port, out q: word) { instance it of store(p, q); }
"""
LUTS, FLIP_FLOPS = {"ice40": "SB_LUT4", "xilinx": r"LUT\d|INV"}, {"ice40": "SB_DFF.*", "xilinx": "FD.*"}
OPTIONS = {"ice40": "", "xilinx": "-flatten -noiopad -noclkbuf"}


def smec(folder, *arguments, env=None):
    p = subprocess.run([os.path.abspath(SMEC), "export", "program.sme", *arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, encoding="utf-8", timeout=300, check=False, env=env)
    return p.returncode, p.stdout, p.stderr


def rows(table):
    """{name: {title: value}}; titles end where their column ends."""
    lines = table.splitlines()
    ends = [(m.group(), m.end()) for m in re.finditer(r"\S+(?: \S+)*", lines[0])]
    found = {}
    for line in lines[1:]:
        cells = {m.end(): m.group() for m in re.finditer(r"\S+(?: \S+)*", line)}
        found[re.split(r" \(|  ", line.strip())[0]] = {title: cells[end] for title, end in ends if end in cells}
    return found


def checkCounts(tally, folder, family):
    status, out, err = smec(folder, "--estimate", family)
    tally.equal(status, 0, f"{family}: status; {err}")
    tally.check("Yosys synthesises" in err, f"{family}: progress: {err}")
    table = rows(out)
    status, text = exported(os.path.join(folder, "program.sme"), folder)
    tally.equal(status, 0, text)
    rtl = os.path.join(folder, "rtl")
    run(["yosys", "-q", "-p", f"read_verilog -sv {' '.join(sourcesOf(rtl))}; synth_{family} {OPTIONS[family]} -top top; tee -q -o stat.json stat -json"],
        rtl)
    with open(os.path.join(rtl, "stat.json"), encoding="utf-8") as f:
        cells = json.load(f)["design"]["num_cells_by_type"]
    for title, kinds in (("LUT", LUTS[family]), ("FF", FLIP_FLOPS[family])):
        want = sum(n for kind, n in cells.items() if re.fullmatch(kinds, kind))
        tally.equal(int(table["in one piece"][f"all {title}"]), want, f"{family}: {title} in one piece\n{out}")
    adder = table["adder"]
    tally.equal((adder["instances"], adder["FF"], adder["all FF"]), ("3", "17", "51"), f"{family}: adders\n{out}")
    low, _, high = adder["LUT"].partition("-")
    tally.check(3 * int(low) <= int(adder["all LUT"]) <= 3 * int(high or low), f"{family}: LUTs of the adders\n{out}")
    tally.equal(table["together"]["all LUT"], adder["all LUT"], f"{family}: sum\n{out}")
    tally.check(int(adder["levels"].split("-")[0]) >= 1 and int(table["in one piece"]["levels"]) >= 1, f"{family}: levels\n{out}")

SILENT = """proc counter(out o) var n: u8; { n = n + 1; o.v = n; }
proc listener(in o) var t: u16; { t = t + o.v; if (t > 1000) { stop; } }
network top() { bus b { v: u8; }; instance a of counter(b); instance c of listener(b); }
"""


def main():
    tally = Tally()
    with scratch() as folder:
        def program(text):
            with open(os.path.join(folder, "program.sme"), "w", encoding="utf-8") as f:
                f.write(text)

        program(PROGRAM)
        for family in OPTIONS:
            checkCounts(tally, folder, family)
        status, out, _ = smec(folder, "--estimate", "ice40", "-v", "-q", "--vhdl", "-o", "written", "--cycles", "5")
        tally.equal(status, 0, "with VHDL")
        tally.check(os.path.exists(os.path.join(folder, "written", "adder.vhd")), "the files are written, too")
        tally.check(not os.path.exists(os.path.join(folder, "written", "adder.sv")), "and only those")
        tally.equal(rows(out)["q.v"]["FF"], "17", f"registers of a class\n{out}")
        tally.check("q.v (program.sme:7)" in out, f"with their lines\n{out}")
        program(MEMORY)
        table = rows(smec(folder, "--estimate", "ice40")[1])
        tally.equal(table["in one piece"]["all RAM"], "4", f"blocks of 4 Kbit: {table}")
        # nothing is exposed: registers are kept, two that are equal as one
        program(PROGRAM.replace("out q: sum, out r: sum, out s: sum)\n{", ")\n{\n    bus q: sum;\n    bus r: sum;\n    bus s: sum;").replace(", )", ")"))
        status, out, err = smec(folder, "--estimate", "ice40", "-Wno-unread")
        tally.check(status == 0 and "its registers are kept, as if somebody read them" in err, f"a note: {err}")
        tally.equal((rows(out)["in one piece"]["all FF"], rows(out)["in one piece"]["levels"]), ("34", rows(out)["adder"]["levels"]), f"registers that nobody reads\n{out}")
        tally.equal(rows(out)["adder"]["all FF"], "51", f"classes cost what they cost\n{out}")
        program(SILENT)
        out = smec(folder, "--estimate", "ice40", "-Wno-left-out")[1]
        tally.equal([rows(out)[name]["all FF"] for name in ("counter", "in one piece")], ["8", "8"], f"beside a process without outputs\n{out}")
        tally.check("listener" not in rows(out), f"what nobody reads is no hardware\n{out}")

        status, out, err = smec(folder, "--estimate", "ice40", "-q", env={**os.environ, "PATH": folder})
        tally.check(status == 3 and out == "" and "no 'yosys' on PATH" in err, f"without Yosys: {status} {err}")
        tally.equal(smec(folder, "--estimate", "cyclone")[0], 2, "an unknown family is wrong usage")

        program(SLOW)
        temporary = os.path.join(folder, "tmp")
        os.mkdir(temporary)
        p = subprocess.Popen([os.path.abspath(SMEC), "export", "program.sme", "--estimate", "ice40"], cwd=folder, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", env={**os.environ, "TMPDIR": temporary})
        p.stderr.readline()  # Yosys starts
        time.sleep(0.5)
        p.send_signal(signal.SIGINT)
        out, _ = p.communicate(timeout=60)
        tally.equal((p.returncode, out, os.listdir(temporary)), (130, "", []), "interrupted")
    tally.end()


if __name__ == "__main__":
    main()
