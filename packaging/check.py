"""What `./sme package --check` does: each package is installed where it would be, and an example is compiled and run with it, by g++, by
Zig, and without a compiler."""
import glob
import os
import re
import shutil
import sys

import check_image
from build import SOURCE, Failed, say
from root import Root, call, expect, take_example

sys.path.insert(0, os.path.join(SOURCE, "tests", "install"))

from cmake_page import Project  # noqa: E402

NEEDED = ("sh", "env", "cat", "rm", "mkdir", "uname")  # of a PATH without compilers
INTERPRETED = "no C++ compiler found"
PREFIX = "import os, smec; print(os.path.dirname(smec.__file__))"  # as docs/cmake.md has it


def check_wheel(build, wheel):
    """In an environment of this machine's Python."""
    shown = call(build.path("venv", "bin", "auditwheel"), "show", wheel)
    fits = re.search(r'"manylinux_2_([0-9]+)_x86_64"', shown)
    if fits is None or int(fits.group(1)) > 28:
        raise Failed(f"auditwheel says\n{shown}")
    say("checking the wheel: with g++, with Zig, with no compiler")
    venv, folder, few = build.path("check", "venv"), build.path("check", "user"), build.path("check", "few")
    wanted = take_example(folder)
    shutil.rmtree(venv, ignore_errors=True)
    call(sys.executable, "-m", "venv", venv)
    python = os.path.join(venv, "bin", "python")
    call(python, "-m", "pip", "install", "--no-index", "--no-deps", "--disable-pip-version-check", wheel)
    shutil.rmtree(few, ignore_errors=True)
    os.makedirs(few)
    for name in NEEDED:
        os.symlink(shutil.which(name), os.path.join(few, name))

    def run(kind, says="", path=os.environ["PATH"]):
        cache = os.path.join(folder, "cache of " + kind)
        variables = {"PATH": path, "SMEC_CACHE": cache, "HOME": folder}
        expect(wanted, call(os.path.join(venv, "bin", "smec"), "run", "--build-dir", kind, "counter.sme", "--cycles", "10", "--quiet", cwd=folder, says=says, **variables), f"smec run with {kind}")
        expect(wanted, call(python, "-m", "smec", "run", "--interpret", "counter.sme", "--cycles", "10", "--quiet", cwd=folder, **variables), "python -m smec")
        return variables

    expect("3\n", call(python, "use.py", cwd=folder, **run("g++")), "a simulation from Python")
    run("none", INTERPRETED, few)
    packages, = glob.glob(os.path.join(venv, "lib", "python3*", "site-packages"))
    os.symlink(os.path.dirname(os.path.realpath(build.path("venv", "zig"))), os.path.join(packages, "ziglang"))
    expect("3\n", call(python, "use.py", cwd=folder, **run("zig", path=few)), "a simulation from Python, by Zig")
    prefix = call(python, "-c", PREFIX).strip() + "/_prefix"
    check_cmake(build, prefix, "the wheel")


def check_cmake(build, prefix, what):
    """The project of docs/cmake.md, with what is unpacked."""
    say(f"checking the CMake package of {what}")
    try:
        Project(build.path("check", "cmake"), prefix).check()
    except AssertionError as problem:
        raise Failed(f"docs/cmake.md with {what}: {problem}") from problem


def check_debs(build, debs):
    unpacked = build.path("check", "unpacked")
    shutil.rmtree(unpacked, ignore_errors=True)
    for deb in debs:
        call("dpkg-deb", "-x", deb, unpacked)
    check_cmake(build, os.path.join(unpacked, "usr"), "the Debian packages")
    root = Root(build, "bookworm", "python3")
    say("checking the Debian packages")
    before = root.files()
    root.call("dpkg", "--install", *map(root.take, debs))
    expect(root.wanted, root.call("smec", "run", "counter.sme", "--cycles", "10", "--quiet", says=INTERPRETED), "smec run without a compiler")
    found = root.call("sh", "-c", "test -e /usr/share/man/man1/smec.1.gz && smec explain fifo-overrun >/dev/null 2>&1; smec --version")
    if not found.startswith("smec "):
        raise Failed(f"smec --version says {found}")
    root.call("dpkg", "--purge", "smec", "python3-smec")
    left = root.files() - before
    if left:
        raise Failed(f"removed, it leaves {sorted(left)}")
    root.call("apt-get", "-qq", "update")
    root.call("apt-get", "-qq", "install", "-y", "--no-install-recommends", "g++")
    root.call("dpkg", "--install", *map(root.take, debs))
    expect(root.wanted, root.call("smec", "run", "counter.sme", "--cycles", "10", "--quiet"), "smec run by Debian's g++")
    expect("3\n", root.call("python3", "use.py"), "a simulation from Debian's Python")


def check_oldest(build, wheel):
    """The oldest Debian that there is: glibc 2.31, Python 3.9, and a g++ that is too old. Older symbols than those of 2.28 are asked for
    by none of the files."""
    root = Root(build, "bullseye", "python3", "python3-venv")
    say("checking the wheel under Python 3.9: with no compiler, with Zig")
    root.call("python3", "-m", "venv", "/root/venv")
    root.call("/root/venv/bin/pip", "install", "--no-index", "--no-deps", root.take(wheel))
    smec = ("/root/venv/bin/smec", "run", "counter.sme", "--cycles", "10", "--quiet")
    expect(root.wanted, root.call(*smec, says=INTERPRETED), "smec run without a compiler")
    packages, = glob.glob(os.path.join(root.folder, "root", "venv", "lib", "python3*", "site-packages"))
    call("cp", "-al", os.path.dirname(os.path.realpath(build.path("venv", "zig"))), os.path.join(packages, "ziglang"))
    expect(root.wanted, root.call(*smec), "smec run by Zig")
    expect("3\n", root.call("/root/venv/bin/python", "use.py"), "a simulation from Python 3.9")


def run(build, target):
    os.makedirs(build.path("check"), exist_ok=True)
    wheel, = glob.glob(os.path.join(target, "*.whl"))
    check_wheel(build, wheel)
    if os.geteuid() != 0:
        raise Failed("the Debian packages are installed into a root of their own, for which this has to be started as root")
    check_debs(build, sorted(glob.glob(os.path.join(target, "*.deb")), reverse=True))
    check_oldest(build, wheel)
    archive, = glob.glob(os.path.join(target, "smec-*.tar.gz"))
    check_image.run(build, archive)
    say("all packages work")
