"""Designs that rules and numbers of the optimiser are judged by: rows of the suite, patterns of its other programs, and designs from folders."""
import glob
import os
from dataclasses import dataclass

import bodies
import held
import twists
import watching
from workloads import fullRows

# Of each design the sizes where something changes: small ones, and one that leaves the caches of a processor alone.
ROWS = ("ring 20,000", "ring_heavy 200", "ring_uneven 200", "hetero 200", "hetero 1,000", "mesh 64", "systolic 16", "systolic 64", "noc 8", "cpu 1", "cpu 64",
        "memory 256 words, 1 op, gap 17", "memory 4,096 words, 16 ops, gap 17", "wait 10,000, 0 % asleep", "wait 10,000, 50 % asleep", "wait 10,000, 99 % asleep",
        "idle 100 % active", "idle 10 % active", "comb 10 deep", "comb 100 deep")
TWIST_SIZE = 64
LONG = ("traces", "assignments", "alternatives")  # of bodies.py, a tenth of their length
HELD = ((16384, 2), (16384, 16))  # of held.py: words, writes a cycle


@dataclass(frozen=True)
class Subject:
    """A design that is measured."""
    name: str
    path: str
    words: tuple = ()  # options of `smec compile`


def suiteRows(folder, workshop, rows):
    """rows: of workloads.py."""
    for row in rows:
        constants = workshop.constants(row.design, row.parameters)
        words = tuple(word for name, value in constants.items() for word in ("-G", f"{name}={value}"))
        yield Subject(row.name, workshop.source(row.design, row.parameters, "sme"), words)


def written(folder, name, text, words=()):
    path = os.path.join(folder, "".join(c if c.isalnum() else "_" for c in name) + ".sme")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return Subject(name, path, words)


def patterns(folder):
    for name, one in twists.TWISTS.items():
        n, m = twists.sizeOf(one, TWIST_SIZE)
        sizes = () if one.path is twists.byName else ("-G", f"n={n}", "-G", f"m={m}")
        yield written(folder, f"torus: {name}", one.source(n, m), sizes)
    for words, writes in HELD:
        yield written(folder, f"held {words}, {writes} sets", held.design(True, words, writes))
    for isCombinational in (True, False):
        name = "counter and function" if isCombinational else "two clocked processes"
        yield written(folder, name, watching.small(isCombinational)[0])
    for name in LONG:
        body = bodies.BODIES[name]
        yield written(folder, f"long {name}", bodies.source(body, body.count // bodies.SHORT))


def ofFile(word):
    """A file, or FILE:NAME=VALUE,... with constants of its top network."""
    path, _, constants = word.partition(":")
    words = tuple(each for constant in constants.split(",") if constant for each in ("-G", constant))
    stem = os.path.splitext(os.path.basename(path))[0]
    return Subject(f"{stem} {constants}".strip(), os.path.abspath(path), words)


def ofPlace(word):
    """A file, or a folder: its designs, or those of its folders that are called as these are, as ./sme cores leaves them."""
    if not os.path.isdir(word):
        return [ofFile(word)]
    inner = [os.path.join(each, os.path.basename(each) + ".sme") for each in sorted(glob.glob(os.path.join(word, "*")))]
    return [ofFile(path) for path in sorted(glob.glob(os.path.join(word, "*.sme"))) + [path for path in inner if os.path.exists(path)]]


def all_(folder, workshop, places):
    rows = [row for row in fullRows() if row.name in ROWS]
    return [*suiteRows(folder, workshop, rows), *patterns(folder), *(subject for place in places for subject in ofPlace(place))]
