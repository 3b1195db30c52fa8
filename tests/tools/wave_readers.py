#!/usr/bin/env python3
"""Readers that others wrote find in waves what CSV says: wellen, Surfer's, for FST and VCD, and pyvcd.

Both come from PyPI into a virtual environment in the build tree. Where they cannot be had the test is skipped (77) and says so."""
import os
import subprocess
import sys

from support import ROOT, Tally, read, scratch, smec

sys.path.insert(0, os.path.join(ROOT, "tests", "support"))
from waves import isSame

PACKAGES = ["pywellen==0.25.7", "pyvcd==0.5.1"]
TREE = os.path.join(os.environ["SMEC_BINARY_DIR"], "wave-readers")
DESIGN = os.path.join(ROOT, "tests", "tools", "waves.sme")
CYCLES, PERIOD = 200, 10

# Prints the signals of a file: name, kind, names of values, changes. Wellen has a scope for each array: held[3] is held.[3] in it.
READ = """
import sys
path = sys.argv[1]
if sys.argv[2] == "wellen":
    import pywellen
    wave = pywellen.Waveform(path)
    for var in wave.all_vars():
        kind = "string" if var.is_string else "real" if var.is_real else "wire"
        names = {int(bits, 2): name for bits, name in var.enum_type[1]} if var.enum_type else {}
        print(repr((var.full_name.replace(".[", "["), kind, var.bitwidth or 64, names, list(tuple(change) for change in var.tv))))
else:
    from vcd.reader import TokenKind, tokenize
    scopes, signals, now = [], {}, 0
    with open(path, "rb") as f:
        for token in tokenize(f):
            if token.kind is TokenKind.SCOPE:
                scopes.append(token.data.ident)
            elif token.kind is TokenKind.UPSCOPE:
                scopes.pop()
            elif token.kind is TokenKind.VAR:
                var = token.data
                signals[var.id_code] = (".".join(scopes + [var.reference]), var.type_.value, var.size, {}, [])
            elif token.kind is TokenKind.CHANGE_TIME:
                now = token.data
            elif token.kind in (TokenKind.CHANGE_SCALAR, TokenKind.CHANGE_VECTOR, TokenKind.CHANGE_REAL, TokenKind.CHANGE_STRING):
                change = token.data
                value = change.value
                signals[change.id_code][4].append((now, int(value, 2) if isinstance(value, str) and token.kind is not TokenKind.CHANGE_STRING else value))
    for signal in signals.values():
        print(repr(signal))
"""


def python():
    """The environment's, made where it is missing."""
    path = os.path.join(TREE, "bin", "python")
    mark = os.path.join(TREE, " ".join(PACKAGES))
    if os.path.exists(mark):
        return path
    for command in ([sys.executable, "-m", "venv", TREE],
                    [path, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--timeout", "15", "--retries", "1", *PACKAGES]):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", timeout=200, check=False)
        if done.returncode != 0:
            print(f"skipped: {PACKAGES} cannot be installed from PyPI, so no other reader looked at waves: {done.stdout.strip().splitlines()[-1:]}")
            sys.exit(77)
    with open(mark, "w", encoding="utf-8"):
        return path


def signals(path, reader):
    done = subprocess.run([python(), "-c", READ, path, reader], stdout=subprocess.PIPE, encoding="utf-8", timeout=100, check=True)
    return [eval(line) for line in done.stdout.splitlines()]


def differences(csv, found):
    """Between CSV and what a reader found, in the order of the files; the last part of a name is the same in both."""
    header, *rows = [line.split(",") for line in csv.splitlines()]
    found = [signal for signal in found if not signal[0].endswith((".clk", ".wait"))]
    if len(found) != len(header) - 1:
        yield f"{len(found)} signals of {len(header) - 1}"
        return
    for column, (name, kind, width, names, changes) in enumerate(found, 1):
        if header[column].split(".")[-1] != name.split(".")[-1]:
            yield f"{name} where {header[column]} stands"
        at = 0
        for row in rows:
            while at + 1 < len(changes) and changes[at + 1][0] <= int(row[0]) * PERIOD:
                at += 1
            value = changes[at][1]
            if not isSame(row[column], value, "enum" if names else kind, width, names):
                yield f"{name}, cycle {row[0]}: {row[column]} in CSV, {value!r} in waves"
                break


def main():
    tally = Tally()
    with scratch() as folder:
        status, _, err = smec("run", "-O0", "-Wno-unread", DESIGN, "--cycles", str(CYCLES), "--quiet", "--trace-all", "--trace", "a.csv", "--trace", "a.vcd",
                              "--trace", "a.fst", "--trace-elements", "1000", cwd=folder)
        tally.equal(status, 0, err)
        csv = read(os.path.join(folder, "a.csv"))
        for name, reader in (("a.fst", "wellen"), ("a.vcd", "wellen"), ("a.vcd", "pyvcd")):
            problems = list(differences(csv, signals(os.path.join(folder, name), reader)))
            tally.equal(problems[:3], [], f"{name} as {reader} reads it, {len(problems)} problems")
    tally.end()


main()
