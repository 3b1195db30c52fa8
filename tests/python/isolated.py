#!/usr/bin/env python3
"""`pip install ./bindings/python` as it stands in the documentation: pip gets setuptools for a build of its own. Skipped where pip cannot get it."""
import os
import shutil
import subprocess
import sys

from environment import PACKAGE, QUICKLY, SOURCE, WORK, interpreter, run

SKIPPED = 77


def main():
    folder = os.path.join(WORK, "isolated")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(PACKAGE, os.path.join(folder, "bindings", "python"), ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__", "*.so"))
    shutil.copytree(os.path.join(SOURCE, "contract", "include"), os.path.join(folder, "contract", "include"))
    run(interpreter(), "-m", "venv", os.path.join(folder, "environment"))
    python = os.path.join(folder, "environment", "bin", "python")
    words = [python, "-m", "pip", "--disable-pip-version-check", "--retries", "0", "--timeout", "20", "download", "-q", "--no-deps", "-d", "got", "setuptools>=61", "wheel"]
    got = subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if got.returncode != 0:
        print(f"skipped: pip reaches no registry that has setuptools:\n{got.stdout}")
        sys.exit(SKIPPED)
    run("env", "-u", "SMEC", "-u", "SMEC_CHECKOUT", python, "-m", "pip", "install", "./bindings/python", cwd=folder, CFLAGS=QUICKLY)
    shown = run(python, "-c", "import smec._core; print(smec._core.checkout)", cwd=WORK)
    assert shown == folder + "\n", shown


if __name__ == "__main__":
    main()
