#!/usr/bin/env python3
"""trap.py with the core that needs no network: the waveform that it makes going back is that of a run which begins it at that cycle."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SMEC = os.path.abspath(os.environ["SMEC"])
LAST = 400


def run(*words, folder):
    p = subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", timeout=300, check=False)
    if p.returncode != 0:
        sys.exit(f"{' '.join(words)}: status {p.returncode}\n{p.stdout}")
    return p.stdout


def main():
    python = os.path.join(os.environ["SMEC_BINARY_DIR"], "tests", "python", "installed", "environment", "bin", "python")
    if not os.path.exists(python):
        python = sys.executable
    if not shutil.which("riscv64-unknown-elf-gcc") or not shutil.which("yosys"):
        print("a compiler for RISC-V and Yosys are needed: apt-get install gcc-riscv64-unknown-elf yosys")
        return 77
    with tempfile.TemporaryDirectory(prefix="smec-trap-check-") as folder:
        out = run(python, os.path.join(HERE, "trap.py"), "--core", "tiny", "--rounds", "1", "--last", str(LAST), "--flag=-O0", "--keep", folder, "--packages", folder, folder=folder)
        cycle = int(re.search(r"trap after (\d+) cycles", out)[1])
        if cycle < 100000:
            sys.exit(f"an early trap: {out}")
        run(SMEC, "run", "trap.sme", "-O0", "--quiet", "--trace-filter", "**", "--trace-start", str(cycle - LAST), "--trace", "whole.fst", folder=folder)
        same = run(SMEC, "diff", "whole.fst", "trap.fst", folder=folder)
        found = re.search(rf"(\d+) signals are the same in cycles {cycle - LAST} to {cycle - 1}", same)
        if not found or int(found[1]) < 16000:
            sys.exit(f"not the same waveform: {same}")
    print(f"trap after {cycle} cycles, {found[1]} signals are the same in the last {LAST}")
    return 0


sys.exit(main())
