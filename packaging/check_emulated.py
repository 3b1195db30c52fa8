"""Packages for another processor: their programs run under an emulator, a design is compiled by Zig, and Python is that processor's."""
import os
import shlex
import shutil
import sys

import emulator
from build import Failed, say
from root import call, expect, take_example


def compiler(build):
    """Zig for that processor, with the C++ library that it has built already. What it takes for native is the machine that it runs on."""
    program = build.path("check", "c++")
    with open(program, "w", encoding="utf-8") as file:
        file.write(f"""#!/bin/sh
for word; do
    shift
    [ "$word" = -march=native ] || set -- "$@" "$word"
done
exec {shlex.quote(build.path("zig", "c++"))} "$@"
""")
    os.chmod(program, 0o755)
    return {"CXX": program, **{name: build.common("cache") for name in ("ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR")}}


def check_wheel(build, wheel):
    target, folder = build.path("check", "packages"), build.path("check", "user")
    wanted = take_example(folder)
    shutil.rmtree(target, ignore_errors=True)
    call(sys.executable, "-m", "pip", "install", "--no-index", "--no-deps", "--disable-pip-version-check", "--only-binary=:all:",
         f"--platform=manylinux_2_28_{build.architecture.name}", f"--target={target}", wheel)
    prefix = os.path.join(target, "smec", "_prefix")
    for program in ("bin/smec", "lib/sme_host", "lib/smec/ninja"):
        emulator.wrap(build, os.path.join(prefix, program))
    smec, python = os.path.join(prefix, "bin", "smec"), [*emulator.words(build), os.path.join(build.path("emulated"), "usr", "bin", "python3")]
    example = ("run", "counter.sme", "--cycles", "10", "--quiet")
    say("checking the wheel, under an emulator: the interpreter, Zig, Python")
    shown = call(smec, "--version", cwd=folder)
    if not shown.startswith("smec "):
        raise Failed(f"smec --version says {shown}")
    expect(wanted, call(smec, *example, "--interpret", cwd=folder), "smec run --interpret")
    variables = {**compiler(build), "SMEC_CACHE": os.path.join(folder, "cache"), "HOME": folder}
    expect(wanted, call(smec, *example, cwd=folder, **variables), "smec run by Zig")
    call(smec, "compile", "-q", "counter.sme", "-o", "counter", cwd=folder, **variables)
    expect(wanted, call(*emulator.words(build), os.path.join(folder, "counter"), "--cycles", "10", "--quiet", cwd=folder), "a simulator")
    expect(f"{build.architecture.name}\n3\n", call(*python, "-c", "import platform; print(platform.machine()); exec(open('use.py').read())", cwd=folder,
                                                 PYTHONPATH=target, PYTHONDONTWRITEBYTECODE="1", **variables), "a simulation from Python")


def check_debs(build, debs):
    """They are of that processor, and have the programs of the wheel."""
    say("checking the Debian packages, unpacked")
    unpacked = build.path("check", "unpacked")
    shutil.rmtree(unpacked, ignore_errors=True)
    for deb in debs:
        expect(build.architecture.debian + "\n", call("dpkg-deb", "-f", deb, "Architecture"), deb)
        call("dpkg-deb", "-x", deb, unpacked)
    folder = build.path("check", "user")
    wanted = take_example(folder)
    smec = os.path.join(unpacked, "usr", "bin", "smec")
    for program in (smec, os.path.join(unpacked, "usr", "lib", "sme_host"), os.path.join(unpacked, "usr", "lib", "smec", "ninja")):
        emulator.wrap(build, program)
    expect(wanted, call(smec, "run", "counter.sme", "--cycles", "10", "--quiet", cwd=folder, **compiler(build), HOME=folder,
                        SMEC_CACHE=os.path.join(folder, "cache of debs")), "smec run by Zig")
