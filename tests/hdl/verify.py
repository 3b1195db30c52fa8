#!/usr/bin/env python3
"""smec verify: its table, verdict and status; that a wrong engine is found, a missing one listed; proofs and counterexamples of --formal."""
import json
import os
import shutil
import signal
import subprocess
import time

from judges import SMEC, Tally, run, scratch
from support import write

BLINK = """proc blink(in button, out led)
    var count: u4 = 0;
{
    %s
    led.on = count[3];%s
}
network top(in button: push, out led: light) { instance it of blink(button, led); }
type push: bus { pressed: bool; };
type light: bus { on: bool; };
"""
COUNTING = "if (button.pressed) { count = count + 1; }"
FLOATING = """proc p(out y) var x: f32 = 0.5; { x = x * 1.5; y.v = x > 1.0; }
network top() { exposed bus b { v: bool; }; instance _ of p(b); }
"""
ADDING = """proc add(in a, out b, const k: u8) var sum: u8 = 0; { sum = sum + a.x + k; b.z = %s; }
type number: bus { x: u8; };
type result: bus { z: u8; };
network top(in a: number, out b: result, out c: result) { instance u of add(a, b, 3); instance v of add(a, c, 4); }
"""
REFERENCE = """module blink (input clk, input %s, input button_pressed, output reg led_on);
  reg [3:0] c;
  wire [3:0] n = c + button_pressed;
  always @(posedge clk) if (%s) begin c <= 0; led_on <= 0; end else begin c <= n; led_on <= n[%s]; end
endmodule
"""
# Stands in for iverilog: changes a file of the design and calls the real one.
FAULTY = """#!/bin/sh
sed -i 's/count_next\\[3\\]/count_next[2]/' blink.sv
exec %s "$@"
"""
# Stands in for the C++ compiler: cycles that nobody sees are one too few.
HASTY = """#!/bin/sh
sed -i 's/u64 cycle = 0;/u64 cycle = 1;/' unit_*.cpp
exec c++ "$@"
"""
FAST = ["--models", "m1,m3", "--threads", "1,2", "-O0"]


def verify(folder, *arguments, path=None):
    """Status, and all that was printed."""
    env = dict(os.environ, **({"PATH": path} if path else {}))
    p = subprocess.run([os.path.abspath(SMEC), "verify", *arguments], cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, encoding="utf-8", timeout=300, check=False)
    return p.returncode, p.stdout


def programs(folder, *without):
    """A folder with all programs on PATH but those."""
    result = os.path.join(folder, "programs-" + "-".join(without))
    os.mkdir(result)
    for place in os.environ["PATH"].split(os.pathsep):
        for name in os.listdir(place) if os.path.isdir(place) else ():
            link = os.path.join(result, name)
            if name not in without and not os.path.lexists(link):
                os.symlink(os.path.join(place, name), link)
    return result


def resultsOf(out):
    """The rows of the table: engine and plan -> the last column."""
    rows = {}
    for line in out.splitlines()[1:]:
        cells = [c.strip() for c in line.split("  ") if c.strip()]
        if not cells:
            break
        rows[cells[0] + (", " + cells[1] if len(cells) > 2 and not cells[1].isdigit() else "")] = cells[-1]
    return rows


def agreement(tally, folder):
    status, out = verify(folder, "blink.sme", "--input", "in.csv", "--cycles", "40", *FAST, "--engines", "cpp,icarus,ghdl")
    tally.equal(status, 0, f"all agree: {out}")
    rows = resultsOf(out)
    engines = ["C++, m1, 1 thread", "C++, m1, 2 threads", "C++, m3, 1 thread", "C++, m3, 2 threads", "Icarus Verilog, Verilog", "GHDL, VHDL"]
    tally.equal(rows, {"interpreter": "reference: ran 40 cycles, as asked with --cycles", **dict.fromkeys(engines, "agrees")}, "the rows")
    tally.check(out.endswith("\nverify: 6 of 6 agree over 40 cycles\n"), f"the verdict: {out}")
    status, out = verify(folder, "blink.sme", "--engines", "verilator", "--cycles", "12", "--reset", "async", "--reset-polarity", "low")
    tally.check(status == 0 and "verify: 1 of 1 agree over 12 cycles" in out, f"Verilator: {out}")
    status, out = verify(folder, "blink.sme", *FAST, "--engines", "cpp,icarus", "--report", "json", "--chunk", "gss", "--seed", "3")
    data = json.loads(out)
    tally.equal([status, data["cycles"], {row["result"] for row in data["engines"]}, len(data["engines"])], [0, 10000, {"agrees"}, 5], "JSON")
    tally.equal(data["ending"], "ran to the limit of 10,000 cycles", "how it ended")


