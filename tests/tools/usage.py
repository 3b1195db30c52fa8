#!/usr/bin/env python3
"""Slips on the command line: each is named, with what was probably meant; what the help offers is taken."""
import re

from support import Tally, scratch, smec, write

PROGRAM = "proc p(const n: uint) { trace(\"p{}\", n); }\nnetwork top(const n: uint = 1) { instance _ of p(n); }\n"
COMMANDS = ("compile", "run", "check", "bench", "export", "verify", "fmt", "explain", "completion", "man")

SLIPS = [
    (("chekc", "a.sme"), "unknown command 'chekc'; did you mean 'check'?"),
    (("frobnicate",), "unknown command 'frobnicate'; 'smec --help' lists them"),
    (("a.sme",), "a command stands first; did you mean 'smec run a.sme'?"),
    (("--hlep",), "unknown option '--hlep'; did you mean '--help'?"),
    ((), "smec takes a command"),
    (("run", "a.sme", "--cylces", "3"), "unknown option '--cylces'; did you mean '--cycles'?"),
    (("run", "a.sme", "--cylces=3"), "unknown option '--cylces'; did you mean '--cycles'?"),
    (("run", "--interpret", "a.sme", "--treads", "2"), "unknown option '--treads'; did you mean '--threads'?"),
    (("compile", "a.sme", "--no-buidl"), "unknown option '--no-buidl'; did you mean '--no-build'?"),
    (("check", "a.sme", "--cycles", "3"), "smec check does not take --cycles"),
    (("check", "a.sme", "--frobnicate"), "unknown option '--frobnicate'; 'smec check --help' lists them"),
    (("check", "a.sme", "-Wunsed"), "unknown warning 'unsed'; did you mean 'unused'?"),
    (("run", "--lib", "a.sme"), "smec run does not take --lib"),
    (("run", "--resum", "x", "a.sme"), "unknown option '--resum'; did you mean '--resume'?"),
]


# An option that may be repeated, or whose value may be left out, takes no file that stands after it.
BEFORE_THE_FILE = [("-I", "."), ("-I.",), ("-Wno-unused",), ("-W", "no-unused"), ("-G", "n=2"), ("-Gn=2",),
                   ("--cxxflag", "-g"), ("--link", "-lm"), ("-I", ".", "-I", "..", "-Wno-unread", "-Gn=1")]


def main():
    tally = Tally()
    with scratch() as folder:
        write(folder, "a.sme", PROGRAM)
        for words in BEFORE_THE_FILE:
            for command in (("check",), ("run", "--cycles", "1", "--quiet")):
                line = (command[0], *words, "a.sme", *command[1:], "-O1", "--error-limit", "3")
                tally.equal(smec(*line, cwd=folder)[::2], (0, ""), " ".join(line))
        tally.equal(smec("check", "--stats", "a.sme", cwd=folder)[0], 0, "--stats takes no file")
        tally.check("Try 'smec run --help'" in smec("run")[2], "a command names its own help")
        for words, message in SLIPS:
            status, out, err = smec(*words, cwd=folder)
            tally.equal((status, out), (2, ""), f"smec {' '.join(words)} is wrong usage")
            tally.check(message in err, f"smec {' '.join(words)} says {message!r}, not {err!r}")
    for command in COMMANDS:
        status, out, _ = smec(command, "--help")
        tally.equal(status, 0, f"{command} --help")
        tally.check(not re.search(r"not supported", out), f"{command} --help offers what there is")
    for command, there, absent in (("run", ("--cycles N", "--threads", "--seed"), ()), ("check", (), ("--cycles", "--seed")),
                                   ("bench", ("--model", "--chunk"), ("--emit", "--checksum")), ("verify", ("--seed",), ("--emit", "--no-build")),
                                   ("export", ("--verilog",), ("--emit", "--no-build"))):
        text = smec(command, "--help")[1]
        for option in there:
            tally.check(option in text, f"{command} --help shows {option}")
        for option in absent:
            tally.check(option not in text, f"{command} --help does not offer {option}")
    tally.end()


main()
