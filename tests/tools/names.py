#!/usr/bin/env python3
"""Sources that are no files, names that look like something else, and data that are none: each is called what it is, on one line."""
import os
import threading

from support import Tally, scratch, smec, write

PROGRAM = """proc p(in x, out y) { y.v = x.v; trace("{}", x.v); if (cycle() == 1) { stop; } }
network top() { exposed bus x { v: u8; }; exposed bus y { v: u8; }; instance _ of p(x, y); }
"""
TABLE = """proc p() const t: [4]u8 = file("t.hex"); { trace("{}", t[0]); stop; }
network top() { instance _ of p(); }
"""
RUN = ["run", "--interpret", "--quiet"]


def written(path, text):
    """A thread that writes a pipe."""
    def write_it():
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
    thread = threading.Thread(target=write_it)
    thread.start()
    return thread


def kinds(tally, folder):
    os.mkfifo(os.path.join(folder, "pipe.sme"))
    os.symlink("loop.sme", os.path.join(folder, "loop.sme"))
    os.symlink("nothing", os.path.join(folder, "dangling.sme"))
    os.mkdir(os.path.join(folder, "folder.sme"))
    for name, why in ("loop", "its symbolic links form a loop"), ("dangling", "it is a symbolic link to nothing"), ("folder", "it is a directory"):
        status, _, err = smec("check", name + ".sme", cwd=folder)
        tally.equal((status, why in err), (1, True), f"{name} as a source: {err}")
    for name, why in (("pipe", "it is a pipe"), ("loop", "its symbolic links form a loop"), ("dangling", "it is a symbolic link to nothing"),
                      ("folder", "it is a directory")):
        write(folder, "importing.sme", f"import {name};\n")
        status, _, err = smec("check", "importing.sme", cwd=folder)
        tally.equal((status, why in err and "[cannot-read]" in err), (1, True), f"import of {name}: {err}")
        write(folder, "table.sme", TABLE.replace("t.hex", name + ".sme"))
        status, _, err = smec("check", "table.sme", cwd=folder)
        tally.equal((status, why in err and "[data-file-read]" in err), (1, True), f"data of {name}: {err}")
    thread = written(os.path.join(folder, "pipe.sme"), PROGRAM)
    status, out, err = smec(*RUN, "pipe.sme", cwd=folder)
    thread.join()
    tally.equal((status, out), (0, "0\n0\n"), f"a program from a pipe: {err}")
    tally.equal(smec(*RUN, "/dev/stdin", cwd=folder, text=PROGRAM), (0, "0\n0\n", ""), "a program from standard input")
    status, out, err = smec("run", "-O0", "-q", "/dev/stdin", "--quiet", cwd=folder, text=PROGRAM)
    tally.equal((status, out), (0, "0\n0\n"), f"the same, compiled: {err}")
    for command in ["verify"], ["export", "--verilog"]:
        status, _, err = smec(*command, "/dev/stdin", cwd=folder, text=PROGRAM)
        tally.equal((status, "'/dev/stdin'" in err), (2, True), f"{command} reads a source again: {err}")


def dashes(tally, folder):
    write(folder, "-x.sme", PROGRAM)
    tally.equal(smec("check", "--", "-x.sme", cwd=folder)[0], 0, "check -- -x.sme")
    write(folder, "y.sme", PROGRAM)
    tally.equal(smec("verify", "--", "y.sme", "--cycles", "1", cwd=folder)[::2],
                (2, "smec: error: smec verify has a --cycles of its own, which stands before '--'; behind it are options of the simulator\nTry 'smec verify --help'.\n"), "verify -- y.sme")
    tally.equal(smec(*RUN, "--", "y.sme", cwd=folder)[:2], (0, "0\n0\n"), "run -- y.sme")
    tally.equal(smec(*RUN, "--", "-x.sme", cwd=folder)[:2], (0, "0\n0\n"), "run -- -x.sme")
    tally.equal(smec(*RUN, "--", "-x.sme", "--", "--cycles", "1", cwd=folder)[:2], (0, "0\n"), "and options of the simulator after it")
    status, _, err = smec("compile", "-O0", "-q", "--", "-x.sme", cwd=folder)
    tally.check(status == 0 and os.path.exists(os.path.join(folder, "-x")), f"compile -- -x.sme: {err}")
    tally.equal(smec("export", "--verilog", "-o", "rtl", "--", "-x.sme", cwd=folder)[0], 0, "export -- -x.sme")


def lineEnds(tally, folder):
    name = "two\nlines\x1b[31m.sme"
    write(folder, name, PROGRAM.replace("x.v)", "z.v)"))
    status, _, err = smec("check", name, cwd=folder)
    tally.equal((status, err.splitlines()[0].startswith("two\\nlines\\x1b[31m.sme:1:")), (1, True), f"a name of two lines: {err}")
    status, _, err = smec("check", "no\nsuch.sme", cwd=folder)
    tally.equal((status, err), (1, "error: cannot read 'no\\nsuch.sme': no such file [cannot-read]\n"), "the same of a file that is not there")
    status, _, err = smec("compile", "main.sme", "-o", "no\nsuch/x", "-O0", cwd=folder)
    tally.check(status == 3 and len(err.splitlines()) == 1, f"an output: {err}")
    write(folder, name, PROGRAM)
    status, out, err = smec("run", "-O0", "-q", name, "--quiet", cwd=folder)
    tally.equal((status, out), (0, "0\n0\n"), f"the program runs: {err}")


def junk(tally, folder):
    data = os.urandom(4096).replace(b"\n", b"\xff")
    for start in b"\x00\x8f", b"12\x80", b"word":
        with open(os.path.join(folder, "t.hex"), "wb") as f:
            f.write(start + data)
        with open(os.path.join(folder, "in.csv"), "wb") as f:
            f.write(b"cycle,x.v\n0," + start + data + b"\n")
        write(folder, "table.sme", TABLE)
        for words in ["check", "table.sme"], [*RUN, "main.sme", "--input", "in.csv"], ["run", "-O0", "-q", "main.sme", "--quiet", "--input", "in.csv"]:
            status, _, err = smec(*words, cwd=folder)
            tally.equal(status, 1, f"{words} with {start}")
            tally.check(len(err) < 500 and all(c.isprintable() or c == "\n" for c in err), f"{words} shows no junk: {err!r}")


def main():
    tally = Tally()
    with scratch() as folder:
        write(folder, "main.sme", PROGRAM)
        for test in kinds, dashes, lineEnds, junk:
            test(tally, folder)
    tally.end()


main()
