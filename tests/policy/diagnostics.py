#!/usr/bin/env python3
"""Every message of diagnostics.def has a test.

Errors and warnings: some program below tests/ provokes it (`smec check` is run over all of them), or a unit test names DiagId::Id or
quotes its [name]; so may a script. Notes: some program shows it, a unit test names it, or a script quotes it.
"""
import concurrent.futures
import glob
import json
import os
import re
import subprocess
import sys

# Guards after checks that come first: no program reaches them today.
UNREACHED = {"NotConstantValue"}
ROOT, SMEC = os.environ["SMEC_SOURCE_DIR"], os.environ["SMEC"]


def messages():
    with open(os.path.join(ROOT, "compiler", "diag", "diagnostics.def"), encoding="utf-8") as f:
        text = f.read()
    found = {m.group(2): (m.group(1), m.group(3)) for m in
             re.finditer(r'^(ERROR|WARNING)\((\w+),\s*"([^"]+)"', text, re.M)}
    notes = {m.group(1): m.group(2) for m in re.finditer(r'^NOTE\((\w+),\s*"((?:[^"\\]|\\.)*)"', text, re.M)}
    return found, notes


def provoked(path):
    args = []
    with open(path, encoding="utf-8", errors="replace") as f:
        for line in f:
            m = re.match(r"//\s*args:\s*(.*)$", line)
            if m:
                words = m.group(1).split()
                for i, w in enumerate(words):
                    if w in ("-G", "--top", "-I", "--unwritten"):
                        args += words[i:i + 2]
                    elif w.startswith(("-G", "-W", "--unchecked", "--smeil")):
                        args.append(w)
    p = subprocess.run([SMEC, "check", path, "--diagnostics", "json", "--error-limit", "1000"] + args, stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    names, notes = set(), set()
    for line in p.stderr.decode("utf-8", "replace").splitlines():
        try:
            d = json.loads(line)
        except ValueError:
            continue
        names.add(d.get("id"))
        notes.update(n.get("message", "") for n in d.get("notes", []))
    return names, notes


def expects(path):
    """Whether a program says what is to be told of it, or is there for its grammar alone."""
    with open(path, encoding="utf-8", errors="replace") as f:
        return os.path.basename(os.path.dirname(path)) == "corpus" or re.search(r"expect-(error|warning)", f.read()) is not None


def untested(found, notes, names, noteTexts, unit):
    missing = [f"{kind.lower()} {ident} [{name}]" for ident, (kind, name) in found.items()
               if name not in names and ident not in UNREACHED and not re.search(rf"DiagId::{ident}\b", unit) and f"[{name}]" not in unit and f'"{name}"' not in unit]
    for ident, text in notes.items():
        shown = {"{}": ".*", "{{": r"\{", "}}": r"\}"}  # in the texts of fmt
        pattern = re.compile("".join(shown.get(part, re.escape(part)) for part in re.split(r"(\{\}|\{\{|\}\})", text)))
        if not any(pattern.fullmatch(t) for t in noteTexts) and not re.search(rf"DiagId::{ident}\b", unit) and text not in unit:
            missing.append(f"note {ident}")
    return missing


def main():
    found, notes = messages()
    unit = ""
    for pattern in ("*.cpp", "*.py"):
        for path in glob.glob(os.path.join(ROOT, "tests", "**", pattern), recursive=True):
            with open(path, encoding="utf-8") as f:
                unit += f.read()
    programs = glob.glob(os.path.join(ROOT, "tests", "**", "*.sme"), recursive=True)
    names, noteTexts, missing = set(), set(), []
    for expected in (True, False):  # the others are asked where something is missing
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for n, t in pool.map(provoked, [path for path in programs if expects(path) == expected]):
                names |= n
                noteTexts |= t
        missing = untested(found, notes, names, noteTexts, unit)
        if not missing:
            break
    for text in missing:
        print("no test for", text)
    print(f"{len(found) + len(notes) - len(missing)} passed, {len(missing)} failed")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
