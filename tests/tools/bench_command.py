#!/usr/bin/env python3
"""smec bench: rows, JSON and picture of small designs agree with the definitions; what it refuses; nothing is left running."""
import json
import os
import shutil
import signal
import subprocess
import time
import xml.etree.ElementTree

from support import SMEC, Tally, scratch, smec, write

RING = """proc p(in x, out y) { y.v = x.v + 1; }
network top() {
    exposed bus link[40] { v: u32; };
    generate i = 0 until 39 { instance q[i] of p(link[i], link[i + 1]); }
    instance last of p(link[39], link[0]);
}
"""
ENDING = """proc p(out y) var n: u32; { trace("cycle {}", n); n = n + 1; y.v = n; if (n == 30) { %s } }
network top() { exposed bus b { v: u32; }; instance _ of p(b); }
"""
DRIVEN = """proc p(in x, out y) { y.v = x.v + 1; }
network top() { exposed bus a { v: u8; }; exposed bus b { v: u8; }; instance _ of p(a, b); }
"""
SERIAL = """extern serial func tick(n: u32): u32 from "tick.h";
proc p(out y) { y.v = tick(1); }
network top() { exposed bus b { v: u32; }; instance _ of p(b); }
"""
CURVES = ["linear", "elision", "maximal", "idleSpecific", "inflationSpecific", "actual"]
TIMES = ["sequential", "elided", "one", "parallel", "idle", "untimed"]
FEW = ["--threads", "1", "--models", "m2", "--repeat", "1", "-O0"]



def checkRow(tally, row, what):
    p, one, parallel, idle, sequential = (row["running"], *(row[name]["mean"] for name in ("one", "parallel", "idle", "sequential")))
    tally.check(abs(row["inflation"] - (p * parallel - idle - one)) <= 1e-7 * (p * parallel + idle + one), f"{what}: F_P = P T_P - I_P - T_1")
    wanted = [p, p * sequential / row["elided"]["mean"], p * sequential / one, p * sequential / (one + idle),
              p * sequential / (p * parallel - idle), sequential / parallel]
    tally.equal(list(row["speedup"]), CURVES, f"{what}: the curves")
    for name, value in zip(CURVES, wanted):
        tally.check(abs(row["speedup"][name] - value) <= 1e-4 * abs(value), f"{what}: {name} is {row['speedup'][name]}, not {value}")
    for name in TIMES:
        spread = row[name]
        tally.check(0 <= spread["min"] <= spread["max"] and spread["min"] * 0.999 <= spread["mean"] <= spread["max"] * 1.001,
                    f"{what}: {name} {spread}")
    tally.check(row["cycles"] == 200 and row["diagnosis"], f"{what}: cycles and diagnosis")
    tally.check(abs(row["nsPerStep"] - parallel * 1e9 / (200 * 40)) <= 1e-6 * row["nsPerStep"], f"{what}: ns per step")
    tally.check(abs(row["stepsPerSecond"] * row["nsPerStep"] - 1e9) < 1e4, f"{what}: steps per second")


def checkTable(tally, out, results):
    lines = [line.split() for line in out.splitlines()]
    rows = [cells for cells in lines if len(cells) > 10 and cells[0] in ("m1", "m2", "m3") and cells[1].isdigit()]
    tally.equal([cells[:2] for cells in rows], [[r["model"], str(r["threads"])] for r in results], "the rows")
    for cells, row in zip(rows, results):
        if row["running"] == row["threads"]:
            tally.equal(cells[9:15], [f"{row['speedup'][name]:.3f}" for name in CURVES], "the curves of the table")
    for model in ("m1", "m2", "m3"):
        last = [r for r in results if r["model"] == model][-1]
        tally.check(f"\n{model} on {last['threads']}: {last['diagnosis']}\n" in out, f"the diagnosis of {model}")


