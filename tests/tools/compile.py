#!/usr/bin/env python3
"""`smec compile` and `run` as a build system and a user in trouble see them: stages, dependency files, what is missing."""
import json
import os
import subprocess

from support import SMEC, Tally, read, scratch, smec, write

PROGRAM = """import part as part;
proc p() { trace("{}", part.add(u8(cycle()), 2)); stop; }
network top() { instance _ of p(); }
"""
PART = "func add(a: u8, b: u8): u8 { return a + b; }\n"
BOX = """extern func twice(x: u8): u8 from "twice.hpp";
proc p() { trace("{}", twice(3)); stop; }
network top() { instance _ of p(); }
"""


def stages(tally, folder):
    status, out, err = smec("compile", "main.sme", "--emit", "ast", cwd=folder)
    tally.equal((status, err), (0, ""), "--emit ast")
    tally.check("Proc p" in out and "Import part" in out, "the tree is printed")
    write(folder, "bad.sme", "proc p( { }\n")
    status, _, err = smec("compile", "bad.sme", "--emit", "ast", cwd=folder)
    tally.equal(status, 1, "--emit ast of what does not parse")
    tally.check("smec explain syntax" in smec("compile", "bad.sme", cwd=folder)[2] or "[syntax]" in err, "the message has its name")


def dependencies(tally, folder):
    status, _, err = smec("compile", "main.sme", "--no-build", "-MMD", cwd=folder)
    tally.equal(status, 0, f"-MMD: {err}")
    rule = read(os.path.join(folder, "main.d"))
    tally.check(rule.startswith("main:") and "main.sme" in rule and "part.sme" in rule, f"the rule names both sources: {rule}")
    smec("compile", "main.sme", "--no-build", "-o", "out file", "-MF", "deps", cwd=folder)
    tally.check(read(os.path.join(folder, "deps")).startswith("out\\ file:"), "spaces are quoted for make")


def statistics(tally, folder):
    out = smec("compile", "main.sme", "--no-build", "--stats", cwd=folder)
    tally.check("parse" in out[1] + out[2] and "peak" in out[1] + out[2], f"phases and their memory: {out}")
    out = smec("compile", "main.sme", "--no-build", "--stats=json", cwd=folder)
    tally.check('"phase"' in out[1] + out[2], f"the same as JSON: {out}")
    modules = [entry for entry in json.loads(out[2]) if "module" in entry]
    tally.equal([(m["module"], m["share"], m["instances"]) for m in modules], [("main.p", 1.0, 1)], "what each process is of a cycle")


def filledMemories(tally, folder):
    write(folder, "filled.sme", "proc p() var m: [4096][4096]u64 = 9; { m[1][2] = m[2][1] + 1; stop; }\nnetwork top() { instance _ of p(); }\n")
    status, _, err = smec("compile", "filled.sme", "--no-build", "--build-dir", "filled", cwd=folder)
    tally.equal(status, 0, f"a memory with one value everywhere: {err}")
    tally.check(os.path.getsize(os.path.join(folder, "filled", "model.bin")) < 4096, "is not written out")


def inTheWay(tally, folder):
    write(folder, "occupied", "a file")
    tally.equal(smec("compile", "main.sme", "--no-build", "--build-dir", "occupied", cwd=folder)[0], 3, "a file where the folder should be")
    status, _, err = smec("compile", "main.sme", "--cxx", "no-such-compiler", cwd=folder)
    tally.equal(status, 3, "no such C++ compiler")
    tally.check("no-such-compiler" in err, "it is named")
    status, _, err = smec("compile", "main.sme", "--no-build", cwd=folder, env={"PATH": "/nowhere"})
    tally.equal(status, 0, f"generating needs no C++ compiler: {err}")
    tally.equal(smec("compile", "main.sme", cwd=folder, env={"PATH": "/nowhere", "CXX": ""})[0], 3, "building needs one")
    tally.equal(smec("compile", "nothing.sme", cwd=folder)[0], 1, "no such source")
    write(folder, "killed", "#!/bin/sh\ncase \"$*\" in *-c*) kill -9 $$;; esac\nexec g++ \"$@\"\n")
    os.chmod(os.path.join(folder, "killed"), 0o755)
    status, _, err = smec("compile", "main.sme", "--cxx", os.path.join(folder, "killed"), "--build-dir", "k", cwd=folder)
    tally.equal(status, 3, f"the C++ compiler was killed: {err}")
    write(folder, "full", "#!/bin/sh\ncase \"$*\" in *-c*) echo 'error: No space left on device' >&2; exit 1;; esac\nexec g++ \"$@\"\n")
    os.chmod(os.path.join(folder, "full"), 0o755)
    status, _, err = smec("compile", "main.sme", "--cxx", os.path.join(folder, "full"), "--build-dir", "f", cwd=folder)
    tally.equal(status, 3, f"no space for the C++ compiler: {err}")
    write(folder, "broken", "#!/bin/sh\ncase \"$*\" in *unit_*) echo 'unit_0.cpp:20:1: error: wrong' >&2; exit 1;; esac\nexec g++ \"$@\"\n")
    os.chmod(os.path.join(folder, "broken"), 0o755)
    status, _, err = smec("compile", "main.sme", "--cxx", os.path.join(folder, "broken"), "--build-dir", "b", cwd=folder)
    tally.equal(status, 70, "generated C++ that does not compile")
    tally.check("internal error" in err, f"it is called what it is: {err}")


