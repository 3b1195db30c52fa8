#!/usr/bin/env python3
"""Looking at a design runs nothing of its author's, whatever bytes names and values have.

Each name and value tries to make a file, the canary, as the shell, Yosys, Ninja, make, gnuplot, Verilog and C++ would have it; it must not be there in the
end. What smec does instead is its work, or to refuse with a message (1 or 2): never an internal error.
"""
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "judge"))
from sample import sampled  # noqa: E402
from support import SMEC, Tally, read, scratch, smec, write

PROGRAM = """type wire: bus { v: bool; };
proc p(in x: wire, out y: wire) { y.v = x.v; if (cycle() == 3) { stop; } }
network top(in x: wire, out y: wire) { instance _ of p(x, y); }
"""
VERILOG = '`include "part.vh"\nmodule m #(parameter N = 0) (input clk, input d, output reg q); reg [7:0] r [0:3];\n' \
          'initial $readmemh("r.hex", r);\nalways @(posedge clk) q <= d ^ `FLIP ^ r[N][0]; endmodule\n'
# A canary's name has no slash, blank or other sign, so that it can stand in a file's name as well.
PARTS = ["x m.v; exec -- touch CANARY; #", "1 m.v;tee -o CANARY help exec;#", "x m.v\n!touch CANARY\n#", 'x"\n!touch CANARY\n#', "x; exec -- touch CANARY; #", "x;tee -o CANARY help exec;#", "$(touch CANARY)", "`touch CANARY`", "x'; touch CANARY; '",
         "x\n  command = touch CANARY\n", "x\r!touch CANARY\r", "x|touch CANARY", "x && touch CANARY", "x\\\n!touch CANARY", "x\n all:\n\ttouch CANARY\n",
         "x\ninitial $system(\"touch CANARY\");\n", "x*", "x?[y]", "-x", "--help", "#x", "%x", "{x}", "{{}}", "~x", "+x", "a b", "a\tb", "!touch CANARY",
         "x<<EOT", "<x>", "x:y=z", "$x", "${x}", "\\", "x\\", "\x7f\x1b[31m", "\u00e9", "*/ #include <x> /*", "??/\n#error"]
TRIED = sampled(PARTS)


class Place:
    """A folder with a design in Verilog and one in smec, as new."""

    def __init__(self, folder):
        self.folder, self.number = folder, 0

    def new(self):
        self.number += 1
        path = os.path.join(self.folder, f"d{self.number}")
        os.mkdir(path)
        write(path, "main.sme", PROGRAM)
        core(path)
        return path


def core(folder, name="m.v"):
    with open(os.path.join(os.fsencode(folder), os.fsencode(name)), "w", encoding="utf-8") as f:
        f.write(VERILOG)
    write(folder, "part.vh", "`define FLIP 1\n")
    write(folder, "r.hex", "1 2 3 4\n")


def run(*words, cwd, env=None):
    p = subprocess.run([os.fsencode(w) for w in (SMEC, *words)], cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120,
                       check=False, env=dict(os.environ, **(env or {})))
    return p.returncode, p.stdout.decode("utf-8", "replace"), p.stderr.decode("utf-8", "replace")


def tame(tally, path, what, status, err, good=(0, 1, 2)):
    found = [os.path.join(at, n) for at, _, names in os.walk(path) for n in names if n == "CANARY"]
    tally.check(not found, f"{what}: a canary")
    tally.check(status in good and "internal error" not in err and "Traceback" not in err, f"{what}: {status} {err}")


def asName(text):
    return text.replace("/", "")


def verilogNames(tally, place):
    """Files and folders of Verilog are read, however they are called."""
    texts = [asName(p) for p in TRIED] + [chr(c) for c in b"\n\r\t\"';$!\\`#%{}|&<>*?[]~^:=,@ "]
    for text in texts:
        path = place.new()
        core(path, text + ".v")
        status, _, err = run("check", "--", text + ".v", cwd=path)
        tame(tally, path, f"a file {text!r}", status, err, (0,))
        if len(text) == 1 and text not in "\n;:|":
            continue
        os.mkdir(os.path.join(path, "d" + text))
        core(os.path.join(path, "d" + text), "part.v")
        status, _, err = run("check", f"d{text}/part.v", cwd=path)
        tame(tally, path, f"a folder {text!r}", status, err, (0,))
    path = place.new()
    core(path, 'a"b;.v')
    write(path, 'a"b;.v', "module m(input d, output q);\n  assign q = nosuch(d);\nendmodule\n")
    status, _, err = run("check", 'a"b;.v', cwd=path)
    tally.check(status == 1 and err.startswith('a"b;.v:2:'), f"a message has the user's name: {err}")