def measured(tally, folder):
    status, out, err = smec("bench", "ring.sme", "--threads", "2,1", "--models", "m1,m2,m3", "--repeat", "1", "--cycles", "200",
                            "--json", "ring.json", "--chunk", "ss", "--wait=block", "-O0", cwd=folder)
    tally.equal((status, err), (0, ""), "a ring is measured")
    with open(os.path.join(folder, "ring.json"), encoding="utf-8") as f:
        data = json.load(f)
    tally.equal([data[k] for k in ("format", "file", "design", "repeats", "options", "stepsPerCycle")],
                [1, "ring.sme", "top", 1, ["--chunk", "ss", "--wait=block"], 40], "JSON: what was measured")
    results = data["results"]
    tally.equal([(r["model"], r["threads"]) for r in results], [(m, p) for m in ("m1", "m2", "m3") for p in (1, 2)], "JSON: all combinations")
    for row in results:
        tally.equal(row["running"], min(row["threads"], data["processors"]), "threads that run")
        checkRow(tally, row, f"{row['model']} on {row['threads']}")
        if row["running"] > 1:
            tally.check(row["plan"].startswith(row["model"]) and ("chunks ss" in row["plan"] or row["model"] == "m2"), f"options are passed on: {row['plan']}")
    checkTable(tally, out, results)
    tally.check("less than 1 ms" in out, "short runs are pointed out")


def ends(tally, folder):
    """Where the number of cycles comes from."""
    def cycles(*arguments):
        status, out, err = smec("bench", *arguments, *FEW, "--json", "out.json", cwd=folder)
        tally.equal((status, err), (0, ""), f"{arguments} is measured")
        tally.check("cycle 3" not in out, f"{arguments}: the design's output is left out")
        with open(os.path.join(folder, "out.json"), encoding="utf-8") as f:
            return json.load(f)["results"][0]["cycles"]

    tally.check(cycles("ring.sme") > 1000, "a design without an end gets a number of cycles")
    tally.equal(cycles("stop.sme"), 30, "a design that stops runs to its end")
    tally.equal(cycles("stop.sme", "--cycles", "12"), 12, "or less")
    tally.equal(cycles("driven.sme", "--input", "in.csv"), 3, "inputs give the number")
    tally.equal(cycles("driven.sme", "--input", "in.csv", "--cycles", "9"), 9, "unless told")
    for command in "bench", "verify":
        status, _, err = smec(command, "failing.sme", "--input", "-", cwd=folder)
        tally.check(status == 2 and "runs the design several times; give a file, not '-'" in err, f"{command} --input -: {err}")
    tally.equal(cycles("failing.sme", "--cycles", "29"), 29, "a failure after the end is none")


def refusals(tally, folder):
    def refused(status, part, *arguments):
        got, out, err = smec("bench", *arguments, cwd=folder)
        tally.equal((got, out), (status, ""), f"{arguments}: status, and no table")
        tally.check(part in err, f"{arguments}: '{part}' is said, not {err!r}")

    for bad in ("1,x", "0", "1,", "2000"):
        refused(2, f"not '{bad}'", "ring.sme", "--threads", bad)
    refused(2, "--models takes m1, m2 and m3 with commas between, not 'm1,m4'", "ring.sme", "--models", "m1,m4")
    refused(2, "--models with a list", "ring.sme", "--model", "m1")
    refused(2, "does not take --trace", "ring.sme", "--trace", "x.csv")
    refused(2, "does not take --help", "ring.sme", "--", "--help")
    refused(2, "--repeat", "ring.sme", "--repeat", "0")
    refused(2, "--cycles", "ring.sme", "--cycles", "0")
    refused(2, "ends in .svg", "ring.sme", "--picture", "x.png")
    refused(2, "--picture shows how far runs lie apart, and --repeat 1 is one run of each; give at least --repeat 2", "ring.sme", "--picture", "x.svg", "--repeat", "1")
    refused(2, "one source file", "ring.sme", "stop.sme")
    refused(1, "no-such.sme", "no-such.sme")
    refused(2, "--chunk takes", "ring.sme", "--chunk", "nonsense", *FEW)
    refused(2, "unknown option '--nonsense'", "ring.sme", *FEW, "--", "--nonsense")
    refused(1, "assertion failed", "failing.sme", *FEW)
    refused(2, "'extern serial'", "serial.sme", "--cycles", "5", *FEW)
    refused(2, "nothing to measure", "driven.sme", "--input", "none.csv", *FEW)
    refused(3, "no.csv", "driven.sme", "--input", "no.csv", *FEW)
    status, out, err = smec("bench", "ring.sme", "--cycles", "20", *FEW, "--json", "no/such/folder.json", cwd=folder)
    tally.check(status == 3 and out == "" and "no/such" in err, "a file that cannot be written, before anything is measured")


def withoutGnuplot(folder):
    """A PATH on which all programs are except gnuplot."""
    programs = os.path.join(folder, "programs")
    os.mkdir(programs)
    for place in os.environ["PATH"].split(os.pathsep):
        for name in os.listdir(place) if os.path.isdir(place) else ():
            link = os.path.join(programs, name)
            if not name.startswith("gnuplot") and not os.path.lexists(link):
                os.symlink(os.path.join(place, name), link)
    return programs