def compiler(folder, name, line):
    """A compiler that does this first."""
    path = write(folder, name, f"#!/bin/sh\n{line}\nexec g++ \"$@\"\n")
    os.chmod(path, 0o755)
    return ["--cxx", path]


def whoseFault(tally, folder):
    """The C++ compiler fails: the status tells whose fault it is, and its own words are there."""
    full = compiler(folder, "full-linker", 'case "$*" in *simulator*) echo "ld: final link failed: No space left on device" >&2; exit 1;; esac')
    crash = compiler(folder, "crash", 'case "$*" in *simulator*) echo "collect2: fatal error: ld terminated with signal 7 [Bus error]" >&2; exit 1;; esac')
    mold = compiler(folder, "full-mold", 'case "$*" in *simulator*) echo "mold: failed to write to an output file. Disk full?" >&2; exit 1;; esac')
    limited = compiler(folder, "limited", 'case "$*" in *simulator*) echo "collect2: fatal error: ld terminated with signal 25 [File size limit exceeded]" >&2; exit 1;; esac')
    denied = compiler(folder, "denied", 'case "$*" in *simulator*) echo "ld: cannot open output file simulator: Permission denied" >&2; '
                      'echo "collect2: error: ld returned 1 exit status" >&2; exit 1;; esac')
    os.mkdir(os.path.join(folder, "cache"))
    write(folder, "cache/tmp", "a file")
    for words, wanted, says in (
            (["--march", "zzz"], 2, ["--march zzz", "bad value"]),
            (["--cxxflag", "-bad"], 2, ["--cxxflag -bad", "-bad"]),
            (["--cxxflag", "-DX=1", "--cxxflag", "-bad"], 2, ["--cxxflag -bad"]),
            (["--link", "-lnothing_of_this_name"], 2, ["--link -lnothing_of_this_name", "nothing_of_this_name"]),
            (["--link", "absent.o"], 2, ["--link absent.o"]),
            (["--cxx", "/bin/false"], 3, ["'/bin/false' does not work"]),
            (["--cxx", folder], 3, ["not found"]),
            (full, 3, ["No space left on device", "no space left in '"]), (mold, 3, ["no space left in '"]), (limited, 3, ["no space left in '"]), (crash, 3, ["terminated with signal 7", "crashed"]), (denied, 3, ["Permission denied"])):
        status, _, err = smec("compile", "main.sme", "-O0", "--build-dir", "fault", *words, cwd=folder)
        tally.equal(status, wanted, f"{words}: {err}")
        tally.check(all(word in err for word in says) and "internal error" not in err, f"{words} says {says}: {err}")
    status, _, err = smec("compile", "main.sme", "-O0", "-q", "--build-dir", "fault", cwd=folder)
    tally.equal(status, 0, f"the same folder with what works: {err}")
    tally.check(not any(name.startswith("probe") for name in os.listdir(os.path.join(folder, "fault"))), "nothing is left of the search")


def surroundings(tally, folder):
    """Folders that are not there or cannot be written."""
    env = {"HOME": "", "TMPDIR": "/nonexistent"}
    status, _, err = smec("compile", "main.sme", "-O0", "-q", "--build-dir", "poor", cwd=folder, env=env)
    tally.check(status in (0, 3) and "internal error" not in err, f"neither HOME nor TMPDIR: {status}, {err}")
    status, _, err = smec("export", "main.sme", "--verilog", cwd=folder, env=env)
    tally.equal((status, "TMPDIR" in err), (3, True), f"export without TMPDIR: {err}")
    if os.path.exists("/usr/bin/ccache"):
        env = {"CCACHE_DIR": os.path.join(folder, "cache", "tmp", "x")}
        status, _, err = smec("compile", "main.sme", "-O0", "-q", "--build-dir", "cached", cwd=folder, env=env)
        tally.equal((status, "runs without ccache" in err, "internal error" in err), (0, True, False), f"a cache that cannot be written: {err}")
    for command in ["check", "bad-name.sme"], ["compile", "main.sme", "--emit", "ast"]:
        write(folder, "bad-name.sme", "network top() { instance _ of nope(); }\n")
        with open("/dev/full", "wb") as device:
            run = subprocess.run([SMEC, *command], cwd=folder, stdout=device, stderr=device, check=False)
        tally.check(run.returncode in (1, 3), f"{command} where nothing can be said: {run.returncode}")


def foreign(tally, folder):
    write(folder, "twice.hpp", "#pragma once\n#include <cstdint>\nstd::uint8_t twice(std::uint8_t x);\n")
    write(folder, "box.sme", BOX)
    status, _, err = smec("compile", "box.sme", cwd=folder)
    tally.equal(status, 1, f"extern that nothing defines: {err}")
    write(folder, "it's $here.cpp", "#include \"twice.hpp\"\nstd::uint8_t twice(std::uint8_t x) { return x * 2; }\n")
    command = ["g++", "-c", "it's $here.cpp", "-o", "it's $here.o"]
    tally.equal(os.spawnvp(os.P_WAIT, "env", ["env", "-C", folder, *command]), 0, "the object compiles")
    status, out, err = smec("run", "box.sme", "--link", "it's $here.o", "-I", ".", "--quiet", cwd=folder)
    tally.equal((status, out), (0, "6\n"), f"an object with a difficult name: {err}")


def main():
    tally = Tally()
    with scratch() as folder:
        write(folder, "main.sme", PROGRAM)
        write(folder, "part.sme", PART)
        for test in stages, dependencies, statistics, filledMemories, inTheWay, whoseFault, surroundings, foreign:
            test(tally, folder)
    tally.end()


main()
