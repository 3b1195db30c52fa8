#!/usr/bin/env python3
"""A signal that ends smec ends Ninja and the compilers, too: nothing goes on, and nothing is left half written.

The compiler here tells through a pipe that it runs, and then waits for a pipe that nobody writes. It holds the first pipe open: the end of file
there is the end of all that smec started.
"""
import os
import signal
import subprocess

from support import SMEC, Alive, Tally, scratch, smec, write

PROGRAM = """proc p(in x, out y) { y.v = x.v; if (cycle() == 3) { stop; } }
network top() { exposed bus x { v: u8; }; exposed bus y { v: u8; }; instance _ of p(x, y); }
"""
COMPILER = """#!/bin/sh
case "$*" in
*" -c "*)
    %s
    exec 9>"$PIPES/alive"
    echo running >&9
    read -r line <"$PIPES/never" ;;
esac
exec g++ "$@"
"""
SECONDS = 60


def interrupted(tally, folder, words, number, compiler="patient"):
    env = dict(os.environ, PIPES=folder, CCACHE_DISABLE="1")
    alive = Alive(folder)
    name = f"{words[0]} with {compiler} compiler, signal {number}"
    with subprocess.Popen([SMEC, *words, "main.sme", "--cxx", os.path.join(folder, compiler)], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8") as run:
        tally.equal(alive.line(), b"running", f"{name}: a compiler runs")
        run.send_signal(number)
        _, err = run.communicate(timeout=SECONDS)
    tally.equal((run.returncode, err), (128 + number, "smec: interrupted\n"), name)
    tally.check(alive.ends(), f"{name}: nothing goes on")
    tally.check(not os.path.exists(os.path.join(folder, "main")), f"{name}: there is no simulator")


def recorded(tally, folder):
    """smec export, whose interpreter waits for its input."""
    os.mkfifo(os.path.join(folder, "in.csv"))
    with subprocess.Popen([SMEC, "export", "main.sme", "--verilog", "-o", "rtl", "--input", "in.csv"], cwd=folder, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8") as run:
        with open(os.path.join(folder, "in.csv"), "wb"):  # it reads: it runs
            run.send_signal(signal.SIGTERM)
        _, err = run.communicate(timeout=SECONDS)
    tally.equal((run.returncode, err.splitlines()[-1:]), (128 + signal.SIGTERM, ["smec: interrupted"]), "export, SIGTERM")
    tally.check(not os.path.exists(os.path.join(folder, "rtl")), "there is no export")


def main():
    tally = Tally()
    with scratch() as folder:
        write(folder, "main.sme", PROGRAM)
        os.mkfifo(os.path.join(folder, "alive"))
        os.mkfifo(os.path.join(folder, "never"))
        for name, line in ("patient", ":"), ("stubborn", "trap '' INT TERM HUP"):
            os.chmod(write(folder, name, COMPILER % line), 0o755)
        for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
            interrupted(tally, folder, ["compile"], number)
        for words in ["run"], ["bench"], ["verify", "--engines", "cpp"]:
            interrupted(tally, folder, words, signal.SIGTERM)
        interrupted(tally, folder, ["compile"], signal.SIGTERM, "stubborn")
        recorded(tally, folder)
        status, _, err = smec("compile", "main.sme", "-O0", "-q", cwd=folder)
        tally.equal(status, 0, f"what was interrupted can be compiled: {err}")
    tally.end()


main()
