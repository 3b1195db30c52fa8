#!/usr/bin/env python3
"""--explain and --explain-json: what was decided for which process, and why not; docs/decisions.md says what they do."""
import json
import os

from support import ROOT, Tally, scratch, smec, write

DESIGN = """proc fetch(out o) var n: u8; { n += 1; o.v = n; }
async proc decode(in i, out o) { o.v = u8(i.v ^ 85); }
proc cell(in i, out o) var s: u16; { s = u16(s * 3 + i.v); o.v = u8(s); }
network top()
{
    bus f { v: u8; };
    bus d { v: u8; };
    bus r[40] { v: u8; };
    instance a of fetch(f);
    instance b of decode(f, d);
    generate k = 0 until 40 { instance c[k] of cell(d, r[k]); }
}
"""
FIELDS = {"rule", "subject", "taken", "count", "found", "threshold", "sense", "unit", "because", "sentence"}
WHOLE = "the design is not one block of straight-line code: "


def explain(folder, *words, command="compile", file="d.sme"):
    return smec(command, "-Wno-unread", "--no-build", *words, file, cwd=folder)


def choices(folder, *words, file="d.sme"):
    status, out, err = explain(folder, "--explain-json", "-", *words, file=file)
    return json.loads(out)["choices"] if status == 0 else err


def sentences(tally, folder):
    status, out, err = explain(folder, "--explain")
    lines = err.splitlines()
    tally.equal((status, out), (0, ""), "sentences go to standard error")
    tally.check(lines[0].startswith(WHOLE) and "statements of processes with many instances, at most" in lines[0], f"why there is no block of all: {lines[:1]}")
    tally.check("'c[0]' (one of 40) is computed in lanes, several instances at once: 40 instances, at least 16" in lines, f"lanes: {err}")
    tally.check("'a' is written out, instance by instance: 1 instance, less than 4" in lines, f"straight code: {err}")
    tally.equal(len(lines), len(set(lines)), "each is there once")
    tally.equal(explain(folder, "--explain", "--explain")[2], err, "all processes, twice")
    off = explain(folder, "--explain", "--without", "lanes")[2]
    tally.check("the design is computed one instance after the other: left out by --without\n" in off, f"left out: {off}")
    tally.equal(explain(folder, "--explain", "--no-simd")[2], off, "--no-simd is --without lanes")


def globs(tally, folder):
    err = explain(folder, "--explain=c[[]3[]]")[2]
    tally.check("'c[3]' (one of 40) is computed" in err and "'a'" not in err and WHOLE in err, f"of one process: {err}")
    both = explain(folder, "--explain=a", "--explain=b")[2]
    tally.check("'a' " in both and "'b' " in both and "'c[" not in both, f"two globs: {both}")
    status, out, err = explain(folder, "--explain=fetcher")
    tally.equal((status, out, err), (0, "", "smec: warning: --explain 'fetcher' matches no process; 'smec graph' draws them\n"), "a glob without a process")
    status, _, err = explain(folder, "--explain=c[4]", "--explain=c[41]")
    tally.check(status == 0 and err.startswith("smec: warning: --explain 'c[41]' matches no process; did you mean 'c[") and "'c[4]' (one" in err, f"one of two: {err}")


def as_json(tally, folder):
    rows = choices(folder)
    tally.check(all(set(row) == FIELDS for row in rows), "fields of rows")
    told = explain(folder, "--explain")[2].splitlines()
    tally.equal([row["sentence"] for row in rows], told, "the sentences of both")
    whole = next(row for row in rows if row["rule"] == "whole-block")
    tally.equal((whole["taken"], whole["sense"], whole["unit"], whole["subject"]["kind"], whole["subject"]["name"]),
                (False, "at most", "statements of processes with many instances", "design", "top"), "a refusal")
    tally.check(whole["found"] > whole["threshold"] and whole["because"] in whole["sentence"], f"its numbers: {whole}")
    cell = next(row for row in rows if row["subject"]["name"] == "c[0]")["subject"]
    tally.equal((cell["kind"], cell["alike"], cell["line"], os.path.basename(cell["file"])), ("process", 40, 3, "d.sme"), "a process")
    tally.equal({row["subject"]["name"] for row in choices(folder, "--explain=a") if row["subject"]["kind"] == "process"}, {"a"}, "of a glob")
    tally.equal(choices(folder, "--explain=nobody"), [], "of a glob without a process")
    plain = next(row for row in rows if row["found"] is None)
    tally.equal((plain["threshold"], plain["sense"], plain["unit"], plain["because"]), (None, None, None, ""), "nothing had to be found")


