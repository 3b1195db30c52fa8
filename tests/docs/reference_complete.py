#!/usr/bin/env python3
"""Checks that docs/language.md names every warning, every word and every builtin function of the compiler.

    reference_complete.py             (in the tree SMEC_SOURCE_DIR)
    reference_complete.py --selftest
"""
import os
import re
import sys

PAGE = "docs/language.md"
# What the page has to name: kind, file that lists the names, how they stand there, how the page shows one.
SOURCES = [
    ("warning", "compiler/diag/diagnostics.def", r'^WARNING\(\w+, "([\w-]+)"', r"^\| `{}` \|"),
    ("word", "grammar/SmeLexer.g4", r"^\w+ : '([a-z]+)' ;", r"`{}`"),
    ("builtin function", "compiler/sema/check/builtins.cpp", r'\(name == "(\w+)"\)', r"`{}\("),
]


def missing(kind, pattern, shown, source, page):
    """What the source lists and the page does not show, as messages."""
    names = re.findall(pattern, source, re.MULTILINE)
    absent = [name for name in names if not re.search(shown.format(re.escape(name)), page, re.MULTILINE)]
    if not names:
        return [f"no {kind} is listed where it used to be"]
    return [f"{PAGE} does not name the {kind} '{name}'" for name in absent]


def check(root):
    def read(path):
        with open(os.path.join(root, path), encoding="utf-8") as f:
            return f.read()

    return [problem for kind, path, pattern, shown in SOURCES
            for problem in missing(kind, pattern, shown, read(path), read(PAGE))]


def selftest():
    (warning, _, warnings, row), (word, _, words, code), (builtin, _, builtins, call) = SOURCES
    cases = [
        (missing(warning, warnings, row, 'WARNING(A, "a-b", "x")\n', "| `a-b` | x |\n"), 0),
        (missing(warning, warnings, row, 'WARNING(A, "a-b", "x")\nWARNING(B, "c", "")\n', "| `a-b` | `c` |\n"), 1),
        (missing(warning, warnings, row, 'ERROR(A, "a", "x")\n', ""), 1),
        (missing(word, words, code, "As : 'as' ;\nLess : '<' ;\n", "`as`"), 0),
        (missing(word, words, code, "As : 'as' ;\n", "as"), 1),
        (missing(builtin, builtins, call, 'if (name == "len") return 1;', "`len(a)`"), 0),
        (missing(builtin, builtins, call, 'if (name == "len") return 1;', "`length(a)`"), 1),
    ]
    return [f"selftest: case {i} gave {problems}" for i, (problems, count) in enumerate(cases)
            if len(problems) != count]


def main():
    problems = selftest() if "--selftest" in sys.argv else check(os.environ["SMEC_SOURCE_DIR"])
    if problems:
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    main()