def pictures(tally, folder):
    command = ["bench", "ring.sme", "--cycles", "200", "--threads", "1,2", "--models", "m1,m3", "--repeat", "2", "-O0", "--picture", "ring.svg"]
    path = withoutGnuplot(folder)
    status, out, err = smec(*command, cwd=folder, env={"PATH": path})
    tally.equal((status, out), (3, ""), "no gnuplot: said before anything is measured")
    tally.check("gnuplot-nox" in err and not os.path.exists(os.path.join(folder, "ring.svg")), f"what to install: {err}")
    with open(os.path.join(path, "gnuplot"), "w", encoding="utf-8") as f:
        f.write("#!/bin/sh\necho out of ink >&2\nexit 5\n")
    os.chmod(f.name, 0o755)
    status, out, err = smec(*command, cwd=folder, env={"PATH": path})
    tally.check(status == 3 and "m3 on 2: " in out and "out of ink" in err and "cannot draw" in err, f"gnuplot fails: {err}")
    tally.check(not os.path.exists(os.path.join(folder, "ring.svg")), "no picture is left")
    if not shutil.which("gnuplot"):
        print("gnuplot is missing: no picture is looked at")
        return
    tally.equal((smec(*command, cwd=folder)[0], smec(*command, "--threads", "2", cwd=folder)[0]), (0, 2), "a picture; an option twice")
    root = xml.etree.ElementTree.parse(os.path.join(folder, "ring.svg")).getroot()
    texts = ["".join(element.itertext()).strip() for element in root.iter("{http://www.w3.org/2000/svg}text")]
    for label in ("m1", "m3", "threads", "speedup", "linear", "elision", "maximal", "idle-specific", "inflation-specific", "actual"):
        tally.check(label in texts, f"'{label}' is in the picture: {texts}")
    for gap in ("scheduling overhead", "idle time", "work inflation"):
        tally.equal(sum(text.startswith(gap) and text.endswith("%") for text in texts), 2, f"'{gap}' is in each panel")


def children(pid):
    found = []
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/children", encoding="utf-8") as f:
            found += [int(word) for word in f.read().split()]
    return found


def descendants(pid):
    """Between smec and what it starts there is a process that ends it."""
    found = children(pid)
    for child in found:
        try:
            found += children(child)
        except OSError:  # it has ended
            pass
    return found


def simulatorOf(run):
    """The number of its simulator as soon as there is one."""
    for _ in range(3000):
        for pid in descendants(run.pid):
            try:
                with open(f"/proc/{pid}/comm", encoding="utf-8") as f:
                    if f.read().strip() == "simulator":
                        return pid
            except OSError:
                pass
        time.sleep(0.02)
    return None


def isAlive(pid):
    """Also not as one that ended and that nobody has waited for."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as f:
            return f.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def interruptions(tally, folder):
    for number, send in ((signal.SIGINT, os.killpg), (signal.SIGINT, os.kill), (signal.SIGTERM, os.kill)):
        run = subprocess.Popen([SMEC, "bench", "ring.sme", "--cycles", "1000000000000", "-O0"], cwd=folder, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, encoding="utf-8", start_new_session=True)
        simulator = simulatorOf(run)
        tally.check(simulator is not None, "a simulator runs")
        time.sleep(0.1)
        send(run.pid, number)
        out, err = run.communicate(timeout=60)
        tally.equal((run.returncode, out), (128 + number, ""), f"{number} by {send.__name__}: the status")
        tally.check(err.endswith("smec: interrupted\n"), f"and the reason: {err}")
        tally.check(not isAlive(simulator), "the simulator has ended")


def main():
    tally = Tally()
    with scratch() as folder:
        for name, text in (("ring.sme", RING), ("stop.sme", ENDING % "stop(3);"), ("failing.sme", ENDING % "assert(n < 30);"), ("driven.sme", DRIVEN),
                           ("serial.sme", SERIAL), ("tick.h", "inline unsigned tick(unsigned n) { return n; }\n"),
                           ("in.csv", "cycle,a.v\n0,1\n1,2\n2,3\n"), ("none.csv", "cycle,a.v\n")):
            write(folder, name, text)
        measured(tally, folder)
        ends(tally, folder)
        refusals(tally, folder)
        pictures(tally, folder)
        interruptions(tally, folder)
    tally.end()


main()
