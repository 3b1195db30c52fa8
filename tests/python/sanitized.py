#!/usr/bin/env python3
"""sanitized.py SANITIZERS COMPILER: the extension built with them, under the tests of the package that start no other program; designs come from
this build's compiler, whose simulations are sanitized, too. Python itself is not: it gets the sanitizer's library beforehand, and says nothing of leaks."""
import os
import platform
import re
import shutil
import subprocess
import sys

from environment import PACKAGE, SOURCE, WORK, interpreter, run

# The library is there already; the compiler that tests start is built with its own.
START = "import os, sys; os.environ.pop('LD_PRELOAD'); import pytest; sys.exit(pytest.main(sys.argv[1:]))"
FILES = ["names", "values", "views", "running", "processes", "states", "misuse", "blocks"]
LEFT_OUT = "command_line or without_numpy or fork or cannot_be_loaded or no_design"


def library(compiler, name):
    return os.path.realpath(subprocess.run([compiler, f"-print-file-name={name}"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip())


def preloaded(compiler):
    named = [f"libclang_rt.asan-{platform.machine()}.so"] if "clang" in os.path.basename(compiler) else ["libasan.so", "libubsan.so"]
    # libstdc++, too: the sanitizer looks for its exceptions when it starts
    return " ".join(library(compiler, name) for name in (*named, "libstdc++.so.6"))


def main():
    compiler = sys.argv[2]
    flags = f"-fsanitize={sys.argv[1]} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1 -O0"
    folder = os.path.join(WORK, "sanitized")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(PACKAGE, folder, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__", "*.so"))
    python = interpreter()
    run(python, "setup.py", "-q", "build_ext", "--inplace", cwd=folder, CC=compiler, CXX=compiler, CFLAGS=flags, LDFLAGS=f"-fsanitize={sys.argv[1]}", SMEC_CHECKOUT=SOURCE)
    shown = run(python, "-c", START, "-q", "-p", "no:cacheprovider", "--tb=short", "-k", f"not ({LEFT_OUT})", "--basetemp", os.path.join(WORK, "scratch"),
                *(os.path.join(folder, "tests", f"test_{name}.py") for name in FILES), cwd=folder, LD_PRELOAD=preloaded(compiler), PYTHONPATH=folder,
                PYTHONMALLOC="malloc", ASAN_OPTIONS="detect_leaks=0")
    print(shown)
    assert re.search(r"^\d+ passed, \d+ deselected in", shown, re.M), "not all of them ran"


if __name__ == "__main__":
    main()
