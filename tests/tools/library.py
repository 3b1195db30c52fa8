#!/usr/bin/env python3
"""`smec compile --lib`: a C program owns simulations of two designs; nothing but one function is exported, nothing is printed."""
import os
import re
import shutil
import subprocess

from support import ROOT, Tally, read, scratch, smec, write

ADDER = """
type request: bus { a: u16; b: u16; };
type result: bus { sum: u32; };
sim proc add(in q: request, out r: result)
    var count: u32;
{
    count += 1;
    r.sum = u32(q.a) + q.b;
    trace("{}", u32(q.a) + q.b);
    if (q.a == 1000) { stop(3); }
    assert(q.a != 1001, "too large: {}", q.a);
}
network adder(in q: request, out r: result) { instance it of add(q, r); }
"""
RING = """
proc node(in left, out right, const first: u32) var seen: u32; { seen = seen * 3 + left.v; right.v = left.v * 5 + first + seen / 7; }
network ring() {
    exposed bus link[8] { v: u32; };
    generate i = 0 until 8 { instance n[i] of node(link[i], link[(i + 1) % 8], first: u32(i)); }
}
"""
HERE = os.path.dirname(os.path.abspath(__file__))
WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1"]


def exported(library):
    text = subprocess.run(["nm", "-D", "--defined-only", library], stdout=subprocess.PIPE, text=True, check=True).stdout
    return sorted(line.split()[-1] for line in text.splitlines())


def main():
    tally = Tally()
    with scratch() as folder:
        write(folder, "adder.sme", ADDER)
        write(folder, "ring.sme", RING)
        compiled = ["compile", "--lib", "-O0", "-q", "-Wno-unread"]
        tally.equal(smec(*compiled, "adder.sme", cwd=folder), (0, "", ""), "adder.sme")
        tally.equal(smec(*compiled, "ring.sme", "-o", "libring-8.so", cwd=folder), (0, "", ""), "ring.sme")
        tally.equal(sorted(f for f in os.listdir(folder) if f != ".smec"),
                    ["adder.h", "adder.hpp", "adder.sme", "libadder.so", "libring-8.so", "ring-8.h", "ring-8.hpp", "ring.sme"],
                    "a library and two headers each")
        tally.equal(exported(os.path.join(folder, "libadder.so")), ["sme_library_of", "sme_library_of_adder"], "what is exported")
        tally.equal(exported(os.path.join(folder, "libring-8.so")), ["sme_library_of", "sme_library_of_ring_8"], "what is exported")

        shutil.copy(os.path.join(HERE, "library_user.c"), folder)
        include = ["-I", os.path.join(ROOT, "contract", "include"), "-I", "."]
        made = subprocess.run(["gcc", *WARNINGS, *include, "library_user.c", "-o", "user", "-L.", "-ladder", "-Wl,-rpath,$ORIGIN", "-ldl", "-pthread"],
                              cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        tally.equal((made.returncode, made.stdout), (0, ""), "the C program compiles")
        done = subprocess.run(["./user", "./libadder.so", "./libring-8.so", "."], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              check=False, timeout=100)
        tally.equal((done.returncode, done.stdout, done.stderr), (0, "all good\n", ""), "the C program")
        rows = read(os.path.join(folder, "ring.csv")).splitlines()
        tally.check(rows[0] == "cycle,link[0].v,link[7].v" and [row.split(",")[0] for row in rows[1:]] == ["30", "31", "32", "33", "34"], rows)
        for standard in ("c99", "c17", "c++17"):
            language = ["g++", "-xc++"] if "++" in standard else ["gcc", "-xc"]
            header = subprocess.run([*language, f"-std={standard}", *WARNINGS[1:], *include, "-fsyntax-only", "ring-8.h"], cwd=folder,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            tally.equal((header.returncode, re.sub(r".*pragma once in main file.*", "", header.stdout)), (0, ""), f"the header in {standard}")

        # the simulator of the same file, and back
        tally.equal(smec("run", "-O0", "-q", "-Wno-unread", "ring.sme", "--cycles", "3", "--quiet", cwd=folder), (0, "", ""), "the simulator")
        tally.equal(smec(*compiled, "adder.sme", cwd=folder), (0, "", ""), "once more, on its own header")

        write(folder, "adder.h", "int mine;\n")
        status, _, err = smec(*compiled, "adder.sme", cwd=folder)
        tally.check(status == 2 and "'adder.h', the header of the library, is there and not smec's" in err, err)
        status, _, err = smec("compile", "--lib", "ring.sme", "-o", "ring.h", cwd=folder)
        tally.check(status == 2 and "'ring.h' is the name of the library's header" in err, f"a library called like its header: {status} {err}")
        tally.equal(read(os.path.join(folder, "adder.h")), "int mine;\n", "it stays")
        status, _, err = smec("run", "--lib", "adder.sme", cwd=folder)
        tally.check(status == 2 and "--lib" in err, err)
    tally.end()


if __name__ == "__main__":
    main()
