"""Splits a random program into files that import one another.

An item names only items before it, so any cut leaves a file that can be imported by what follows. Which file an item belongs to is an
attribute of the item; the shrinker may drop items.
"""
import re
import zlib

import tree


def split(rng, program, prefix):
    """Gives the first items to files of their own."""
    count = len(program.kids)
    if count < 2:
        return
    start = 0
    for name, end in zip("ab", sorted(rng.randint(1, count - 1) for _ in range(rng.choice((1, 1, 2))))):
        for item in program.kids[start:end]:
            item.a["file"] = f"{prefix}_{name}"
        start = max(start, end)


def exports(text, prefix):
    """What the text of a module declares: [(name, keyword)]."""
    declared = rf"^(?:async |sync |sim )?(proc|network|func|type|enum|const) ({prefix}_\w+)"
    return [(name, kind) for kind, name in re.findall(declared, text, re.M)]


def imported(text, module, names):
    """The lines that import what the text needs of a module, and the text: some names are taken over, some get an alias in front.

    Enums are always taken over, because their members may stand alone.
    """
    alias, taken = f"{module}_as", []
    plain = text
    for name, kind in names:
        if kind == "enum" or zlib.crc32(name.encode()) % 3 and re.search(rf"\b{name}\b", text):
            taken.append(name)
        else:
            text = re.sub(rf"\b{name}\b", f"{alias}.{name}", text)
    lines = [f"import {module} as {alias};"] if text != plain else []
    return lines + ([f"from {module} import {', '.join(taken)};"] if taken else []), text


def withImports(text, others, prefix):
    """The import lines and the text; `others`: [(module, its text)] of what may be imported."""
    lines = []
    for module, other in others:
        more, text = imported(text, module, exports(other, prefix))
        lines += more
    return lines, text


def files(program, prefix):
    """([(module, its text)], lines that import them, text of the rest)."""
    def textOf(name):
        return "\n".join(tree.items(tree.Node("items", *[k for k in program.kids if k.a.get("file") == name]))) + "\n"
    plain = [(name, textOf(name)) for name in sorted({k.a["file"] for k in program.kids if k.a.get("file")})]
    lines, rest = withImports(textOf(None), plain, prefix)
    finished = []
    for i, (name, text) in enumerate(plain):
        above, text = withImports(text, plain[:i], prefix)
        finished.append((name, "".join(x + "\n" for x in above) + text))
    return finished, lines, rest


def dataFiles(program):
    """{file name: text} of the files that initialisers name."""
    found, work = {}, [program]
    while work:
        n = work.pop()
        if n.a.get("data"):
            found[n.a["data"][0]] = n.a["data"][1]
        work += n.kids
    return found
