#!/usr/bin/env python3
"""The manual page names every command and every option, and is good roff where groff can tell."""
import shutil
import subprocess

from support import Tally, commands, options, smec


def main():
    tally = Tally()
    status, page, _ = smec("man")
    tally.equal(status, 0, "smec man")
    plain = page.replace("\\-", "-").replace("\\fB", "").replace("\\fR", "").replace("\\fI", "")
    for command in commands():
        tally.check(f"\n.TP\n{command}\n" in plain, f"command {command}")
        for option in options(command):
            tally.check(any(line.startswith(option) or f", {option}" in line for line in plain.splitlines()),
                        f"option {option} of {command}")
    tally.check("--cycles N" in plain, "options of the simulator")
    tally.check(page.startswith(".TH SMEC 1 "), "a title")
    if shutil.which("groff"):
        run = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z"], input=page, stderr=subprocess.PIPE, encoding="utf-8",
                             check=False)
        tally.equal((run.returncode, run.stderr), (0, ""), "groff takes it")
    tally.end()


main()
