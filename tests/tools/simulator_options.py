#!/usr/bin/env python3
"""What `smec run` offers for the simulator is what a simulator takes."""
import os
import re

from support import ROOT, Tally, scratch, smec


def main():
    tally = Tally()
    with scratch() as folder:
        status, text, _ = smec("run", "-O0", os.path.join(ROOT, "examples", "01_counter", "counter.sme"), "--", "--help", cwd=folder)
    tally.equal(status, 0, "the simulator's help")
    takes = {m.group(1): bool(m.group(2)) for m in re.finditer(r"^ +(--[\w-]+)( [^ ]+)?(?:  |$)", text, re.M)}
    for name in ("--help", "--version"):
        takes.pop(name, None)
    page = smec("man")[1]
    section = page[page.index(".SH SIMULATOR OPTIONS"):page.index(".SH EXIT STATUS")].replace("\\-", "-")
    offered = {m.group(1): "\\fI" in m.group(2) for m in re.finditer(r"^\\fB(--[\w-]+)\\fR(.*)$", section, re.M)}
    tally.check(len(takes) > 10, f"options are found in the help: {sorted(takes)}")
    for name in sorted(takes.keys() | offered.keys()):
        tally.equal(offered.get(name), takes.get(name), f"{name} (True: with a value); see contract/include/sme/options.h")
    tally.end()


main()
