#!/usr/bin/env python3
"""A folder of compiler/ includes only folders that it names (or that those name) in CMakeLists.txt, a room of runtime/src or of
compiler/driver only rooms below it; runtime and compiler never meet. Both may include formats/, which includes neither."""
import glob
import os
import re
import sys

ROOT = os.environ["SMEC_SOURCE_DIR"]
SHARED = {"sme/fnv1a.h", "sme/foreign_object.h", "sme/input_log.h", "sme/options.h", "sme/option_words.h", "sme/outside_log.h", "sme/outside_world.h", "sme/refusal.h", "sme/row_block.h", "sme/simulation.h",
          "sme/simulation_calls.h", "sme/simulation_options.h", "sme/simulation_past.h", "sme/simulation_table.h", "sme/state_format.h", "sme/model.h"}
SHARED_WITH_FORMATS = {"sme/fnv1a.h", "sme/model.h", "sme/number_text.h", "sme/state_format.h"}


def dependencies():
    with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as f:
        text = f.read()
    direct = {}
    for m in re.finditer(r"smec_add_folder\((\w+)([^)]*)\)", text):
        direct.setdefault(m.group(1), set()).update(re.findall(r"\bsmec?_(\w+)", m.group(2)))
    hidden = {}  # what others do not see through it
    for m in re.finditer(r"target_link_libraries\(smec_(\w+) PRIVATE ([^)]*)\)", text):
        hidden.setdefault(m.group(1), set()).update(re.findall(r"\bsmec?_(\w+)", m.group(2)))
    closed = {}
    for name in direct:
        todo, seen = [name], set()
        while todo:
            for d in direct.get(todo.pop(), ()):
                if d not in seen:
                    seen.add(d)
                    todo.append(d)
        closed[name] = seen | {name} | hidden.get(name, set())
    return {**closed, "formats": {"formats"}}  # a library beside both, seen by those that name it


def quoted(path):
    with open(path, encoding="utf-8") as f:
        return re.findall(r'#include "([^"]+)"', f.read())


def rooms(variable, *path):
    """By name: those that each may see, by the list in this CMakeLists.txt."""
    with open(os.path.join(ROOT, *path, "CMakeLists.txt"), encoding="utf-8") as f:
        names = re.search(rf"set\({variable} ([^)]*)\)", f.read()).group(1).split()
    return {name: set(names[:i + 1]) for i, name in enumerate(names)}


def sources(folder):
    paths = glob.glob(os.path.join(ROOT, folder, "**", "*"), recursive=True)
    return [path for path in paths if path.endswith((".h", ".cpp", ".def"))]


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
    """Of compiler and runtime, but for what simulators and the interpreter have in common."""
    for path in sources("compiler"):
        yield from (f"{os.path.relpath(path, ROOT)} includes {i}" for i in quoted(path)
                    if i.split("/")[0] == "sme" and i not in SHARED)
    for path in sources("runtime"):
        yield from (f"{os.path.relpath(path, ROOT)} includes {i}" for i in quoted(path)
                    if i.split("/")[0] in allowed and i.split("/")[0] not in below and not i.startswith("formats/"))
    for path in sources("formats"):
        yield from (f"{os.path.relpath(path, ROOT)} includes {i}" for i in quoted(path)
                    if not i.startswith("formats/") and i not in SHARED_WITH_FORMATS and not os.path.exists(os.path.join(ROOT, "formats", "src", i)))


def strays(source, below):
    """Files that are in no room."""
    return [f"{os.path.relpath(path, ROOT)} is in no room" for path in sources(source)
            if os.path.relpath(path, os.path.join(ROOT, source)).split(os.sep)[0] not in below]


def main():
    runtime, driver = os.path.join("runtime", "src"), os.path.join("compiler", "driver")
    allowed, below, commands = dependencies(), rooms("runtimeRooms", "runtime"), rooms("driverRooms")
    bad = against_order("compiler", allowed) + against_order(runtime, below) + against_order(driver, commands, 1)
    bad += list(meetings(allowed, below)) + strays(runtime, below) + strays(driver, commands)
    files = len(sources("compiler") + sources("formats") + sources("runtime"))
    print("\n".join(bad))
    print(f"{files} files, {len(bad)} includes against the order of the folders")
    return 1 if bad or not files else 0


if __name__ == "__main__":
    sys.exit(main())
