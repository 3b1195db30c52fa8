#!/usr/bin/env python3
"""The code of a design and the program that loads it may be of two C++ compilers: what one sees of the other is C. The headers of their
tables have no type of the standard library but integers, no virtual function and no exception; what kernels call takes such arguments; and the
shared runtime exports nothing else. First it is tried whether each of these is found."""
import os
import re
import sys

ROOT = os.environ["SMEC_SOURCE_DIR"]
TABLES = ("code.h", "library.h", "model.h", "outside_world.h", "simulation.h")
INTEGERS = r"u?int(8|16|32|64)_t|size_t|byte"
NO_C = [
    (rf"\bstd::(?!(?:{INTEGERS})\b)\w+", "a type of the C++ library"),
    (r"\bvirtual\b|\boverride\b", "a virtual function"),
    (r"\bthrow\b", "an exception"),
    (r"\bclass (?!_)\w+(?! *\w* *:)[^;]*\{", "a class with hidden members"),
    (r"#include <(?!cstddef|cstdint|stddef\.h|stdint\.h|sme/)", "a header of the C++ library"),
]
failures = []


def plain(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)


def problems(text):
    text = re.sub(r"\benum class\b", "enum", plain(text))
    for pattern, why in NO_C:
        for found in re.finditer(pattern, text):
            yield text.count("\n", 0, found.start()) + 1, why


TRIED = {
    "virtual bool give(std::span<const Value> values) = 0;": ("a type of the C++ library", "a virtual function"),
    "struct T { std::vector<int> all; };": ("a type of the C++ library",),
    "class T { int a; };": ("a class with hidden members",),
    "#include <string>": ("a header of the C++ library",),
    "inline void f() { throw 1; }": ("an exception",),
    "enum class K : std::uint8_t { A };  // std::string\nconst std::byte* a; std::size_t b; struct M;": (),
}


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def main():
    for text, wanted in TRIED.items():
        found = {why for _, why in problems(text)}
        if found != set(wanted):
            failures.append(f"of '{text}' is found {found}")
    for name in TABLES:
        for number, why in problems(read("contract", "include", "sme", name)):
            failures.append(f"contract/include/sme/{name}:{number}: {why}")
    exported = re.findall(r'"sme::(\w+)\(([^)]*)\)"', read("runtime", "host", "exports.map"))
    for name, arguments in exported:
        for argument in arguments.split(", "):
            if not re.fullmatch(r"sme::\w+ const[&*]|unsigned (int|char)|int|char\*\*", argument):
                failures.append(f"runtime/host/exports.map: {name} takes {argument}")
    if len(exported) < 7:
        failures.append(f"runtime/host/exports.map: only {len(exported)} functions are found")
    for failure in failures:
        print("FAILED:", failure)
    sys.exit(1 if failures else 0)


main()
