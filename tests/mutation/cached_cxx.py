#!/usr/bin/env python3
"""Stands for the C++ compiler in test_codegen: the same sources and flags are compiled once, for whichever mutant they come from."""
import hashlib
import os
import shutil
import subprocess
import sys


def main():
    arguments = sys.argv[1:]
    if "-o" not in arguments:
        os.execvp("g++", ["g++", *arguments])
    total = hashlib.sha256("\0".join(arguments).encode())
    for name in sorted(os.listdir(".")):
        with open(name, "rb") as f:
            total.update(name.encode() + b"\0" + f.read())
    cache = os.environ["SMEC_MUTATION_CACHE"]
    os.makedirs(cache, exist_ok=True)
    kept, output = os.path.join(cache, total.hexdigest()), arguments[arguments.index("-o") + 1]
    if not os.path.exists(kept):
        status = subprocess.run(["g++", *arguments]).returncode
        if status != 0:
            return status
        shutil.copy(output, f"{kept}.{os.getpid()}")
        os.replace(f"{kept}.{os.getpid()}", kept)
        return 0
    shutil.copy(kept, output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
