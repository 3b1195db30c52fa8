#!/usr/bin/env python3
"""`./sme` at a terminal builds in one line that says how much is left; what compilers say stays below each other."""
import os
import subprocess

SCRIPT = os.path.join(os.environ["SMEC_SOURCE_DIR"], "sme")


def shown(lines):
    """What showProgress of ./sme writes of these lines of Ninja's."""
    with open(SCRIPT, encoding="utf-8") as f:
        functions = "".join(line for line in f if not line.startswith(("root=", 'main "$@"')))
    run = subprocess.run(["bash", "-c", functions + "\nshowProgress"], input="".join(line + "\n" for line in lines).encode(),
                         capture_output=True, check=True)
    assert run.stderr == b"", run.stderr
    return run.stdout.decode()


def screen(text):
    """The lines that stand on a terminal in the end: a line erased is gone."""
    return [line.split("\r\033[K")[-1] for line in text.split("\n")]


written = shown(["ninja: Entering directory `build'", "@1/40 0.9@Building CXX object a.o", "@10/40 20.4@Building CXX object b.o"])
assert "sme: building, 10 of 40 steps, about 60 s left" in written, written
assert "1 of 40 steps\r" in written, "one file says nothing of the time: " + written
assert screen(written) == [""], written

written = shown(["@10/40 20.4@Building CXX object b.o", "FAILED: b.o", "b.cpp:1: error: x", "@11/40 21.0@Building c.o",
                 "ninja: build stopped: subcommand failed."])
assert screen(written) == ["FAILED: b.o", "b.cpp:1: error: x", "ninja: build stopped: subcommand failed.", ""], written
print("all as expected")
