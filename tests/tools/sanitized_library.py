#!/usr/bin/env python3
"""sanitized_library.py SANITIZERS COMPILER: the C program and the one over generated C++ headers, and the libraries that they own, all with them."""
import os
import shutil
import subprocess
import sys

from library import ADDER, RING
from support import ROOT, Tally, scratch, smec, write

HERE = os.path.dirname(os.path.abspath(__file__))
DESIGNS = os.path.join(ROOT, "bindings", "python", "tests", "designs")


def program(tally, folder, compiler, source, library, arguments):
    flags = [f"-fsanitize={sys.argv[1]}", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer", "-g1", "-O1"]
    include = ["-I", os.path.join(ROOT, "contract", "include"), "-I", "."]
    shutil.copy(os.path.join(HERE, source), folder)
    made = subprocess.run([*compiler, *flags, *include, source, "-o", "user", "-L.", f"-l{library}", "-Wl,-rpath,$ORIGIN", "-ldl", "-pthread"], cwd=folder,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    tally.equal((made.returncode, made.stdout), (0, ""), f"{source} compiles")
    done = subprocess.run(["./user", *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=200)
    tally.equal((done.returncode, done.stdout), (0, "all good\n"), source)


def main():
    tally = Tally()
    with scratch() as folder:
        flags = ["compile", "--lib", "-O0", "-q", "-Wno-unread"]
        for name, text in (("adder", ADDER), ("ring", RING)):
            write(folder, f"{name}.sme", text)
        tally.equal(smec(*flags, "adder.sme", cwd=folder), (0, "", ""), "adder.sme")
        tally.equal(smec(*flags, "ring.sme", "-o", "libring-8.so", cwd=folder), (0, "", ""), "ring.sme")
        program(tally, folder, [sys.argv[2], "-x", "c", "-std=c11"], "library_user.c", "adder", ["./libadder.so", "./libring-8.so", "."])
        for name in ("kinds", "ring"):
            shutil.copy(os.path.join(DESIGNS, f"{name}.sme"), folder)
            tally.equal(smec(*flags, f"{name}.sme", cwd=folder), (0, "", ""), name)
        program(tally, folder, [sys.argv[2], "-std=c++17"], "typed_user.cpp", "kinds", ["./libring.so", "."])
    tally.end()


if __name__ == "__main__":
    main()
