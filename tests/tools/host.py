#!/usr/bin/env python3
"""`smec run` starts a host with the code and the model of a design, which are files of their own; what says so is told from what does not."""
import os
import subprocess

from support import Tally, read, scratch, smec, write

PROGRAM = """const list: [600]u32 = [{numbers}];
proc p(out y)
    var n: u32;
{{
    y.v = list[n % 600];
    trace("{{}} of {{}}", n, list[(n * 7) % 600]);
    n = n + 1;
    assert(n < 9, "too much: {{}}", n);
}}
network top() {{
    exposed bus y {{ v: u32; }};
    instance a of p(y);
}}
""".format(numbers=", ".join(str(i * i) for i in range(600)))
HOST = os.path.join(os.environ["SMEC_BINARY_DIR"], "lib", "sme_host")


def run(words, cwd):
    """Status, standard output and standard error."""
    done = subprocess.run(words, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout, done.stderr


def entry(folder, name):
    """The folder of the one entry with a file."""
    found = [at for at, _, files in os.walk(os.path.join(folder, ".smec", "entries")) if name in files]
    return found[0] if len(found) == 1 else None


def alike(tally, folder):
    """Apart as in one piece: output, status, what fails and what it says of itself."""
    status, _, err = smec("compile", "-q", "-O0", "main.sme", "-o", "sim", "--build-dir", "whole", cwd=folder)
    tally.equal(status, 0, f"a program: {err}")
    for words in (["--cycles", "5", "--trace", "-", "--quiet"], ["--cycles", "20", "--quiet"], ["--list"], ["--cycles", "3", "--print", "y.v", "--quiet"],
                  ["--cycles", "3", "--ranks", "2", "--threads", "1", "--quiet"]):
        apart, whole = smec("run", "-O0", "main.sme", *words, cwd=folder), run(["./sim", *words], cwd=folder)
        tally.equal((apart[0], apart[1], apart[2].replace("simulator:", "sim:")), whole, f"{words}")


def damage(tally, folder):
    """The host by itself says which file is wrong, and where."""
    at = entry(folder, "design.so")
    tally.check(at is not None, "code is kept without a program")
    if at is None:
        return
    tally.equal(sorted(name for name in os.listdir(at) if name != "note.json"), ["design.so", "model.bin"], "what is kept")
    code, model = os.path.join(at, "design.so"), os.path.join(at, "model.bin")
    with open(model, "rb") as f:
        whole = f.read()
    for words in (["--help"], ["--version"]):
        host, program = run([HOST, code, model, *words], cwd=folder), run(["./sim", *words], cwd=folder)
        tally.equal((host[0], host[1].replace("sme_host", "sim"), host[2]), program, f"{words}")
    tally.equal(run([HOST, code, model, "--cycles", "2", "--quiet"], cwd=folder)[:2], (0, "0 of 0\n1 of 49\n"), "the host")
    for name, content, wanted in (("short", whole[:100], "'short' is damaged at byte 100"), ("flipped", whole[:-1] + bytes([whole[-1] ^ 1]), "it is not what was written"),
                                  ("none", b"", "'none' is damaged at byte 0"), ("text", b"x" * 4096, "it is no model")):
        with open(os.path.join(folder, name), "wb") as f:
            f.write(content)
        status, out, err = run([HOST, code, name], cwd=folder)
        tally.check((status, out) == (2, "") and err.startswith(f"sme_host: error: '{name}'") and wanted in err, f"{name}: {status}, {out!r}, {err}")
    write(folder, "other.sme", PROGRAM.replace("network top", "network other"))
    tally.equal(smec("compile", "--loadable", "-q", "-O0", "other.sme", cwd=folder), (0, "", ""), "two files")
    tally.equal(run([HOST, "./other.so", "other.bin", "--cycles", "2", "--quiet"], cwd=folder)[:2], (0, "0 of 0\n1 of 49\n"), "which the host takes")
    status, out, err = run([HOST, code, "other.bin"], cwd=folder)
    tally.equal((status, out, err), (2, "", f"sme_host: error: 'other.bin' is the model of 'other', but '{code}' is of 'top'\n"), "a model of another design")
    for words, wanted in (([HOST, code, "missing"], "cannot read 'missing': "), ([HOST, model, model], "error: "), ([HOST, code, folder], "it is no file"), ([HOST], "usage: ")):
        status, out, err = run(words, cwd=folder)
        tally.check((status, out) == (2, "") and wanted in err, f"{words}: {status}, {err}")


def versions(tally, folder):
    """Code and model of two versions do not go together, however many functions they have; what differs in the model alone is one version of the code."""
    changes = {"a": ("", ""), "constant": ("n * 7", "n * 5"), "step": ("n = n + 1", "n = n + 2"), "table": ("[0, 1, 4", "[0, 1, 5"), "text": ("{} of {}", "{} off {}"),
               "line": ("proc", "\n// moved\nproc"), "start": ("var n: u32", "var n: u32 = 3")}
    for name, (old, new) in changes.items():
        write(folder, f"{name}.sme", PROGRAM.replace(old, new))
        tally.equal(smec("compile", "--loadable", "-q", "-O0", f"{name}.sme", cwd=folder), (0, "", ""), name)
    for name, first in (("a", "0 of 0\n"), ("text", "0 off 0\n"), ("line", "0 of 0\n"), ("start", "3 of 441\n")):
        tally.equal(run([HOST, "./a.so", f"{name}.bin", "--cycles", "1", "--quiet"], cwd=folder)[:2], (0, first), f"the model alone differs: {name}")
    for code, model in (("a", "constant"), ("constant", "a"), ("a", "step"), ("a", "table"), ("table", "step")):
        wanted = f"sme_host: error: '{model}.bin' is of another version of 'top' than './{code}.so'; compile the design again\n"
        tally.equal(run([HOST, f"./{code}.so", f"{model}.bin", "--cycles", "1"], cwd=folder), (2, "", wanted), f"{code}.so and {model}.bin")


def inTwoFiles(tally, folder):
    """Where they come to lie, what is in their way, and that what `smec run` has made serves."""
    tally.equal(smec("run", "main.sme", "-O0", "--cycles", "1", "--quiet", cwd=folder)[0], 0, "run")
    at = entry(folder, "simulator"), {p for p, _, files in os.walk(os.path.join(folder, ".smec", "entries")) if "design.so" in files}
    tally.equal(smec("compile", "--loadable", "-q", "-O0", "main.sme", "-o", "made.so", cwd=folder), (0, "", ""), "what run made")
    tally.equal((entry(folder, "simulator"), {p for p, _, files in os.walk(os.path.join(folder, ".smec", "entries")) if "design.so" in files}), at, "is taken")
    tally.check(all(os.path.exists(os.path.join(folder, name)) for name in ("made.so", "made.bin")), "two files")
    write(folder, "mine.bin", "mine")
    for words, wanted in ((("-o", "mine.so"), "'mine.bin', the model beside the code, is there and not smec's"), (("-o", "x.bin"), "'x.bin' is the name of the model"),
                          (("--lib",), "--lib")):
        status, out, err = smec("compile", "--loadable", "-q", "-O0", "main.sme", *words, cwd=folder)
        tally.check((status, out) == (2, "") and wanted in err, f"{words}: {status}, {err}")
    tally.equal(read(os.path.join(folder, "mine.bin")), "mine", "it stays")
    status, _, err = smec("run", "--loadable", "main.sme", cwd=folder)
    tally.check(status == 2 and "--loadable" in err, err)


def inOnePiece(tally, folder):
    """Who brings C++ or flags of his own gets a program; one that is there serves."""
    write(folder, "own.hpp", "inline unsigned twice(unsigned x) { return 2 * x; }\n")
    write(folder, "own.sme", 'extern func twice(x: u32): u32 from "own.hpp";\nproc p() { trace("{}", twice(4)); }\nnetwork top() { instance a of p(); }\n')
    own = "own.sme", "-O0", "--cycles", "1", "--quiet"
    tally.equal(smec("run", *own, cwd=folder)[:2], (0, "8\n"), "C++ of the user's")
    tally.check(entry(folder, "simulator") is not None, "is in a program")
    write(folder, "plain.sme", 'proc p() { trace("{}", 8); }\nnetwork top() { instance a of p(); }\n')
    tally.equal(smec("run", "plain.sme", "-O0", "--cxxflag=-g", "--cycles", "1", "--quiet", cwd=folder)[:2], (0, "8\n"), "flags of the user's")
    tally.equal(smec("compile", "-q", "plain.sme", "-O1", "-o", "plain", cwd=folder)[0], 0, "a program")
    environment = {**os.environ, "CXX": os.environ.get("CXX", "g++"), "CCACHE_DISABLE": "1"}
    before = {at for at, _, files in os.walk(os.path.join(folder, ".smec", "entries")) if "design.so" in files}
    done = subprocess.run([os.environ["SMEC"], "run", "plain.sme", "-O1", "--cycles", "1", "--quiet"], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    tally.equal((done.returncode, done.stdout), (0, "8\n"), f"after it: {done.stderr}")
    after = {at for at, _, files in os.walk(os.path.join(folder, ".smec", "entries")) if "design.so" in files}
    tally.equal(before, after, "which is not built once more")


def edited(tally, folder):
    """Texts and lines are tables: what differs in them alone compiles and links nothing."""
    folder = os.path.join(folder, "edited")
    os.mkdir(folder)
    words = "run", "main.sme", "-O0", "--build-dir", "b", "--cycles", "1", "--quiet"
    write(folder, "main.sme", PROGRAM)
    tally.equal(smec(*words, cwd=folder)[:2], (0, "0 of 0\n"), "new")
    log, code = read(os.path.join(folder, "b", ".ninja_log")), os.stat(os.path.join(folder, "b", "design.so")).st_mtime_ns
    write(folder, "main.sme", "// a line\n" + PROGRAM)
    tally.equal(smec(*words, cwd=folder)[:2], (0, "0 of 0\n"), "moved")
    tally.equal((read(os.path.join(folder, "b", ".ninja_log")), os.stat(os.path.join(folder, "b", "design.so")).st_mtime_ns), (log, code), "nothing was built")
    failing = "run", "main.sme", "-O0", "--build-dir", "b", "--cycles", "20", "--quiet"
    tally.check("main.sme:8:5" in smec(*failing, cwd=folder)[2] or "main.sme:9:5" in smec(*failing, cwd=folder)[2], "places are the new ones")


def main():
    tally = Tally()
    with scratch() as folder:
        write(folder, "main.sme", PROGRAM)
        for check in alike, damage, versions, edited, inTwoFiles, inOnePiece:
            check(tally, folder)
    tally.end()


if __name__ == "__main__":
    main()
