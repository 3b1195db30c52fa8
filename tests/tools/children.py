#!/usr/bin/env python3
"""What smec starts dies with it, also with kill -9, and takes no more memory than it may, with all that it has started in turn.

The programs here tell through a pipe that they run, and then wait for a pipe that nobody writes. They hold the first pipe open: the end of file there
is the end of them all.
"""
import os
import shutil
import signal
import subprocess

from support import SMEC, Alive, Tally, scratch, smec, write

PROGRAM = """proc p(in x, out y) { y.v = x.v; if (cycle() == 3) { stop; } }
network top() { exposed bus x { v: u8; }; exposed bus y { v: u8; }; instance _ of p(x, y); }
"""
VERILOG = "module m(input clk, input d, output reg q); always @(posedge clk) q <= d; endmodule\n"
# A child in a session of its own, and one of a shell that is gone, are found as well.
PATIENT = """#!/bin/sh
%s
exec 9>"$PIPES/alive"
setsid sh -c 'echo running >&9; read -r line <"$PIPES/never"' &
sh -c '(read -r line <"$PIPES/never") &'
read -r line <"$PIPES/never"
"""
COMPILER = 'case "$*" in *" -c "*) ;; *) exec g++ "$@" ;; esac'
# Two processes of 150 MB, each of which may have that.
HUNGRY = """#!/bin/sh
%s
exec 9>"$PIPES/alive"
eat='x = b"1" * 150000000
open("/proc/self/fd/9", "w").write("x")
open("%s/never").read()'
python3 -c "$eat" &
exec python3 -c "$eat"
"""
# The loop's variable comes round to zero: Yosys unrolls it for ever.
ENDLESS = """module m(input [3:0] d, output reg [3:0] s);
    reg [1:0] i;
    always @* begin
        s = 0;
        for (i = 1; i != 0; i = i + 1) s = s + (i == d[1:0]) * i;
    end
endmodule
"""
SECONDS = 30
COMMANDS = {"yosys": ("check", "m.v"), "cxx": ("compile", "main.sme", "--cxx", "./cxx")}


def environment(folder):
    return dict(os.environ, PIPES=folder, CCACHE_DISABLE="1", SMEC_YOSYS="./yosys")


def below(process, command):
    """The process of this name that runs below another one."""
    for entry in os.listdir("/proc"):
        try:
            with open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as f:
                name, rest = f.read().split("(", 1)[1].rsplit(")", 1)
        except (OSError, IndexError):
            continue
        if name == command and int(rest.split()[1]) == process:
            return int(entry)
    return 0


def killed(tally, folder, name, who):
    """`who` is killed with smec: its group, or one or the other of those that watch over what it starts."""
    alive = Alive(folder)
    with subprocess.Popen([SMEC, *COMMANDS[name]], cwd=folder, env=environment(folder), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, start_new_session=True) as run:
        tally.equal(alive.line(), b"running", f"{name} runs")
        guard = below(run.pid, "sme-guard")
        keeper = below(guard, "smec-keeper")
        tally.check(guard > 0 and keeper > 0, f"{name}: who watches: {guard} {keeper}")
        os.kill(run.pid, signal.SIGSTOP)  # so that it does not end in between
        if who == "the keeper":
            os.kill(keeper, signal.SIGKILL)
        elif who == "the keeper's group":
            os.killpg(keeper, signal.SIGKILL)
        elif who == "the guard":
            os.kill(guard, signal.SIGKILL)
        if who.startswith("the keeper"):
            tally.check(alive.ends(), f"nothing of {name} goes on without {who}")
        if who == "the group":
            os.killpg(run.pid, signal.SIGKILL)
        else:
            run.kill()
        run.wait(SECONDS)
        tally.check(who.startswith("the keeper") or alive.ends(), f"nothing of {name} goes on after kill -9 of smec and {who}")


def hungry(tally, folder, name, who):
    alive = Alive(folder)
    status, _, err = smec(*COMMANDS[name], cwd=folder, env={**environment(folder), "SMEC_MEMORY": "250M"})
    wanted = f"smec: error: {who} was ended since it took more than 250 MiB of memory; SMEC_MEMORY=SIZE"
    tally.check(status == 4 and wanted in err, f"{name} takes 300 MB of 250: {status} {err}")
    tally.check(alive.ends(), f"nothing of {name} goes on after that")


def limits(tally, folder):
    for text in "x", "12X", "-1", "0", "4GB", "":
        status, _, err = smec("check", "m.v", cwd=folder, env={"SMEC_MEMORY": text})
        wanted = (0, "") if not text else (2, f"smec: error: SMEC_MEMORY is '{text}', but takes a size such as 4G or 500M, or none\n")
        tally.equal((status, err), wanted, f"SMEC_MEMORY={text}")
    for text in "none", "2.5G", "900M", "1T", "2000000000":
        tally.equal(smec("check", "m.v", cwd=folder, env={"SMEC_MEMORY": text})[0], 0, f"SMEC_MEMORY={text}")
    write(folder, "endless.v", ENDLESS)
    status, _, err = smec("check", "endless.v", "--reading", "synthesis", cwd=folder, env={"SMEC_MEMORY": "300M"})
    tally.check(status == 4 and "Yosys was ended since it took more than 300 MiB of memory" in err, f"a loop without end: {status} {err}")


def main():
    tally = Tally()
    with scratch() as folder:
        write(folder, "main.sme", PROGRAM)
        write(folder, "m.v", VERILOG)
        for pipe in "alive", "never":
            os.mkfifo(os.path.join(folder, pipe))
        for text, test in (PATIENT, killed), (HUNGRY, hungry):
            for name, first in ("yosys", ""), ("cxx", COMPILER):
                write(folder, name, text % ((first, folder) if text is HUNGRY else first))
                os.chmod(os.path.join(folder, name), 0o755)
            for name, who in ("yosys", "Yosys"), ("cxx", "the C++ compiler"):
                for argument in ("nobody else", "the group", "the keeper", "the keeper's group", "the guard") if test is killed else (who,):
                    test(tally, folder, name, argument)
        if shutil.which("yosys"):
            limits(tally, folder)
    tally.end()


main()