def verilogWords(tally, place):
    """Values of options, on the command line and from lists."""
    path = place.new()
    for text in TRIED:
        for words in (["-D", f"A={text}"], ["-D", f"{text}"], ["-G", f"N={text}"], ["--top", text], ["-I", text], ["-y", text], ["--clock", text],
                      ["--after-reset", text], ["--tie", f"{text}=1"], ["--tie", f"d={text}"], ["--x-initial", text]):
            status, _, err = run("check", "m.v", f"{words[0]}={words[1]}" if words[0].startswith("--") else words[0] + words[1], cwd=path)
            tame(tally, path, f"{words}", status, err)
        write(path, "list.f", f'"+define+A={text}" m.v\n')
        tame(tally, path, f"a list, +define+A={text!r}", *run("check", "-f", "list.f", cwd=path)[::2])
        for name in () if text not in PARTS[:15] else (f"+incdir+{text}", f"-I{text}", f"-y{text}", f"-v{text}.v", f"-D{text}", f"-G{text}", f"-s{text}", f"{text}.v"):
            write(path, "list.f", f"'{name}' m.v\n")
            tame(tally, path, f"a list, {name!r}", *run("check", "-f", "list.f", cwd=path)[::2])
    status, _, err = run("run", "--interpret", "m.v", "-D", "A=x; exec -- touch CANARY; #", "--cycles", "1", cwd=path)
    tally.equal(status, 0, f"a definition of several words: {err}")
    write(path, "s.v", "module m(input d, output [7:0] q); assign q = `SUM; endmodule\n")
    status, out, err = run("import", "s.v", "-D", "SUM=3 + 4", cwd=path)
    tally.check(status == 0 and "q.v = 7;" in out, f"a value with blanks: {out}{err}")


def optionsInLists(tally, place):
    """A word of a list is a file, and no option of smec's."""
    path = place.new()
    os.chmod(write(path, "evil.v", "#!/bin/sh\ntouch CANARY\n"), 0o755)
    for word in "--cxx=./evil.v", "--cxxflag=-fplugin=./x.v", "--build-dir=x.v", "-o=x.v", "-v--cxx=./evil.v", "+incdir+--cxx=./evil.v", "+define+--cxx=./evil.v":
        write(path, "list.f", f"{word}\nm.v\n")
        status, _, err = run("compile", "-O0", "-q", "--top", "m", "-f", "list.f", cwd=path)
        tame(tally, path, f"a list with {word}", status, err)


def foreign(tally, place):
    for text in TRIED:
        path = place.new()
        name = asName(text)
        core(path, name + ".v")
        with open(os.path.join(path, name + ".h"), "w", encoding="utf-8") as f:
            f.write("inline bool f(bool x) { return x; }\n")
        literal = "".join(f"\\x{ord(c):02x}" if c in '"\\\n\r\t' or ord(c) < 32 else c for c in name)
        quoted = name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")
        for spelled in literal, quoted:
            write(path, "v.sme", f'type wire: bus {{ v: bool; }};\nextern proc m(in d: wire, out q: wire) verilog("{spelled}.v");\n'
                  "network top(in d: wire, out q: wire) { instance i of m(d, q); }\n")
            tame(tally, path, f"verilog({name!r})", *run("check", "v.sme", cwd=path)[::2])
            tame(tally, path, f"export of verilog({name!r})", *run("export", "--verilog", "v.sme", "-o", "rtl", cwd=path)[::2])
            write(path, "c.sme", f'extern "{spelled}.h" {{ func f(x: bool) -> bool; }}\n')
            tame(tally, path, f"header {name!r}", *run("check", "c.sme", cwd=path)[::2])


