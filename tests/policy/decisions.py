#!/usr/bin/env python3
"""What decisions are made by is data. Each rule of rules/rules.def has its row in docs/decisions.md, with the numbers that stand there
as they are in the numbers.def of their folders; each number has a unit, an origin and a source; a `target.h` has no others. That printers
name none is looked at by printers.py."""
import glob
import os
import re
import sys

ROOT = os.environ["SMEC_SOURCE_DIR"]
ORIGINS = {"Measured", "Bound"}
STRING = r'"((?:[^"\\]|\\.)*)"'
OF_THE_PAGE = {"compiler/ir", "compiler/rewrite", "compiler/passes", "compiler/plan", "compiler/codegen/cpp"}
failures = []


def fail(text):
    failures.append(text)
    print("FAILED:", text)


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def tables():
    """Folders that have numbers."""
    headers = [path for top in ("compiler", "runtime") for path in glob.glob(os.path.join(ROOT, top, "**", "target.h"), recursive=True)]
    return sorted(os.path.relpath(os.path.dirname(path), ROOT) for path in headers)


def rules():
    """(name, what it does, what a refusal leaves) of each, in order."""
    return re.findall(rf"^RULE\(\w+, {STRING}, {STRING},\s*{STRING}, {STRING}, (\w+)\)", read("compiler/rules/rules.def"), re.M)


def numbers(path):
    """(name, value, unit, origin, source) of a table; those that --number changes say which values it takes, too."""
    text = read(path)
    values = r"(?:up|powersUp)To\([^()]+\), " if os.path.dirname(path) in OF_THE_PAGE else ""
    rows = re.findall(rf"^NUMBER\([^,]+, (\w+), ([^\"]+?), {values}{STRING}, (\w*),\s*{STRING}\)", text, re.M)
    if len(rows) != len(re.findall(r"^NUMBER\(", text, re.M)):
        fail(f"{path}: {len(re.findall(r'^NUMBER', text, re.M))} numbers, of which {len(rows)} are whole: type, name, value, unit, origin, source")
    return rows


def check_numbers():
    known = {}
    for folder in tables():
        if not os.path.exists(os.path.join(ROOT, folder, "numbers.def")):
            fail(f"{folder}/target.h has no table, numbers.def")
            continue
        for name, value, unit, origin, source in numbers(folder + "/numbers.def"):
            if not unit or not source:
                fail(f"{folder}: {name} has no {'source' if unit else 'unit'}")
            if origin not in ORIGINS:
                fail(f"{folder}: {name} is {origin or 'of no origin'}; one of {', '.join(sorted(ORIGINS))}")
            if origin == "Measured" and not re.search(r"\d|docs/|as k", source):
                fail(f"{folder}: {name} is measured, and its source has no figure and no page")
            if folder in OF_THE_PAGE:
                if name in known:
                    fail(f"{folder}: {name} is a number elsewhere, too, and --number names it")
                known[name] = value
        header = re.sub(r"//.*", "", read(folder + "/target.h"))
        for line in header.split("\n"):
            if re.search(r"\bconstexpr\b[^=]*\bk\w+\s*[={]\s*[-\d]", line):
                fail(f"{folder}/target.h: a number beside the table: {line.strip()}")
    return known


def plain(value):
    return value.replace("'", "").replace(",", "")


def check_page(known):
    page = read("docs/decisions.md")
    rows = re.findall(r"^\| `([\w-]+)`( \*)? \| ([^|]*) \| ([^|]*) \|$", page, re.M)
    wanted = [(name, " *" if leaves == "Work" else "", text) for name, text, _, _, leaves in rules()]
    if [row[:3] for row in rows] != wanted:
        for row, other in zip(rows, wanted):
            if row[:3] != other:
                fail(f"docs/decisions.md has {row[:3]}, rules.def {other}")
                break
        else:
            fail(f"docs/decisions.md has {len(rows)} rules, rules.def {len(wanted)}")
    for name, value in re.findall(r"`(k[A-Z]\w+)` \(([^)]*)\)", page):
        if name not in known:
            fail(f"docs/decisions.md: no table has {name}")
        elif plain(known[name]) != plain(value):
            fail(f"docs/decisions.md: {name} is {known[name]}, not {value}")


def check_sentences():
    """Subjects are in front of them, numbers and ends behind."""
    for name, _, taken, refused, _ in rules():
        for text in (taken, refused):
            if not re.match(r"[a-z]+s ", text) or text.endswith((".", ":")):
                fail(f"rules.def: '{text}' of {name} goes on no sentence that begins with a process")
    names = {name for name, _ in re.findall(rf"^CONDITION\((\w+), \w+, {STRING}\)", read("compiler/rules/conditions.def"), re.M)}
    used = "".join(read(os.path.relpath(path, ROOT)) for path in glob.glob(os.path.join(ROOT, "compiler", "**", "*.[ch]*"), recursive=True))
    for name in sorted(names):
        if not re.search(rf"\b{name}\b", used):
            fail(f"conditions.def: nobody asks for {name}")


def main():
    check_page(check_numbers())
    check_sentences()
    sys.exit(1 if failures else 0)


main()
