#!/usr/bin/env python3
"""Completion scripts: bash is asked for completions; zsh and fish read theirs where they are installed."""
import os
import shutil
import subprocess

from support import Tally, commands, options, scratch, smec, write

ASK = """
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_smec
printf '%s\\n' "${COMPREPLY[@]}"
"""


def main():
    tally = Tally()
    with scratch() as folder:
        script = write(folder, "smec.bash", smec("completion", "bash")[1])

        def ask(*words):
            run = subprocess.run(["bash", "-c", ASK, "ask", script, *words], cwd=folder, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, encoding="utf-8", check=False)
            tally.equal(run.stderr, "", f"no complaint for {words}")
            return set(run.stdout.split())

        for name in ("one.sme", "two.sme", "notes.txt"):
            write(folder, name, "")
        os.mkdir(os.path.join(folder, "lib"))
        every = commands()
        tally.check({"compile", "run", "check", "fmt", "completion"} <= set(every), f"commands: {every}")
        tally.equal(ask("smec", ""), set(every) | {"--help", "--version"}, "commands")
        tally.equal(ask("smec", "comp"), {"compile", "completion"}, "commands by prefix")
        for command in every:
            offered = ask("smec", command, "-")
            missing = set(options(command)) - offered
            tally.check(not missing, f"options of {command}: {missing} are not offered")
        tally.check("--cycles" in ask("smec", "run", "--c"), "options of the simulator after run")
        tally.check("--cycles" not in ask("smec", "compile", "-"), "and only there")
        tally.equal(ask("smec", "compile", ""), {"one.sme", "two.sme", "lib"}, "source files and folders")
        tally.equal(ask("smec", "compile", "--top", "x", "o"), {"one.sme"}, "source files after an option")
        stages = {"ast", "hir", "ir", "graph", "plan", "cpp", "help"}
        shown = ask("smec", "compile", "--emit", "")
        tally.equal({word for word in shown if "=" not in word}, stages, "values")
        tally.check("ir-after=lowering" in shown and "ir-after=cases" in shown, "values with the name of a pass")
        tally.equal(ask("smec", "compile", "--emit", "=", "hi"), {"hir"}, "values after '='")
        tally.equal(ask("smec", "compile", "--emit", "="), shown, "right after '='")
        tally.equal(ask("smec", "compile", "--stats", "=", ""), {"text", "json"}, "an optional value after '='")
        tally.equal(ask("smec", "compile", "--stats", "o"), {"one.sme"}, "but not as a word of its own")
        tally.equal(ask("smec", "compile", "-I", ""), {"lib"}, "folders")
        tally.equal(ask("smec", "check", "-Wno-unre"), {"-Wno-unread", "-Wno-unreachable"}, "names of warnings")
        tally.equal(ask("smec", "compile", "-O"), {"-O0", "-O1", "-O2", "-O3"}, "levels")
        tally.equal(ask("smec", "run", "--wait", "s"), {"spin"}, "values of the simulator's options")
        tally.equal(ask("smec", "explain", "two-"), {"two-drivers"}, "names of messages")
        tally.equal(ask("smec", "explain", "two-drivers", "two-"), {"two-drivers"}, "of several")
        tally.equal(ask("smec", "completion", ""), {"bash", "zsh", "fish"}, "shells")
        for shell in ("zsh", "fish"):
            text = smec("completion", shell)[1]
            for command in every:
                for option in options(command):
                    tally.check(option.lstrip("-") in text, f"{shell}: {option} of {command}")
            path = write(folder, "script", text)
            if shutil.which(shell):
                run = subprocess.run([shell, "-n", path], stderr=subprocess.PIPE, encoding="utf-8", check=False)
                tally.equal((run.returncode, run.stderr), (0, ""), f"{shell} reads its script")
        tally.equal(smec("completion", "csh")[0], 2, "an unknown shell is wrong usage")
    tally.end()


main()