def files(tally, folder):
    status, out, err = explain(folder, "--explain-json", "d.json")
    with open(os.path.join(folder, "d.json"), encoding="utf-8") as file:
        tally.equal((status, out, err, json.load(file)["design"]), (0, "", "", "top"), "a file")
    status, _, err = explain(folder, "--explain-json", "d.sme")
    tally.check(status == 2 and "d.sme" in err, f"not over the source: {err}")
    with open(os.path.join(folder, "d.sme"), encoding="utf-8") as file:
        tally.equal(file.read(), DESIGN, "which stays")
    status, _, err = explain(folder, "--explain-json", "x.d", "-MMD", "-MF", "x.d")
    tally.equal((status, err.splitlines()[:1]), (2, ["smec: error: -MF and --explain-json name one file, 'x.d'"]), "nor over what -MF names")
    status, _, err = smec("compile", "-Wno-unread", "-o", "x", "--explain-json", "./x", "d.sme", cwd=folder)
    tally.equal((status, err.splitlines()[:1]), (2, ["smec: error: -o and --explain-json name one file, 'x'"]), "nor over the simulator")


def stages(tally, folder):
    for stage in ("ir", "plan", "cpp"):
        status, out, err = explain(folder, "--explain=c*", "--emit", stage)
        tally.check(status == 0 and out and (stage == "ir" or "'c[0]' (one of 40) " in err), f"with --emit {stage}: {err}")
        tally.equal(out, explain(folder, "--emit", stage)[1], f"--emit {stage} is as without")
    for stage in ("ast", "hir", "graph"):
        status, _, err = explain(folder, "--explain", "--emit", stage)
        tally.equal((status, err.splitlines()[0]), (2, f"smec: error: --explain tells what is decided behind '--emit {stage}'; give ir, plan or cpp"), stage)
    status, _, err = smec("run", "--interpret", "--explain", "d.sme", cwd=folder)
    tally.check(status == 2 and err.startswith("smec: error: --explain tells what becomes C++"), f"interpreter: {err}")
    for command in ("check", "verify", "bench", "export"):
        tally.equal(smec(command, "--explain", "d.sme", cwd=folder)[0], 2, f"{command} takes none")


def model(folder, name, *words):
    """The text of model.bin."""
    smec("compile", "-Wno-unread", "--no-build", "--build-dir", name, *words, "d.sme", cwd=folder)
    with open(os.path.join(folder, name, "model.bin"), encoding="latin-1") as file:
        return file.read().replace("\0", "\n")


def refusals(tally, folder):
    """What a simulator's --report text tells at its end stands in its model."""
    out = model(folder, "one")
    tally.check(WHOLE in out and "100.0 %  " in out, "the dearest refusal is in the model")
    dear = [line for line in out.splitlines() if " %  " in line]
    tally.check(0 < len(dear) <= 3, f"three at most: {dear}")
    off = model(folder, "other", "--without", "lanes")
    tally.check(WHOLE in off and "left out" not in off, "what is left out is no refusal of smec's")


def rules(tally):
    """Each rule is told of somewhere; what was found agrees with the threshold as its sense says."""
    holds = {"is": lambda a, b: a == b, "at most": lambda a, b: a <= b, "less than": lambda a, b: a < b, "at least": lambda a, b: a >= b, "more than": lambda a, b: a > b}
    paths = ("tests/golden/whole", "tests/golden/kernels", "tests/lang/statements/many_instances_memories", "tests/lang/structure/levels", "examples/12_mesh/mesh",
             "tests/lang/model/held_memory", "tests/lang/structure/neighbours_ready", "tests/lang/failures/checks_in_torus")
    for path in paths:
        rows = choices(ROOT, file=path + ".sme")
        tally.check(isinstance(rows, list) and rows, f"choices of {path}: {rows}")
        for row in rows:
            if row["found"] is not None:
                tally.equal(holds[row["sense"]](row["found"], row["threshold"]), row["taken"], f"{path}: {row['sentence']}")


def main():
    tally = Tally()
    with scratch() as folder:
        write(folder, "d.sme", DESIGN)
        sentences(tally, folder)
        globs(tally, folder)
        as_json(tally, folder)
        files(tally, folder)
        stages(tally, folder)
        refusals(tally, folder)
    rules(tally)
    tally.end()


main()
