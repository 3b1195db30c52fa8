#!/usr/bin/env python3
"""Programs that hit what the tools get wrong, or refuse: docs/hdl-tools.md. The first lines of each name its judges and options."""
import concurrent.futures
import glob
import os
import re

from judges import ROOT, TOOLS, Tally, exported, scratch


def judge(path):
    name = os.path.basename(path)[:-4]
    with open(path, encoding="utf-8") as f:
        tools, options = re.match(r"// judges: (.*)\n(?:// options: (.*)\n)?", f.read()).groups("")
    with scratch() as folder:
        status, out = exported(path, folder, *options.split())
        if status != 0:
            return [f"{name}: export ended with {status}: {out[:400]}"]
        rtl = os.path.join(folder, "rtl")
        return [f"{name}: {text}" for text in (TOOLS[tool](rtl) for tool in tools.split(", ")) if text]


def main():
    tally = Tally()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for wrong in pool.map(judge, sorted(glob.glob(os.path.join(ROOT, "tests", "hdl", "corners", "*.sme")))):
            tally.check(not wrong, "\n".join(wrong))
    tally.end()


if __name__ == "__main__":
    main()