def programs(tally, place):
    """Names of designs, and of what is made of them."""
    for text in TRIED:
        path = place.new()
        name = asName(text) + ".sme"
        write(path, name, PROGRAM)
        for command in (["check"], ["compile", "--emit", "graph"], ["compile", "--emit", "cpp"], ["fmt", "--check"]):
            tame(tally, path, f"{command} of {name!r}", *run(*command, "--", name, cwd=path)[::2])
        status, _, err = run("compile", "--no-build", "--build-dir", "b" + asName(text), "-MMD", "-MF", "rule.d", "--", name, cwd=path)
        tame(tally, path, f"compile --no-build of {name!r}", status, err)
        if shutil.which("make") and os.path.exists(os.path.join(path, "rule.d")):
            subprocess.run(["make", "-n", "-f", "rule.d"], cwd=path, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            made = subprocess.run(["make", "-f", "rule.d"], cwd=path, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
            tame(tally, path, f"the rule of {name!r}: {made.stderr}", 0, "")
        status, _, err = run("export", "--verilog", "--vhdl", "-o", "rtl" + asName(text), "--", name, cwd=path)
        tame(tally, path, f"export of {name!r}", status, err)
        for at, _, names in os.walk(path):
            for file in names:
                if file.endswith((".sv", ".vhd")):
                    tally.check(all(line.lstrip()[:1] != "i" or "$system" not in line for line in read(os.path.join(at, file)).splitlines()),
                                f"{file} of {name!r} has text of the name")


def builds(tally, place):
    """What goes to Ninja and the C++ compiler."""
    path = place.new()
    for text in TRIED:
        for words in (["--cxxflag", text], ["--link", text], ["--cxx", text], ["-I", text], ["-o", asName(text)], ["--march", text]):
            status, _, err = run("compile", "-q", "--no-build", "--build-dir", "b", "main.sme", f"{words[0]}={words[1]}" if words[0][1] == "-" else words[0] + words[1], cwd=path)
            tame(tally, path, f"{words}", status, err, (0, 1, 2, 3))
            if os.path.exists(os.path.join(path, "b", "build.ninja")) and shutil.which("ninja"):
                subprocess.run(["ninja", "-C", "b", "-t", "commands"], cwd=path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
                commands = [line for line in read(os.path.join(path, "b", "build.ninja")).splitlines() if line.strip().startswith("command =")]
                tally.equal(len(commands), 3, f"{words}: the commands of build.ninja")
    for text in "a b|c:d$e", "x; touch CANARY; #":
        path = place.new()
        status, _, err = run("compile", "-O0", "-q", "--build-dir", text, "-o", "out " + text, "main.sme", cwd=path)
        tame(tally, path, f"a build in {text!r}", status, err, (0,))


def notUtf8(tally, place):
    path = place.new()
    for name, text in (b"m\xff.v", VERILOG), (b"p\xff.sme", PROGRAM):
        with open(os.path.join(os.fsencode(path), name), "w", encoding="utf-8") as f:
            f.write(text)
    for words in (["check", b"m\xff.v"], ["check", b"p\xff.sme"], ["compile", "main.sme", b"-oq\xff"], ["check", "main.sme", b"-I\xff"], ["check", "m.v", b"-DA=\xff"],
                  ["compile", "main.sme", b"--cxx=\xff"], ["export", "--verilog", "main.sme", b"-or\xff"], ["check", "--diagnostics", "json", b"p\xff.sme"],
                  ["compile", "--stats=json", b"p\xff.sme"], [b"\xff"], ["check", b"--\xff"]):
        status, _, err = run(*words, cwd=path)
        tally.check(status == 2 and "UTF-8" in err and "\\xff" in err, f"{words}: {status} {err}")
    with open(os.path.join(path, "list.f"), "wb") as f:
        f.write(b"m\xff.v\n")
    status, _, err = run("check", "-f", "list.f", cwd=path)
    tally.check(status == 2 and "UTF-8" in err, f"a list: {status} {err}")
    odd = os.path.join(os.fsencode(path), b"folder\xff")
    os.mkdir(odd)
    core(os.fsdecode(odd))
    write(os.fsdecode(odd), "main.sme", PROGRAM)
    for words in ["check", "m.v"], ["compile", "-O0", "-q", "main.sme"], ["check", "--diagnostics", "json", "main.sme"]:
        status, _, err = run(*words, cwd=odd)
        tally.equal(status, 0, f"{words} in a folder that is not UTF-8: {err}")


def buildFolders(tally, place):
    path = place.new()
    for where in "/", ".", "..", "/tmp", "/usr":
        status, _, err = run("compile", "--no-build", "--build-dir", where, "main.sme", cwd=path)
        tally.check(status == 2 and "is not smec's" in err, f"--build-dir {where}: {status} {err}")
    os.mkdir(os.path.join(path, "empty"))
    for where in "empty", "new", "new", "new/in/it":
        status, _, err = run("compile", "--no-build", "--build-dir", where, "main.sme", cwd=path)
        tally.equal(status, 0, f"--build-dir {where}: {err}")
    os.remove(os.path.join(path, "new", ".smec-folder"))  # of an earlier version
    tally.equal(run("compile", "--no-build", "--build-dir", "new", "main.sme", cwd=path)[0], 0, "a folder of an earlier version")
    os.mkdir(os.path.join(path, "theirs"))
    write(os.path.join(path, "theirs"), ".lock", "")
    tally.equal(run("compile", "--no-build", "--build-dir", "theirs", "main.sme", cwd=path)[0], 2, "a lock is no sign of smec")


def withoutHome(tally, place):
    if not shutil.which("ccache"):
        return
    path = place.new()
    write(path, "file", "")
    for number, env in enumerate(({"HOME": "/nonexistent/\0"[:-1], "CCACHE_DIR": path + "/file/x"}, {"HOME": path + "/file", "CCACHE_DIR": "", "XDG_CACHE_HOME": ""})):
        if not env["CCACHE_DIR"]:
            env = {key: value for key, value in env.items() if value}
        full = {key: value for key, value in os.environ.items() if not key.startswith("CCACHE_") and key != "XDG_CACHE_HOME"}
        p = subprocess.run([SMEC, "compile", "-O0", "-q", "--build-dir", f"home{number}", "main.sme"], cwd=path, env={**full, **env}, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, encoding="utf-8", check=False)
        tally.check(p.returncode == 0 and p.stderr.count("warning: the C++ compiler runs without ccache") == 1, f"{env}: {p.returncode} {p.stderr}")


def pictures(tally, place):
    if not shutil.which("gnuplot"):
        return
    path = place.new()
    for text in "x'; system 'touch CANARY'; '", "`touch CANARY`", "x\nsystem 'touch CANARY'\n":
        write(path, text + ".sme", PROGRAM)
        status, _, err = run("bench", text + ".sme", "-O0", "-q", "--threads", "1", "--models", "m1", "--repeat", "2", "--cycles", "3", "--picture", text + ".svg", cwd=path)
        tame(tally, path, f"a picture of {text!r}", status, err, (0,))


def traces(tally, place):
    """Files that a run writes are made under these very names, and nothing else comes of them."""
    path = place.new()
    for text in TRIED:
        for ending in ".csv", ".vcd", ".fst":
            name = asName(text) + ending
            words = ["run", "--interpret", "--quiet", "main.sme", "--cycles", "2", "--trace-all", f"--trace={name}", f"--checkpoint={asName(text)}.state"]
            status, _, err = run(*words, cwd=path)
            tame(tally, path, f"a trace {name!r}", status, err, (0,))
            tally.check(os.path.exists(os.path.join(path, name)), f"a trace {name!r} is there: {os.listdir(path)}")
        tame(tally, path, f"diff of {text!r}", *run("diff", "--", asName(text) + ".csv", asName(text) + ".vcd", cwd=path)[::2], (0, 1))
    status, _, err = run("run", "-O0", "--quiet", "main.sme", "--cycles", "2", "--trace-all", *(f"--trace={asName(text)}.vcd" for text in PARTS), cwd=path)
    tame(tally, path, "traces of a simulator", status, err, (0,))


def designOf(path, name, spelled):
    """A design around Verilog whose file has a name of the author's, which reads data and an include of such names, too."""
    core(path, name + ".v")
    write(path, name + ".v", VERILOG.replace("input d", "input rst, input d_v").replace("reg q", "reg q_v").replace("q <= d", "q_v <= d_v"))
    write(path, "v.sme", f'type wire: bus {{ v: bool; }};\nextern proc m(in d: wire, out q: wire) verilog("{spelled}.v");\n'
          "network top(in d: wire, out q: wire) { instance i of m(d, q); }\n")


def spelledIn(name):
    return name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")


def made(tally, path, what, goals):
    """What make does in an exported folder, with each tool that is there."""
    for goal, tool in goals:
        if shutil.which(tool) and shutil.which("make"):
            done = subprocess.run(["make", "-s", goal], cwd=path, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace", check=False)
            tame(tally, os.path.dirname(path), f"make {goal} of {what}: {done.stdout}", done.returncode, "", (0, 2) if goal == "lint" else (0,))


HOSTILE = [PARTS[i] for i in (0, 2, 6, 7, 8, 9, 11, 13, 14)]


def exported(tally, place):
    """What an export has beside the modules runs as it is: its folder, files and names are the author's."""
    for number, text in enumerate(HOSTILE):
        path, name = place.new(), asName(text)
        designOf(path, name, spelledIn(name))
        write(path, name + ".sme", read(os.path.join(path, "v.sme")))
        status, _, err = run("export", "--verilog", "-o", "rtl" + name, "--cycles", "4", "--", name + ".sme", cwd=path)
        tame(tally, path, f"export of {name!r}", status, err, (0,))
        made(tally, os.path.join(path, "rtl" + name), f"{name!r}", [("icarus", "iverilog")] + ([("lint", "verilator")] if number == 0 else []))
        status, _, err = run("export", "--vhdl", "-o", "vhdl" + name, "--cycles", "4", "main.sme", cwd=path)
        tame(tally, path, f"export to {name!r}", status, err, (0,))
        made(tally, os.path.join(path, "vhdl" + name), f"VHDL in {name!r}", [("ghdl", "ghdl")] if number < 3 else [])


def verified(tally, place):
    """Test benches are run by the tools, proofs by Yosys."""
    engines = [name for name, tool in (("icarus", "iverilog"), ("ghdl", "ghdl")) if shutil.which(tool)]
    for number, text in enumerate(HOSTILE[::2]):
        path, name = place.new(), asName(text)
        designOf(path, name, spelledIn(name))
        write(path, name + ".sme", read(os.path.join(path, "v.sme")))
        more = ["verilator"] if number == 0 and shutil.which("verilator") else []  # of a design that is Verilog it sees names of smec's alone
        for what, tools in (([name + ".sme"], engines + more), ([name + ".v"], engines)) if engines else ():
            status, out, err = run("verify", "-q", "-O0", "--engines", ",".join(tools), "--cycles", "4", *what, cwd=path)
            tame(tally, path, f"verify of {what}: {out}", status, err, (0,))
        write(path, name + ".ref.sme", read(os.path.join(path, "main.sme")))
        write(path, name + ".ref.v", "module p(input clk, input rst, input x_v, output reg y_v); always @(posedge clk) y_v <= rst ? 0 : x_v; endmodule\n")
        for reference in ".ref.sme", ".ref.v":
            status, out, err = run("verify", "-q", "-Wno-left-out", "--formal=" + name + reference, "--process", "p", "main.sme", cwd=path)
            tame(tally, path, f"a proof by {name + reference!r}: {out}", status, err, (0,))


def brokenCcache(tally, place):
    """Folders of ccache that nobody can write, that hold what is none of its, or that are full: a build does without."""
    if not shutil.which("ccache"):
        return
    path = place.new()
    plain = {key: value for key, value in os.environ.items() if not key.startswith("CCACHE_")}

    def built(what, **more):
        p = subprocess.run([SMEC, "compile", "-O0", "-q", "--build-dir", "b" + what, "-o", "s" + what, "main.sme"], cwd=path, env={**plain, **more}, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, encoding="utf-8", check=False)
        tally.check(p.returncode == 0 and os.path.exists(os.path.join(path, "s" + what)), f"ccache {what}: {p.returncode} {p.stderr}")

    where = os.path.join(path, "cc")
    built("new", CCACHE_DIR=where)
    for at, _, names in os.walk(where):
        for name in names:
            with open(os.path.join(at, name), "r+b") as f:
                f.write(b"\x00damaged\n")
    built("damaged", CCACHE_DIR=where)
    write(where, "ccache.conf", "no_such_key = \x00\nmax_size = many\n")
    built("badly configured", CCACHE_DIR=where)
    os.mkdir(os.path.join(path, "closed"), 0o555)
    built("closed", CCACHE_DIR=os.path.join(path, "closed"))
    built("nothing", CCACHE_DIR="/dev/null")
    built("full", CCACHE_DIR="/dev/full/x")
    built("odd", CCACHE_DIR=os.path.join(path, "x;touch CANARY #\n$(touch CANARY)"))
    tame(tally, path, "folders of ccache", 0, "")


def main():
    tally = Tally()
    with scratch() as folder:
        place = Place(folder)
        tests = [optionsInLists, programs, builds, notUtf8, buildFolders, withoutHome, brokenCcache, pictures, traces]
        if shutil.which("yosys"):
            tests += [verilogNames, verilogWords, foreign, exported, verified]
        only = sys.argv[1:]
        for test in [test for test in tests if not only or test.__name__ in only]:
            test(tally, place)
    tally.end()


main()
