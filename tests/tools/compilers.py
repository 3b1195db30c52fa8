#!/usr/bin/env python3
"""Compilers are asked what they are and take (driver/compile/cxx_facts.h): by names that say something else, older than their flags, one
behind a subcommand as Zig's is, and none."""
import os

from support import Tally, read, scratch, smec, write

PROGRAM = """proc p() { trace("{}", u8(cycle()) + 40); if (cycle() == 2) { stop; } }
network top() { instance _ of p(); }
"""
CLANG, GCC = "-fno-slp-vectorize", "-frounding-math"


def program(folder, name, *lines):
    path = write(folder, name, "#!/bin/sh\n" + "\n".join(lines) + "\n")
    os.chmod(path, 0o755)
    return path


def commands(tally, folder, cxx):
    """What Ninja was told, of a design that ran."""
    built = "built " + os.path.basename(cxx)
    status, out, err = smec("run", "main.sme", "--cxx", cxx, "--build-dir", built, cwd=folder,
                            env={"CCACHE_DISABLE": "1"})  # which goes by names
    tally.equal((status, out.split()[-1:]), (0, ["42"]), f"{cxx}: {err}")
    return read(os.path.join(folder, built, "build.ninja"))


def kinds(tally, folder):
    text = commands(tally, folder, program(folder, "my compiler", 'exec clang++-16 "$@"'))
    tally.check(CLANG in text and GCC not in text, f"clang by another name: {text}")
    text = commands(tally, folder, program(folder, "clang++", 'exec g++ "$@"'))
    tally.check(GCC in text and CLANG not in text, f"g++ by the name of clang: {text}")


def older(tally, folder):
    refused = ("-fno-gnu-unique", "-fvect-cost-model=dynamic", "-fuse-ld=mold", "-fuse-ld=lld")
    text = commands(tally, folder, program(folder, "old", "for word; do", f'    case "$word" in {"|".join(refused)}) echo "unrecognized $word" >&2; exit 1;; esac',
                                           "done", 'exec g++ "$@"'))
    tally.check(GCC in text and not any(flag in text for flag in refused), f"flags that it does not take are left out: {text}")


def tooOld(tally, folder):
    old = program(folder, "ancient", 'case "$*" in *-dM*) g++ "$@" | sed "s/__GNUC__ [0-9]*/__GNUC__ 10/" ;; *) exec g++ "$@" ;; esac')
    status, _, err = smec("run", "main.sme", "--cxx", old, "--build-dir", "ancient folder", cwd=folder)
    tally.equal(status, 3, f"g++ 10: {err}")
    tally.check("ancient' is too old" in err and "--interpret" in err, f"it is said: {err}")
    status, _, err = smec("run", "main.sme", "--cxx", program(folder, "nothing", "exit 0"), "--build-dir", "no folder", cwd=folder)
    tally.check(status == 3 and "nothing' is none: it has none of the macros" in err, f"a program that does nothing is no compiler: {status} {err}")


def behindSubcommand(tally, folder):
    zig = program(folder, "several", '[ "$1" = c++ ] || { echo "usage: several c++" >&2; exit 1; }', "shift",
                  'case " $* " in *" -shared "*) case " $* " in *" -nostdlib "*) ;; *) exit 1;; esac;; esac', 'exec clang++-16 "$@"')
    text = commands(tally, folder, zig)
    tally.check(CLANG in text and " c++ " in text and "-fuse-ld" not in text, f"a compiler behind a subcommand: {text}")


def once(tally, folder):
    """What it is and takes is asked once, for all programs of a cache."""
    counted = program(folder, "counted", 'case " $* " in *" /dev/null "*) echo "$*" >> questions ;; esac', 'exec g++ "$@"')
    write(folder, "other.sme", PROGRAM.replace("40", "41"))
    asked = []
    for name in "main.sme", "other.sme", "main.sme":
        status, _, err = smec("run", name, "--cxx", counted, cwd=folder, env={"CCACHE_DISABLE": "1"})
        tally.equal(status, 0, f"{name}: {err}")
        asked.append(len(read(os.path.join(folder, "questions")).splitlines()))
    tally.check(asked[0] > 0 and asked[1:] == asked[:1] * 2, f"questions after each run: {asked}")


def none(tally, folder):
    nothing = {"PATH": "/nowhere", "CXX": ""}
    status, out, err = smec("run", "main.sme", cwd=folder, env=nothing)
    tally.equal((status, out.split()[-1:]), (0, ["42"]), f"the interpreter runs it: {err}")
    tally.check("no C++ compiler found" in err and "interpreter" in err, f"which is said: {err}")
    tally.check("compiler" not in smec("run", "-q", "main.sme", cwd=folder, env=nothing)[2], "and not with -q")
    for words in (("-o", "made"), ("--cxx", "absent")):
        tally.equal(smec("run", "main.sme", *words, cwd=folder, env=nothing)[0], 3, f"{words} asks for one")


def main():
    tally = Tally()
    with scratch() as folder:
        write(folder, "main.sme", PROGRAM)
        for test in (kinds, older, tooOld, behindSubcommand, once, none):
            test(tally, folder)
    tally.end()


main()
