#!/usr/bin/env python3
"""Stages of the compiler as text, compared with files that the compiler wrote earlier.

    golden.py           (SMEC names the compiler; SMEC_UPDATE_GOLDEN=1 writes the files instead)

For every NAME.sme here and every stage: `smec compile NAME.sme --emit=STAGE` against NAME.STAGE.txt.
`// stages: hir` as its first line: those stages only.
"""
import difflib
import glob
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
STAGES = ["hir", "graph", "ir", "plan", "cpp"]


def stagesOf(source):
    with open(source, encoding="utf-8") as f:
        key, _, value = f.readline().partition(": ")
    return value.split() if key == "// stages" else STAGES


def main():
    smec, update = os.environ["SMEC"], os.environ.get("SMEC_UPDATE_GOLDEN") == "1"
    version = subprocess.run([smec, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()[-1]
    passed = failed = 0
    for source in sorted(glob.glob(os.path.join(HERE, "*.sme"))):
        for stage in stagesOf(source):
            p = subprocess.run([smec, "compile", os.path.basename(source), "--emit=" + stage], cwd=HERE, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
            path, text = f"{source[:-4]}.{stage}.txt", p.stdout.replace(version, "VERSION")
            if update and p.returncode == 0:
                with open(path, "w", encoding="utf-8") as f:
                    f.write(text)
            wanted = open(path, encoding="utf-8").read() if os.path.exists(path) else "(no golden file)\n"
            if p.returncode == 0 and text == wanted:
                passed += 1
                continue
            failed += 1
            print(f"FAIL {os.path.basename(path)}: status {p.returncode} {p.stderr[-300:]}")
            print("\n".join(list(difflib.unified_diff(wanted.splitlines(), text.splitlines(), "golden", "now", lineterm="", n=2))[:40]))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
