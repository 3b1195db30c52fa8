#!/usr/bin/env python3
"""A folder of compiler/ includes only folders that it names (or that those name) in CMakeLists.txt, a room of runtime/src or of
compiler/driver only rooms below it; runtime and compiler never meet but in contract/, which includes nothing of the others, and in
formats/, which includes contract/ alone. What generated C++ is written against (runtime/include) no folder of the compiler includes."""
import glob
import os
import re
import sys

ROOT = os.environ["SMEC_SOURCE_DIR"]
CONTRACT, GENERATED = os.path.join("contract", "include"), os.path.join("runtime", "include")  # of sme/, which is installed as one


def dependencies():
    with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as f:
        text = f.read()
    direct = {}
    for m in re.finditer(r"smec_add_folder\((\w+)([^)]*)\)", text):
        direct.setdefault(m.group(1), set()).update(re.findall(r"\bsmec?_(\w+)", m.group(2)))
    text = re.sub(r"foreach\(folder ([\w ]+)\)[^\n]*\n(.*?)endforeach\(\)",
                  lambda m: "".join(m.group(2).replace("${folder}", folder) for folder in m.group(1).split()), text, flags=re.DOTALL)
    hidden = {}  # what others do not see through it
    for m in re.finditer(r"target_link_libraries\(smec_(\w+) PRIVATE ([^)]*)\)", text):
        hidden.setdefault(m.group(1), set()).update(re.findall(r"\bsmec?_(\w+)", m.group(2)))
    direct["formats"] = {"contract"}  # libraries beside the compiler, seen by those that name them
    direct["contract"] = set()
    closed = {}
    for name in direct:
        todo, seen = [name], set()
        while todo:
            for d in direct.get(todo.pop(), ()):
                if d not in seen:
                    seen.add(d)
                    todo.append(d)
        closed[name] = seen | {name} | hidden.get(name, set())
    return closed


def quoted(path):
    with open(path, encoding="utf-8") as f:
        return re.findall(r'^ *#include (?:"|<(?=sme/))([^">]+)[">]', f.read(), re.MULTILINE)


def owner(include):
    """The folder that an include is of: what is installed as sme/ is of one of two."""
    if not include.startswith("sme/"):
        return include.split("/")[0]
    return "contract" if os.path.exists(os.path.join(ROOT, CONTRACT, include)) else "generated"


def rooms(variable, *path):
    """By name: those that each may see, by the list in this CMakeLists.txt."""
    with open(os.path.join(ROOT, *path, "CMakeLists.txt"), encoding="utf-8") as f:
        names = re.search(rf"set\({variable} ([^)]*)\)", f.read()).group(1).split()
    return {name: set(names[:i + 1]) for i, name in enumerate(names)}


def sources(folder):
    paths = glob.glob(os.path.join(ROOT, folder, "**", "*"), recursive=True)
    return [path for path in paths if path.endswith((".h", ".hpp", ".cpp", ".def"))]


def against_order(folder, below, depth=0):
    """Includes of `folder` by its files, where part `depth` of a path is a room, that are not in the room's set in `below`."""
    bad = []
    for path in sources(folder):
        room = os.path.relpath(path, os.path.join(ROOT, folder)).split(os.sep)[0]
        for include in quoted(path):
            parts = include.split("/")
            if parts[:depth] == folder.split(os.sep)[1:1 + depth] and parts[depth:] and parts[depth] in below \
                    and parts[depth] not in below.get(room, ()):
                bad.append(f"{os.path.relpath(path, ROOT)} includes {include}")
    return bad


def meetings(allowed, below):
    """Of compiler, runtime, formats and contract, but where an arrow says so. A file of the compiler that names neither contract nor
    somebody who does sees none of sme/."""
    for path in sources("compiler"):
        seen = allowed.get(os.path.relpath(path, os.path.join(ROOT, "compiler")).split(os.sep)[0], set())
        yield from (f"{os.path.relpath(path, ROOT)} includes {i}" for i in quoted(path) if i.startswith("sme/") and owner(i) not in seen)
    compiler = set(allowed) - below.keys() - {"formats", "contract"}
    for path in sources("runtime"):
        yield from (f"{os.path.relpath(path, ROOT)} includes {i}" for i in quoted(path) if owner(i) in compiler)
    for source in ("formats", "contract"):
        for path in sources(source):
            yield from (f"{os.path.relpath(path, ROOT)} includes {i}" for i in quoted(path)
                        if owner(i) not in allowed[source] and not os.path.exists(os.path.join(ROOT, source, "src", i)))


def strays(source, below):
    """Files that are in no room."""
    return [f"{os.path.relpath(path, ROOT)} is in no room" for path in sources(source)
            if os.path.relpath(path, os.path.join(ROOT, source)).split(os.sep)[0] not in below]


# Who has schedulers and reports of the laboratory by name. All else knows them by the table in schedule/laboratory.h.
LABORATORY = {"run/lab_runs.cpp", "cli/cli.h"}


def into_laboratory(runtime):
    """Includes of the room lab by others than these, and names of these that include nothing of it."""
    seen = {}
    for path in sources(runtime):
        name = os.path.relpath(path, os.path.join(ROOT, runtime))
        if not name.startswith("lab" + os.sep) and (found := [include for include in quoted(path) if include.startswith("lab/")]):
            seen[name] = found
    return [f"{name} includes {found[0]}" for name, found in seen.items() if name not in LABORATORY] \
        + [f"{name} does not include lab" for name in sorted(LABORATORY - seen.keys())]


def main():
    runtime, driver = os.path.join("runtime", "src"), os.path.join("compiler", "driver")
    allowed, below, commands = dependencies(), rooms("runtimeRooms", "runtime"), rooms("driverRooms")
    bad = against_order("compiler", allowed) + against_order(runtime, below) + against_order(driver, commands, 1)
    bad += list(meetings(allowed, below)) + strays(runtime, below) + strays(driver, commands) + into_laboratory(runtime)
    files = len(sources("compiler") + sources("contract") + sources("formats") + sources("runtime"))
    print("\n".join(bad))
    print(f"{files} files, {len(bad)} includes against the order of the folders")
    return 1 if bad or not files else 0


if __name__ == "__main__":
    sys.exit(main())