def failures(tally, folder):
    """A run that fails does so everywhere."""
    status, out = verify(folder, "failing.sme", "--input", "in.csv", *FAST, "--engines", "cpp,icarus,ghdl")
    tally.equal(status, 0, f"all fail alike: {out}")
    tally.check("the run ends with status 1: failing.sme:6:" in out and "assertion failed: too far" in out, f"how it fails: {out}")
    tally.check("verify: 6 of 6 agree" in out, f"the verdict: {out}")
    status, out = verify(folder, "first.sme", "--engines", "icarus,cpp", *FAST)
    tally.check(status == 0 and "no cycle" in out and "verify: 4 of 4 agree" in out, f"nothing to run a test bench for: {out}")


def endings(tally, folder):
    """The table tells why the run was not longer, and the others end like it."""
    for arguments, wanted, cycles in ((["stop.sme"], "stopped with status 3 in cycle 11", 12), (["stop.sme", "--cycles", "12"], "stopped with status 3 in cycle 11", 12),
                                      (["stop.sme", "--cycles", "11"], "ran 11 cycles, as asked with --cycles", 11),
                                      (["blink.sme", "--input", "in.csv"], "ran to the end of the input, 60 cycles", 60),
                                      (["failing.sme", "--input", "in.csv"], "failed in cycle 8", 9),
                                      (["large.sme"], "ran to the limit of 4,000,000 values, 975 cycles", 975)):
        status, out = verify(folder, *arguments, "--models", "m2", "--threads", "2", "-O0", "--engines", "cpp,icarus,ghdl")
        tally.equal((status, resultsOf(out)["interpreter"]), (0, "reference: " + wanted), f"{arguments}: {out}")
        tally.check(f"verify: 3 of 3 agree over {cycles} cycles\n" in out, f"{arguments}: {out}")


