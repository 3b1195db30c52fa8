#!/usr/bin/env python3
"""The cache is not believed: whatever is damaged in it, the result is that of a first compilation, with status 0. Where it lies, who
may write it, how large it grows, what `smec clean` removes, and processes that share it."""
import os
import re
import shutil
import signal
import subprocess
import sys

import support
from support import SMEC, Tally, read, smec, write

DESIGN = """proc count(out o: num) var n: u8; { n += 3; o.v = n; }
proc show(in i: num) { trace("{}", i.v); }
type num: bus { v: u8; };
network top() { bus a: num; instance c of count(a); instance w of show(a); }
"""
VERILOG = ("module addr(input clk, input [7:0] a_v, output reg [7:0] s_v);\n"
           "  always @(posedge clk) s_v <= s_v + a_v;\nendmodule\n")
MIXED = """type num: bus { v: u8; };
extern proc addr(in a: num, out s: num) verilog("addr.v");
proc count(out o: num) var n: u8; { n += 1; o.v = n; }
proc show(in i: num) { trace("{}", i.v); }
network top() { bus a: num; bus s: num; instance c of count(a); instance x of addr(a, s); instance w of show(s); }
"""
WANTED, WANTED_MIXED = "0\n3\n6\n9\n", "0\n0\n1\n3\n"
RUN = ("--cycles", "4", "--quiet")


def fileNames(folder):
    return sorted(os.path.join(at, name) for at, _, names in os.walk(folder) for name in names)


def emptied(path):
    os.truncate(path, 0)


