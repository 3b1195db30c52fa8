#!/usr/bin/env python3
"""At a terminal: --progress is a bar that goes in the end, and smec says what it does while that takes long. In pipes neither."""
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios

from support import SMEC, Tally, scratch, smec, write

DESIGN = """
network top() { exposed bus o { v: u32; }; instance _ of count(o); }
proc count(out o) var n: u32; { n = (n ^ (n >> 3)) + 7; o.v = n; }
"""
# a compiler that waits for the test
COMPILER = """#!/bin/sh
case " $* " in *" -c "*) flock "${0%/*}/gate" true;; esac
exec g++ "$@"
"""


class Terminal:
    """A program whose standard error is a terminal of so many columns."""
    def __init__(self, command, folder, columns):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=slave,
                                        env=dict(os.environ, CCACHE_DISABLE="1"))
        os.close(slave)
        self.text = ""

    def more(self):
        try:
            text = os.read(self.master, 4096).decode()
        except OSError:  # the other side is closed
            text = ""
        self.text += text
        return text != ""

    def until(self, pattern):
        while not re.search(pattern, self.text) and self.more():
            pass
        return re.search(pattern, self.text) is not None

    def end(self):
        while self.more():
            pass
        os.close(self.master)
        return self.process.wait()

    def lines(self):
        """What stands on it in the end."""
        return [line.split("\r\x1b[K")[-1].rstrip("\r") for line in self.text.split("\n")]


def bars(tally, folder):
    for engine in (["./d"], ["./d", "--threads", "2"], [SMEC, "run", "--interpret", "d.sme"]):
        for columns in (80, 40):
            with_bar = Terminal([*engine, "--quiet", "--progress", "--cycles", "1000000000000"], folder, columns)
            wanted = r"\r\[ +\] 0 %, [\d.]+ \w? ?cycles/s, \d+ (h|min)" if columns == 80 else r"\rcycle \d+ of 1000000000000"
            tally.check(with_bar.until(wanted + r"[^\r]*\x1b\[K"), f"{engine}: {with_bar.text!r}")
            with_bar.process.send_signal(signal.SIGINT)
            status = with_bar.end()
            tally.check(status == 130 and len(with_bar.lines()) == 2 and with_bar.lines()[0].endswith("interrupted after cycle "
                        + with_bar.lines()[0].split()[-1]), f"{engine}: {with_bar.lines()}")
            tally.check(all(len(part.replace("\x1b[K", "")) < columns for part in with_bar.text.split("\r")), f"{engine}: no wider than {columns}")
        endless = Terminal([*engine, "--quiet", "--progress", "--timeout", "1e9"], folder, 80)
        tally.check(endless.until(r"\rcycle \d+, [^\r]* left\x1b\[K"), f"{engine}: {endless.text!r}")
        endless.process.send_signal(signal.SIGINT)
        endless.end()
    with subprocess.Popen(["./d", "--quiet", "--progress", "--cycles", "1000000000000"], cwd=folder, stderr=subprocess.PIPE, text=True) as piped:
        tally.check(re.fullmatch(r"cycle \d+ of 1000000000000 \(0 %\), .* cycles/s, .* left\n", piped.stderr.readline()), "a line in a pipe")
        piped.send_signal(signal.SIGINT)
        piped.communicate()


def compiling(tally, folder):
    os.chmod(write(folder, "slow-cxx", COMPILER), 0o755)
    with open(os.path.join(folder, "gate"), "w", encoding="utf-8") as gate:
        fcntl.flock(gate, fcntl.LOCK_EX)
        command = [SMEC, "compile", "d.sme", "-O0", "--cxx", os.path.join(folder, "slow-cxx")]
        quiet = Terminal([*command, "-q", "--build-dir", "b1", "-o", "quiet"], folder, 80)
        with subprocess.Popen([*command, "--build-dir", "b2", "-o", "piped"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as piped:
            said = Terminal([*command, "--build-dir", "b3", "-o", "said"], folder, 80)
            tally.check(said.until(r"\rsmec: compiling C\+\+\x1b\[K"), said.text)
            fcntl.flock(gate, fcntl.LOCK_UN)
            tally.equal((said.end(), said.lines()), (0, [""]), "gone in the end: " + repr(said.text))
            tally.equal((quiet.end(), quiet.text), (0, ""), "nothing with -q")
            tally.equal((piped.communicate()[0], piped.returncode), (b"", 0), "nothing in a pipe")
    os.mkfifo(os.path.join(folder, "late.sme"))
    for doing, command in (("compiling late.sme", ["compile", "late.sme", "--no-build", "--build-dir", "b4"]), ("checking late.sme", ["check", "late.sme"]),
                           ("checking late.sme", ["run", "late.sme", "--interpret", "--cycles", "1", "--quiet"])):
        late = Terminal([SMEC, *command], folder, 80)
        tally.check(late.until(rf"\rsmec: {doing}: parse\x1b\[K"), late.text)
        with open(os.path.join(folder, "late.sme"), "w", encoding="utf-8") as source:
            source.write(DESIGN)
        tally.equal((late.end(), late.lines()[-1]), (0, ""), f"{command} gone in the end: " + repr(late.text))
    broken = Terminal([SMEC, "compile", "bad.sme"], folder, 80)
    tally.check(broken.end() == 1 and "\r\x1b[K" not in broken.text and "bad.sme:1" in broken.text, broken.text)


def main():
    tally = Tally()
    with scratch() as folder:
        write(folder, "d.sme", DESIGN)
        write(folder, "bad.sme", "network top() { x }")
        tally.equal(smec("compile", "-q", "d.sme", "-o", "d", cwd=folder), (0, "", ""), "d.sme")
        bars(tally, folder)
        compiling(tally, folder)
    tally.end()


if __name__ == "__main__":
    main()
