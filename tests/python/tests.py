#!/usr/bin/env python3
"""The tests of bindings/python, with the package as it was installed and the compiler of this build."""
import os
import re

from environment import PACKAGE, PYTHON, WORK, run


def main():
    shown = run(PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=short", "-W", "error", "--basetemp", os.path.join(WORK, "scratch"),
                os.path.join(PACKAGE, "tests"), cwd=WORK)
    print(shown)
    assert re.search(r"^\d+ passed in", shown, re.M) and "skipped" not in shown, "a test was skipped"


if __name__ == "__main__":
    main()