def halved(path):
    os.truncate(path, os.path.getsize(path) // 2)


def flipped(path):
    """In the middle, in place: a hard link of it changes, too."""
    size = os.path.getsize(path)
    if size:
        with open(path, "r+b") as f:
            f.seek(size // 2)
            byte = f.read(1)[0]
            f.seek(size // 2)
            f.write(bytes([byte ^ 1]))


def asFolder(path):
    os.remove(path)
    os.mkdir(path)
    write(path, "inside", "x")


def asLoop(path):
    os.remove(path)
    os.symlink(os.path.basename(path), path)


def asPipe(path):
    os.remove(path)
    os.mkfifo(path)


DAMAGE = (emptied, halved, flipped, asFolder, asLoop, asPipe, os.remove)


def built(folder):
    """What was built, in the entries of a cache, so that Ninja has to look at what is left."""
    return [os.path.join(folder, "entries", name) for name in os.listdir(os.path.join(folder, "entries")) if name.startswith("built-")]


def damageAll(tally, folder, name, wanted, cache):
    """Each file by itself, and all of them in each way."""
    def isRight(what):
        status, out, err = smec("run", name, "-O0", *RUN, cwd=folder)
        tally.check(status == 0 and out == wanted, f"{name}, {what}: status {status}, {out!r}, {err}")

    isRight("new")
    for path in fileNames(cache):
        if os.path.isfile(path):
            for damage in (flipped, emptied) if path.endswith((".sme", "simulator", "design.so", "model.bin")) else (flipped,):
                if os.path.isfile(path):
                    damage(path)
                    isRight(f"{damage.__name__} {path}")
    work = [path for path in fileNames(cache) if os.sep + "entries" + os.sep not in path]
    for path in work:
        if os.path.isfile(path):
            for entry in built(cache):
                shutil.rmtree(entry)
            flipped(path)
            isRight(f"flipped {path}, to be built")
    for damage in DAMAGE:
        for path in fileNames(cache):
            damage(path)
        isRight(f"all {damage.__name__}")
    for isEntry in (True, False):
        for parent, folders, _ in os.walk(cache, topdown=False):
            for inner in folders:
                path = os.path.join(parent, inner)
                if (os.sep + "entries" in path) == isEntry:
                    shutil.rmtree(path)
                    write(parent, inner, "in the way")
        isRight(f"files for folders, {'entries' if isEntry else 'build folders'}")


def swapped(tally, folder):
    """One entry under the name of another, each whole."""
    smec("run", "plain.sme", "-O0", *RUN, cwd=folder)
    write(folder, "other.sme", DESIGN.replace("n += 3", "n += 5"))
    smec("run", "other.sme", "-O0", *RUN, cwd=folder)
    first, second = built(os.path.join(folder, ".smec"))[:2]
    for a, b in ((first, second), (second, first)):
        shutil.rmtree(b)
        shutil.copytree(a, b)
        for name, wanted in (("plain.sme", WANTED), ("other.sme", "0\n5\n10\n15\n")):
            status, out, _ = smec("run", name, "-O0", *RUN, cwd=folder)
            tally.check((status, out) == (0, wanted), f"{name} after entries were swapped: {status}, {out!r}")
        first, second = built(os.path.join(folder, ".smec"))[:2]


def library(tally, folder):
    words = ("compile", "--lib", "plain.sme", "-O0", "-o", "libplain.so", "-v")
    smec(*words, cwd=folder)
    with open(os.path.join(folder, "libplain.so"), "rb") as f:
        wanted = f.read()
    entry = next(path for path in fileNames(os.path.join(folder, ".smec", "entries")) if path.endswith("library.so"))
    tally.equal(os.stat(entry).st_nlink, 2, "a library and its build folder share the bytes")
    flipped(entry)
    status, _, err = smec(*words, cwd=folder)
    with open(os.path.join(folder, "libplain.so"), "rb") as f:
        tally.check(status == 0 and f.read() == wanted, f"a damaged library is made anew: {err}")
    tally.check(re.search(r"smec: cache: '.*' is not used: 'library.so' has not the content that was noted; it is made anew\n", err),
                f"-v tells: {err}")


def edited(path, to):
    """A simulator for a processor that has something of which nobody has heard."""
    with open(path, "rb") as f:
        data = f.read()
    found = re.search(rb"sme-processor:( \w+)*\0", data)
    room = len(found.group()) - len(b"sme-processor: \0")
    name = b"warp9" if room >= 5 else b""
    with open(to, "wb") as f:
        f.write(data[:found.start()] + b"sme-processor: " + name.ljust(room, b" ") + b"\0" + data[found.end():])
    os.chmod(to, 0o755)
    return name


LOAD = """import ctypes, sys
class Table(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("size", ctypes.c_uint32), ("create", ctypes.CFUNCTYPE(
        ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t))]
class Library(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("size", ctypes.c_uint32), ("design", ctypes.c_char_p), ("compiler", ctypes.c_char_p),
                ("hash", ctypes.c_uint64), ("model", ctypes.c_void_p), ("table", ctypes.POINTER(Table))]
function = ctypes.CDLL(sys.argv[1]).sme_library_of
function.restype = ctypes.POINTER(Library)
library = function(2).contents
why, simulation = ctypes.create_string_buffer(200), ctypes.c_void_p()
print(library.table.contents.create(library.model, None, 0, None, ctypes.byref(simulation), why, 200), why.value.decode())
"""


def processor(tally, folder):
    """What a machine lacks is told before anything runs, constructors of the user's C++ among it."""
    message = ("this machine's processor has no 'warp9', which the compiler was allowed to use; compile for it with --march generic, or here")
    write(folder, "early.h", "#include <cstdio>\ninline int early() { std::puts(\"early\"); std::fflush(stdout); return 1; }\n"
                             "inline const int kEarly = early();\ninline unsigned char one() { return 1; }\n")
    write(folder, "early.sme", 'extern func one() : u8 from "early.h";\n' + DESIGN.replace("n += 3", "n += 3 * one()"))
    status, _, err = smec("compile", "early.sme", "-O0", "-o", "program", cwd=folder)
    tally.check(status == 0, err)
    if edited(os.path.join(folder, "program"), os.path.join(folder, "other")) == b"":
        print("--march native has nothing here that could be missing")
        return
    run = subprocess.run([os.path.join(folder, "program"), *RUN], stdout=subprocess.PIPE, text=True, check=False)
    tally.equal((run.returncode, run.stdout), (0, "early\n" + WANTED), "a program for this processor")
    run = subprocess.run([os.path.join(folder, "other"), *RUN], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    tally.equal((run.returncode, run.stdout, run.stderr), (3, "", f"other: error: {message}\n"), "a program for another one")
    tally.equal(smec("compile", "--lib", "plain.sme", "-O0", "-o", "libplain.so", cwd=folder)[0], 0, "a library")
    edited(os.path.join(folder, "libplain.so"), os.path.join(folder, "libother.so"))
    for name, wanted in (("libplain.so", "0 \n"), ("libother.so", f"3 {message}\n")):
        run = subprocess.run([sys.executable, "-c", LOAD, os.path.join(folder, name)], stdout=subprocess.PIPE, text=True, check=False)
        tally.equal((run.returncode, run.stdout), (0, wanted), name)
    first = smec("compile", "plain.sme", "-O0", "--march", "generic", "-o", "generic", cwd=folder)
    tally.check(first[0] == 0, first[2])
    with open(os.path.join(folder, "generic"), "rb") as f:
        plain = re.search(rb"sme-processor:( \w+)*\0", f.read()).group()
    with open(os.path.join(folder, "program"), "rb") as f:
        tally.check(len(plain) < len(re.search(rb"sme-processor:( \w+)*\0", f.read()).group()), "generic needs less than native")


def counting(folder):
    """A compiler that counts how often it compiles, and waits where it is told to."""
    log, gate = os.path.join(folder, "log"), os.path.join(folder, "gate")
    path = write(folder, "g++", f'#!/bin/sh\ncase "$*" in *" -c "*) echo x >>"{log}"; if [ -p "{gate}" ]; then echo >"{gate}"; read x <"{gate}"; fi;; esac\n'
                                'exec /usr/bin/env -S "$REAL_CXX" "$@"\n')
    os.chmod(path, 0o755)
    return path, lambda: len(read(log).split()) if os.path.exists(log) else 0


def history(tally, folder, environment):
    """An edit that is taken back is found."""
    cxx, count = counting(folder)
    words = ("run", "plain.sme", "-O0", "--cxx", cxx, "-j", "1", *RUN)
    tally.equal(smec(*words, cwd=folder, env=environment)[:2], (0, WANTED), "the first text")
    once = count()
    write(folder, "plain.sme", DESIGN.replace("n += 3", "n += 5"))
    tally.equal(smec(*words, cwd=folder, env=environment)[:2], (0, "0\n5\n10\n15\n"), "another text")
    twice = count()
    write(folder, "plain.sme", DESIGN)
    tally.equal(smec(*words, cwd=folder, env=environment)[:2], (0, WANTED), "the first text again")
    tally.check(0 < once < twice and count() == twice, f"compiled {once}, {twice}, {count()} times")
    shutil.copy(cxx, cxx + ".new")
    write(folder, "g++.new", read(cxx) + "# another compiler\n")
    os.replace(cxx + ".new", cxx)
    os.chmod(cxx, 0o755)
    smec(*words, cwd=folder, env=environment)
    tally.check(count() > twice, "another compiler compiles")


def together(tally, folder, environment):
    """Two at once: one compiles. One that is killed keeps nobody waiting."""
    cxx, count = counting(folder)
    words = [SMEC, "run", "plain.sme", "-O0", "--cxx", cxx, "-j", "1", *RUN]
    environment = dict(os.environ, **environment)
    runs = [subprocess.Popen(words, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    outs = [run.communicate(timeout=100)[0] for run in runs]
    tally.equal([run.returncode for run in runs] + outs, [0] * 3 + [WANTED] * 3, "three at once")
    alone = count()
    shutil.rmtree(os.path.join(folder, ".smec"))
    os.remove(os.path.join(folder, "log"))
    subprocess.run(words, cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=True)
    tally.equal(alone, count(), "compilations of three at once, and of one")

    shutil.rmtree(os.path.join(folder, ".smec"))
    gate = os.path.join(folder, "gate")
    os.mkfifo(gate)
    with subprocess.Popen(words, cwd=folder, env=environment, stdout=subprocess.DEVNULL) as killed:
        with open(gate, encoding="ascii") as f:
            f.read()  # it is compiling
        killed.send_signal(signal.SIGKILL)
    os.remove(gate)
    left = os.path.join(folder, ".smec", "tmp", "left")
    os.makedirs(left)
    write(left, "simulator", "half")
    tally.equal(smec(*words[1:], cwd=folder, env=environment)[:2], (0, WANTED), "after one that was killed")
    tally.check(not os.path.exists(left), "what killed processes left is gone")
    names = [name for path in fileNames(os.path.join(folder, ".smec")) if (name := os.path.basename(path)).startswith(".smec-")]
    tally.equal(set(names), {".smec-folder"}, "no temporaries")


def places(tally, folder):
    def used(**environment):
        status, out, err = smec("run", "plain.sme", "-O0", *RUN, cwd=folder, env={"HOME": os.path.join(folder, "home"), "XDG_CACHE_HOME": "", **environment})
        tally.check((status, out) == (0, WANTED), f"{environment}: {status}, {out!r}, {err}")
        found = [at for at in (".smec", "here", "home/.cache/smec", "xdg/smec", "all/" + f"smec-{os.geteuid()}")
                 if os.path.exists(os.path.join(folder, at, "entries"))]
        for at in found:
            shutil.rmtree(os.path.join(folder, at))
        return found, err

    shutil.rmtree(os.path.join(folder, ".smec"), ignore_errors=True)
    os.makedirs(os.path.join(folder, "home"))
    tally.equal(used(), ([".smec"], ""), "the current folder's")
    tally.equal(used(SMEC_CACHE="here"), (["here"], ""), "the one that is named")
    os.mkdir(os.path.join(folder, "all"))
    os.chmod(os.path.join(folder, "all"), 0o1777)
    tally.equal(used(SMEC_CACHE="all"), ([f"all/smec-{os.geteuid()}"], ""), "below a folder for all")

    os.mkdir(os.path.join(folder, "here"))
    os.chmod(os.path.join(folder, "here"), 0o775)
    tally.equal(used(SMEC_CACHE="here"), ([".smec"], "smec: warning: the cache folder 'here' is not used: others may write it (mode 775); 'chmod go-w' makes "
                                                    "it yours\n"), "one that others may write")
    os.mkdir(os.path.join(folder, ".smec"))
    os.chmod(os.path.join(folder, ".smec"), 0o757)
    found, err = used()
    tally.check(found == ["home/.cache/smec"] and "'.smec' is not used: others may write it" in err, f"next, the user's: {found}, {err}")
    tally.equal(used(XDG_CACHE_HOME=os.path.join(folder, "xdg"))[0], ["xdg/smec"], "or where XDG says")
    found, err = used(HOME="/dev/null", TMPDIR=os.path.join(folder, "all"))
    tally.equal(found, [f"all/smec-{os.geteuid()}"], "then a temporary one")
    os.rmdir(os.path.join(folder, ".smec"))
    os.symlink(".smec", os.path.join(folder, ".smec"))
    found, err = used()
    tally.check(found == ["home/.cache/smec"] and "'.smec' is not used: " in err, f"a link to itself: {found}, {err}")
    os.remove(os.path.join(folder, ".smec"))
    if os.geteuid() == 0:
        os.mkdir(os.path.join(folder, ".smec"), 0o755)
        os.chown(os.path.join(folder, ".smec"), 12345, -1)
        found, err = used()
        tally.check(found == ["home/.cache/smec"] and "it belongs to another user (number 12345)" in err, f"another user's: {found}, {err}")
        os.rmdir(os.path.join(folder, ".smec"))


def limit(tally, folder):
    """What was used longest ago goes; what was just made stays."""
    cache = os.path.join(folder, ".smec")
    smec("run", "plain.sme", "-O0", *RUN, cwd=folder)
    old = built(cache)
    for path in fileNames(cache):
        os.utime(path, (1000, 1000))
    write(folder, "new.sme", DESIGN)
    tally.equal(smec("run", "new.sme", "-O0", *RUN, cwd=folder, env={"SMEC_CACHE_SIZE": "1K"})[:2], (0, WANTED), "a small cache")
    tally.check(len(built(cache)) == 1 and built(cache) != old, f"the old one is gone: {old}, {built(cache)}")
    tally.check(not any(name.startswith("plain-") for name in os.listdir(cache)), "and its build folder")
    err = smec("run", "new.sme", "-O1", *RUN, cwd=folder, env={"SMEC_CACHE_SIZE": "much"})[2]
    tally.check("warning: SMEC_CACHE_SIZE is 'much', not a size as 500M or 2G\n" in err, err)


def clean(tally, folder):
    cache = os.path.join(folder, ".smec")
    shutil.rmtree(cache, ignore_errors=True)
    tally.equal(smec("clean", cwd=folder), (0, "nothing to remove: no cache in '.smec'\n", ""), "nothing there")
    smec("run", "plain.sme", "-O0", *RUN, cwd=folder)
    other = os.path.join(folder, "other")
    os.mkdir(other)
    write(other, "mine", "x")
    os.symlink(other, os.path.join(cache, "link"))
    os.symlink(other, os.path.join(cache, "entries", "built-link"))
    work = next(name for name in os.listdir(cache) if name.startswith("plain-"))
    os.symlink(other, os.path.join(cache, work, "link"))
    write(os.path.join(cache, work), "notes.txt", "mine")
    status, out, _ = smec("clean", "--older", "1", cwd=folder)
    tally.check((status, out) == (0, "removed 0 entries, 0 kB, from '.smec'\n"), out)
    tally.equal(smec("run", "plain.sme", "-O0", *RUN, cwd=folder)[:2], (0, WANTED), "what is new stays")
    status, out, _ = smec("clean", cwd=folder)
    tally.check(status == 0 and re.fullmatch(r"removed 4 entries, [\d.]+ [kM]B, from '.smec'; 2 that smec did not make stay\n", out), out)
    tally.equal(sorted(os.path.relpath(path, cache) for path in fileNames(cache)), [".smec-folder", f"{work}/notes.txt"], "files that stay")
    tally.equal(read(os.path.join(other, "mine")), "x", "nothing behind links goes")
    shutil.rmtree(cache)

    smec("compile", "plain.sme", "-O0", "--build-dir", "built", "-o", "program", cwd=folder)
    tally.check(not os.path.exists(cache), "what a build folder needs lies in it")
    write(os.path.join(folder, "built"), "mine.sme", DESIGN)
    write(os.path.join(folder, "built"), "mine.o", "x")
    status, out, _ = smec("clean", "built", cwd=folder)
    tally.check(status == 0 and out.endswith("from 'built'; 2 that smec did not make stay\n"), out)
    tally.equal(sorted(os.listdir(os.path.join(folder, "built"))), ["mine.o", "mine.sme"], "a build folder")
    tally.equal(smec("clean", "built", cwd=folder), (2, "", "smec: error: 'built' is not smec's: it has no '.smec-folder'\n"), "no build folder")


def main():
    tally = Tally()
    environment = {"REAL_CXX": os.environ.get("CXX") or "g++", "CCACHE_DISABLE": "1"}
    steps = {"history": history, "together": together, "places": places, "limit": limit, "clean": clean, "swapped": swapped, "library": library,
             "processor": processor}
    for name in sys.argv[1:] or ["plain", "verilog", *steps]:
        with support.scratch() as folder:
            write(folder, "plain.sme", DESIGN)
            if name == "plain":
                damageAll(tally, folder, "plain.sme", WANTED, os.path.join(folder, ".smec"))
            elif name == "verilog":
                if shutil.which(os.environ.get("SMEC_YOSYS", "yosys")):
                    write(folder, "addr.v", VERILOG)
                    write(folder, "mixed.sme", MIXED)
                    damageAll(tally, folder, "mixed.sme", WANTED_MIXED, os.path.join(folder, ".smec"))
            elif name in ("history", "together"):
                steps[name](tally, folder, environment)
            else:
                steps[name](tally, folder)
    tally.end()


main()
