"""What `./sme package --check` does: each package is installed where it would be, and an example is compiled and run with it, by g++, by
Zig, and without a compiler."""
import glob
import os
import re
import shutil
import sys

import check_emulated
import check_image
from build import SOURCE, Failed, say
from root import Root, call, expect, take_example

sys.path.insert(0, os.path.join(SOURCE, "tests", "install"))

from cmake_page import Project  # noqa: E402

NEEDED = ("sh", "env", "cat", "rm", "mkdir", "uname")  # of a PATH without compilers
INTERPRETED = "no C++ compiler found"
FOREIGN = {
    "next.h": "inline unsigned char next() { static unsigned char calls = 0; return ++calls; }\n",
    "foreign.sme": """\
extern serial func next(): u8 from "next.h";
type word: bus { v: u8; };
proc p(out o: word) { o.v = next(); }
network foreign(out o: word) { instance a of p(o: o); }
""",
    "foreign.py": """\
import smec
sim = smec.compile("foreign.sme")
def seen(cycles):
    result = []
    for _ in range(cycles):
        sim.step()
        result.append(int(sim["o.v"]))
    return result
first = seen(4)
sim.goto(2)
print(first, seen(3))
"""}
VERILOG = """\
module blinker(input clk, input rst, output reg [3:0] count);
    always @(posedge clk) if (rst) count <= 0; else count <= count + 1;
endmodule
"""
PREFIX = "import os, smec; print(os.path.dirname(smec.__file__))"  # as docs/cmake.md has it


def audit(build, wheel):
    shown = call(build.common("venv", "bin", "auditwheel"), "show", wheel)
    fits = re.search(rf'"manylinux_2_([0-9]+)_{build.architecture.name}"', shown)
    if fits is None or int(fits.group(1)) > 28:
        raise Failed(f"auditwheel says\n{shown}")


def check_wheel(build, wheel):
    """In an environment of this machine's Python."""
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
    os.symlink(os.path.dirname(os.path.realpath(build.common("venv", "zig"))), os.path.join(packages, "ziglang"))
    expect("3\n", call(python, "use.py", cwd=folder, **run("zig", path=few)), "a simulation from Python, by Zig")
    check_foreign_code(python, folder, PATH=os.environ["PATH"], HOME=folder, SMEC_CACHE=os.path.join(folder, "cache of g++"))
    check_verilog(build, wheel)
    prefix = call(python, "-c", PREFIX).strip() + "/_prefix"
    check_cmake(build, prefix, "the wheel")


def check_foreign_code(python, folder, **variables):
    """C++ of the user, by another compiler than the runtime's, that a run which goes back must not call again."""
    for name, text in FOREIGN.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    expect("[1, 2, 3, 4] [3, 4, 5]\n", call(python, "foreign.py", cwd=folder, **variables), "a simulation with C++ that goes back")


def check_verilog(build, wheel):
    """`smec[verilog]` where the PATH has no Yosys."""
    say("checking the wheel with its extra for Verilog")
    venv, folder = build.path("check", "verilog"), build.path("check", "verilog user")
    for each in (venv, folder):
        shutil.rmtree(each, ignore_errors=True)
    os.makedirs(folder)
    call(sys.executable, "-m", "venv", venv)
    call(os.path.join(venv, "bin", "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", f"{wheel}[verilog]")
    with open(os.path.join(folder, "blinker.v"), "w", encoding="utf-8") as file:
        file.write(VERILOG)
    shown = call(os.path.join(venv, "bin", "smec"), "run", "blinker.v", "--interpret", "--cycles", "4", "--trace", "-", "--quiet", cwd=folder, PATH=build.path("check", "few"), HOME=folder)
    if not re.search(r"^cycle,.*count.*\n", shown) or len(shown.splitlines()) != 5:
        raise Failed(f"a run of Verilog says\n{shown}")


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
    call("cp", "-al", os.path.dirname(os.path.realpath(build.common("venv", "zig"))), os.path.join(packages, "ziglang"))
    expect(root.wanted, root.call(*smec), "smec run by Zig")
    expect("3\n", root.call("/root/venv/bin/python", "use.py"), "a simulation from Python 3.9")


def run(build, target):
    os.makedirs(build.path("check"), exist_ok=True)
    wheel, = glob.glob(os.path.join(target, f"*-{build.architecture.tag}.whl"))
    debs = sorted(glob.glob(os.path.join(target, f"*_{build.architecture.debian}.deb")), reverse=True)
    audit(build, wheel)
    if build.is_foreign():
        check_emulated.check_wheel(build, wheel)
        check_emulated.check_debs(build, debs)
        say(f"all packages for {build.architecture.name} work, as far as an emulator runs them")
        return
    check_wheel(build, wheel)
    if os.geteuid() != 0:
        raise Failed("the Debian packages are installed into a root of their own, for which this has to be started as root")
    check_debs(build, debs)
    check_oldest(build, wheel)
    archive, = glob.glob(os.path.join(target, "smec-*.tar.gz"))
    check_image.run(build, archive)
    say("all packages work")
