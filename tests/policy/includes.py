#!/usr/bin/env python3
"""A folder of compiler/ includes only folders that it names (or that those name) in CMakeLists.txt; runtime and compiler never meet."""
import glob
import os
import re
import sys

ROOT = os.environ["SMEC_SOURCE_DIR"]


def dependencies():
    with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as f:
        text = f.read()
    direct = {}
    for m in re.finditer(r"smec_add_folder\((\w+)([^)]*)\)", text):
        direct[m.group(1)] = set(re.findall(r"\bsmec_(\w+)", m.group(2)))
    closed = {}
    for name in direct:
        todo, seen = [name], set()
        while todo:
            for d in direct.get(todo.pop(), ()):
                if d not in seen:
                    seen.add(d)
                    todo.append(d)
        closed[name] = seen | {name}
    return closed


def main():
    allowed, bad, files = dependencies(), [], 0
    for path in glob.glob(os.path.join(ROOT, "compiler", "**", "*"), recursive=True):
        if not path.endswith((".h", ".cpp", ".def")):
            continue
        files += 1
        folder = os.path.relpath(path, os.path.join(ROOT, "compiler")).split(os.sep)[0]
        with open(path, encoding="utf-8") as f:
            includes = re.findall(r'#include "([^"]+)"', f.read())
        for include in includes:
            target = include.split("/")[0]
            if target == "sme" or (target in allowed and target not in allowed[folder]):
                bad.append(f"{os.path.relpath(path, ROOT)} includes {include}")
    for path in glob.glob(os.path.join(ROOT, "runtime", "**", "*"), recursive=True):
        if path.endswith((".h", ".cpp")):
            files += 1
            with open(path, encoding="utf-8") as f:
                bad += [f"{os.path.relpath(path, ROOT)} includes {i}" for i in re.findall(r'#include "([^"]+)"', f.read())
                        if i.split("/")[0] in allowed]
    print("\n".join(bad))
    print(f"{files} files, {len(bad)} includes against the order of the folders")
    return 1 if bad or not files else 0


if __name__ == "__main__":
    sys.exit(main())
