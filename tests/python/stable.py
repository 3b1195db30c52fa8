#!/usr/bin/env python3
"""The extension as packages have it, one for all versions of Python from 3.9 on (bindings/python/src/python.h): it asks of Python what
stable_symbols.txt lists, each of which 3.9 has, and its values, views and states are those of one that is built for this version."""
import glob
import os
import re
import shutil

from environment import PACKAGE, PYTHON, SOURCE, WORK, run

TESTS = ("test_misuse.py", "test_names.py", "test_states.py", "test_values.py", "test_views.py")


def build(folder):
    path = os.path.join(folder, "smec", "_core.abi3.so")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(os.path.join(PACKAGE, "smec"), os.path.join(folder, "smec"), ignore=shutil.ignore_patterns("__pycache__"))
    include = run(PYTHON, "-c", "import sysconfig; print(sysconfig.get_paths()['include'])").strip()
    run(os.environ.get("CXX", "g++"), "-shared", "-fPIC", "-std=c++17", "-O1",
        "-fvisibility=hidden", "-fno-strict-aliasing", "-Wall", "-Wextra", "-Wno-missing-field-initializers", "-Wno-cast-function-type", "-Werror",
        "-DPy_LIMITED_API=0x030B0000", f'-DSMEC_CHECKOUT="{SOURCE}"', "-isystem", include, "-I", os.path.join(SOURCE, "contract", "include"),
        *sorted(glob.glob(os.path.join(PACKAGE, "src", "*.cpp"))), "-o", path)
    return path


def check_symbols(path):
    asked = set(re.findall(r" U (_?Py\w+)", run("nm", "-D", "--undefined-only", path)))
    with open(os.path.join(SOURCE, "tests", "python", "stable_symbols.txt"), encoding="utf-8") as file:
        known = set(file.read().split())
    assert len(asked) > 50, asked
    assert asked <= known, f"asks Python for {sorted(asked - known)}; where Python 3.9 has them (nm -D), add them to stable_symbols.txt"


def main():
    folder = os.path.join(WORK, "stable")
    check_symbols(build(folder))
    where = run(PYTHON, "-c", "import smec._core; print(smec._core.__file__)", cwd=WORK, PYTHONPATH=folder).strip()
    assert where.startswith(folder) and where.endswith(".abi3.so"), where
    shown = run(PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=short", "-W", "error", "--basetemp", os.path.join(WORK, "stable-scratch"),
                *(os.path.join(PACKAGE, "tests", name) for name in TESTS), cwd=WORK, PYTHONPATH=folder)
    print(shown)
    assert re.search(r"^\d+ passed in", shown, re.M) and "skipped" not in shown, "a test was skipped"


if __name__ == "__main__":
    main()
