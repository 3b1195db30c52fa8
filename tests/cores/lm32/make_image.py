#!/usr/bin/env python3
"""Makes firmware.hex of firmware.c. No package of Debian compiles for LatticeMico32, but its sources of GCC 12 can: they and those of its binutils are built
in build/cores/lm32-elf (38 minutes beside much other work), once. Needed: xz-utils patch make g++ libgmp-dev libmpfr-dev libmpc-dev zlib1g-dev."""
import argparse
import glob
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import tools  # noqa: E402

PACKAGES = ("gcc-12-source", "binutils-source")
SMALL = ["--target=lm32-elf", "--disable-nls"]
BINUTILS = ["--disable-gdb", "--disable-gprof", "--disable-gprofng", "--disable-sim", "--disable-werror"]
GCC = ["--enable-languages=c", "--without-headers", "--with-newlib", "--with-system-zlib", "--enable-checking=release",
       *(f"--disable-{part}" for part in ("bootstrap", "multilib", "shared", "threads", "libssp", "libquadmath", "lto", "plugin", "libcc1"))]
TARGET = tools.TARGETS["lm32"]


def unpacked(folder):
    """The sources of both, as Debian has them from their authors, but for the manual that Debian leaves out: with its patch for that."""
    tools.must("apt-get", "download", *PACKAGES, folder=folder)
    for package in glob.glob(os.path.join(folder, "*.deb")):
        tools.must("dpkg-deb", "-x", package, ".", folder=folder)
    for archive in glob.glob(os.path.join(folder, "usr/src/*/binutils-*.tar.xz")) + glob.glob(os.path.join(folder, "usr/src/*/gcc-12*.tar.xz")):
        tools.must("tar", "xf", archive, folder=folder)
    patch, source = os.path.join(folder, "usr/src/gcc-12/patches/gcc-gfdl-build.diff"), sourceOf(folder, "gcc")
    tools.must("patch", "-p2", "-i", patch, folder=source)


def sourceOf(folder, name):
    found, = glob.glob(os.path.join(folder, f"{name}-*/"))
    return found


def make(folder, name, options, parts):
    """Builds and installs parts of it."""
    env = {"CFLAGS": "-O1", "CXXFLAGS": "-O1", "MAKEINFO": "true", "PATH": os.path.join(folder, "bin") + os.pathsep + os.environ["PATH"]}
    objects = tools.emptied(os.path.join(folder, f"{name}.objects"))
    tools.must(os.path.join(sourceOf(folder, name), "configure"), f"--prefix={folder}", *SMALL, *options, folder=objects, env=env)
    for part in parts:
        tools.must("make", "-s", f"-j{os.cpu_count()}", f"all-{part}", folder=objects, env=env)
        tools.must("make", "-s", f"install-{part}", folder=objects, env=env)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", default=os.path.join(tools.ROOT, "build", "cores", "lm32-elf"), metavar="FOLDER", help="where the compiler is, or is built")
    folder = os.path.abspath(parser.parse_args().work)
    if not os.path.exists(os.path.join(folder, "bin", "lm32-elf-gcc")):
        unpacked(tools.emptied(folder))
        make(folder, "binutils", BINUTILS, ("gas", "ld", "binutils"))
        make(folder, "gcc", GCC, ("gcc", "target-libgcc"))
    os.environ["PATH"] = os.path.join(folder, "bin") + os.pathsep + os.environ["PATH"]
    words = tools.built(folder, "firmware", TARGET, 65536, [])
    version = tools.must("lm32-elf-gcc", "-dumpversion", folder=folder).out.strip()
    with open(os.path.join(HERE, "firmware.hex"), "w", encoding="utf-8") as f:
        f.write(f"// firmware.c, firmware.ld and options of {TARGET.of()} for LatticeMico32: tests/cores/lm32/make_image.py, GCC {version}\n")
        f.writelines(f"{word:08x}\n" for word in words)


main()