def unseen(tally, folder):
    """One thread runs without traces, too, where simulators leave out what nobody sees; the ends are compared."""
    shutil.copy(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e", "table", "registers.sme"), folder)
    arguments = ["registers.sme", "--engines", "cpp", "--models", "m2", "--threads", "1,2", "--cycles", "200", "-O0"]
    status, out = verify(folder, *arguments)
    tally.check(status == 0 and "verify: 2 of 2 agree over 200 cycles" in out, f"unseen cycles: {out}")
    compiler = write(folder, "hasty", HASTY)
    os.chmod(compiler, 0o755)
    status, out = verify(folder, *arguments, "--cxx", os.path.abspath(compiler))
    tally.equal((status, resultsOf(out)["C++, m2, 2 threads"]), (1, "agrees"), f"wrong unseen cycles: {out}")
    tally.check("without traces: line 1 of what the design prints is" in out, f"wrong unseen cycles: {out}")


def faults(tally, folder):
    path = programs(folder, "iverilog", "ghdl")
    wrapper = write(path, "iverilog", FAULTY % shutil.which("iverilog"))
    os.chmod(wrapper, 0o755)
    arguments = ["blink.sme", "--input", "in.csv", "--cycles", "40", "--engines", "icarus,ghdl", "-o", "kept"]
    status, out = verify(folder, *arguments, path=path)
    tally.equal(status, 1, f"a wrong engine: {out}")
    tally.check("Icarus Verilog (Verilog):\n  cycle 4: led.on: expected false, got true" in out.replace("expected 0, got 1", "expected false, got true"),
                f"where it differs: {out}")
    tally.equal(resultsOf(out)["Icarus Verilog, Verilog"], "DIFFERS", "the row")
    tally.check("not found: on Debian: apt-get install ghdl" in out, f"what is missing: {out}")
    tally.check(out.endswith("verify: 0 of 1 agree over 40 cycles; 1 not found\n"), f"the verdict: {out}")
    tally.check(os.path.exists(os.path.join(folder, "kept", "verilog", "tb_top.sv")), "-o keeps what is made")
    os.remove(wrapper)
    status, out = verify(folder, "blink.sme", "--engines", "icarus", path=path)
    tally.check(status == 3 and "verify: nothing could be compared; 1 not found" in out, f"nothing to compare: {out}")
    write(path, "iverilog", "#!/bin/sh\nexec sleep 1000\n")
    os.chmod(wrapper, 0o755)
    status, out = verify(folder, "blink.sme", "--engines", "icarus", "--timeout", "1", path=path)
    tally.check(status == 1 and "failed: no end after 1 s" in out, f"an engine that hangs: {out}")
    write(path, "iverilog", "#!/bin/sh\necho disk full >&2\nexit 1\n")
    status, out = verify(folder, "blink.sme", "--engines", "icarus", path=path)
    tally.check(status == 1 and "failed: disk full" in out, f"an engine that fails: {out}")


def notHardware(tally, folder):
    status, out = verify(folder, "float.sme", *FAST)
    tally.equal(status, 0, f"floats: {out}")
    tally.check("not hardware: float.sme:1: the floating-point" in out, f"why: {out}")
    tally.check(out.endswith("verify: 4 of 4 agree over 10000 cycles; 3 not hardware\n"), f"the verdict: {out}")
    status, out = verify(folder, "float.sme", "--engines", "ghdl")
    tally.check(status == 1 and "nothing could be compared; 1 not hardware" in out, f"nothing but hardware: {out}")


def refusals(tally, folder):
    def refused(status, part, *arguments):
        got, out = verify(folder, *arguments)
        tally.check(got == status and part in out, f"{arguments}: status {got}, '{part}' is said: {out}")

    refused(2, "--engines takes cpp, icarus, verilator, ghdl", "blink.sme", "--engines", "vcs")
    refused(2, "--models with a list", "blink.sme", "--model", "m1")
    refused(2, "does not take --trace", "blink.sme", "--trace", "x.csv")
    refused(2, "smec verify does not take --emit", "blink.sme", "--emit", "cpp")
    refused(2, "--process is for --formal", "blink.sme", "--process", "blink")
    refused(2, "--formal does not take --input", "blink.sme", "--formal", "ref.v", "--input", "in.csv")
    refused(2, "--cycles", "blink.sme", "--cycles", "0")
    refused(2, "one source file", "blink.sme", "float.sme")
    refused(1, "no-such.sme", "no-such.sme")
    refused(3, "no.csv", "blink.sme", "--input", "no.csv")
    refused(1, "expected", "wrong.sme")


def proofs(tally, folder):
    def proof(status, part, *arguments):
        got, out = verify(folder, *arguments)
        tally.check(got == status and part in out, f"{arguments}: status {got}, '{part}': {out}")
        return out

    proof(0, "top: proved for all time (", "blink.sme", "--formal", "renamed.sme")
    out = proof(1, "top: DIFFERS\n", "mutated.sme", "--formal", "blink.sme")
    tally.check("cycle 4: led_on: expected 0, got 1\n" in out and "\n    reset " in out, f"the counterexample: {out}")
    tally.check(out.endswith("verify: 0 of 1 proved equal; 1 differ\n"), f"the verdict: {out}")
    proof(0, "blink: proved for all time (", "blink.sme", "--formal", "ref.v", "--process", "blink")
    proof(0, "blink: proved", "blink.sme", "--formal", "low.sv", "--process", "blink", "--reset", "async", "--reset-polarity", "low")
    proof(1, "blink: DIFFERS\n", "blink.sme", "--formal", "bad.v", "--process", "blink", "--reference-module", "blink")
    proof(0, "top: proved", "blink.sme", "--formal", "ref.v")
    proof(1, "there is no 'rst', input of 1 bit", "blink.sme", "--formal", "ref.v", "--reset-polarity", "low")
    proof(2, "'blink.sme' has no process 'blonk'; there are blink, top", "blink.sme", "--formal", "ref.v", "--process", "blonk")
    proof(2, "'ref.v' has no module 'x'; there is blink", "blink.sme", "--formal", "ref.v", "--reference-module", "x")
    proof(1, "Yosys cannot read 'broken.v'", "blink.sme", "--formal", "broken.v")
    proof(3, "cannot read 'nix.v'", "blink.sme", "--formal", "nix.v")
    out = proof(0, "add (top.u): proved", "add.sme", "--formal", "add2.sme", "--process", "add")
    tally.check("add (top.v): proved" in out and "verify: 2 of 2 proved equal" in out, f"each kind of instance: {out}")
    status, out = verify(folder, "mutated.sme", "--formal", "blink.sme", "--report", "json")
    result = json.loads(out)["results"][0]
    tally.equal([status, result["result"], result["expected"], result["got"], len(result["inputs"])], [1, "DIFFERS", {"led_on": "0"}, {"led_on": "1"}, 6], "JSON")
    status, out = verify(folder, "blink.sme", "--formal", "ref.v", path=programs(folder, "yosys"))
    tally.check(status == 3 and "apt-get install yosys" in out, f"no Yosys: {out}")


def children(pid):
    status, out = run(["ps", "-o", "pid=", "--ppid", str(pid)], "/")
    return out.split() if status == 0 else []


def interruption(tally, folder):
    """Ends what it started and leaves nothing in the folder for temporary files."""
    temporary = os.path.join(folder, "temporary")
    os.mkdir(temporary)
    for number in (signal.SIGINT, signal.SIGTERM):
        child = subprocess.Popen([os.path.abspath(SMEC), "verify", "blink.sme", "--cycles", "1000000000", "--engines", "cpp", "-O0"], cwd=folder,
                                 env=dict(os.environ, TMPDIR=temporary), stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
        while child.poll() is None and not children(child.pid):
            time.sleep(0.02)
        started = children(child.pid)
        child.send_signal(number)
        out, err = child.communicate(timeout=60)
        tally.equal((child.returncode, out, err), (128 + number, "", "smec: interrupted\n"), "interrupted")
        tally.check(started and not any(os.path.exists(f"/proc/{pid}") for pid in started), f"{started} have ended")
        tally.equal(os.listdir(temporary), [], "nothing is left")


def main():
    tally = Tally()
    with scratch() as folder:
        sources = {
            "blink.sme": BLINK % (COUNTING, ""), "mutated.sme": BLINK % (COUNTING.replace("+ 1", "+ 2"), ""),
            "renamed.sme": (BLINK % ("count = (button.pressed ? 1 : 0) + count;", "")).replace("count", "number").replace("number[3]", "(number >= 8)"),
            "failing.sme": BLINK % (COUNTING, '\n    assert(count < 9, "too far");'), "first.sme": BLINK % (COUNTING, "\n    assert(count > 9);"),
            "float.sme": FLOATING, "stop.sme": BLINK % ("count = count + 1;", "\n    if (count == 12) { stop(3); }"),
            "large.sme": BLINK.replace("var count", "var seen: [4096]bool;\n    var count") % (COUNTING, "\n    seen[count] = true;"), "wrong.sme": "proc p(", "add.sme": ADDING % "sum",
            "add2.sme": (ADDING % "0 + sum").replace("a.x + k", "k + a.x"),
            "ref.v": REFERENCE % ("rst", "rst", 3), "bad.v": REFERENCE % ("rst", "rst", 2), "broken.v": "module blink (",
            "low.sv": (REFERENCE % ("rst_n", "!rst_n", 3)).replace("posedge clk", "posedge clk, negedge rst_n"),
            "in.csv": "cycle,button.pressed\n" + "".join(f"{i},true\n" for i in range(60))}
        for name, text in sources.items():
            write(folder, name, text)
        for test in (agreement, failures, endings, unseen, faults, notHardware, refusals, proofs, interruption):
            test(tally, folder)
    tally.end()


if __name__ == "__main__":
    main()
