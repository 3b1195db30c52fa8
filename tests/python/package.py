#!/usr/bin/env python3
"""`pip install` of bindings/python, without a warning of the C++ compiler, and what is there then."""
import os
import shutil
import subprocess

from environment import FOLDER, PACKAGE, PYTHON, SOURCE, WORK, interpreter, run


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    os.makedirs(WORK)
    python = interpreter()
    hasPip = subprocess.run([python, "-m", "pip", "--version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0
    run(python, "-m", "venv", "--system-site-packages", *(["--without-pip"] if hasPip else []), FOLDER)  # a pip of its own takes most of the time
    copy = os.path.join(WORK, "package")  # what setuptools builds, it builds beside the sources
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
    run(PYTHON, "-m", "pip", "install", "--no-index", "--no-build-isolation", "--no-deps", "--disable-pip-version-check", copy,
        SMEC_CHECKOUT=SOURCE, CFLAGS="-Wall -Wextra -Wno-missing-field-initializers -Wno-cast-function-type -Werror")
    shown = run(PYTHON, "-c", "import os, smec, smec._core; print(os.path.dirname(smec.__file__)); print(smec._core.checkout)", cwd=WORK)
    folder, checkout = shown.split()
    assert folder.startswith(FOLDER), folder
    assert checkout == SOURCE, checkout
    for name in ("py.typed", "_core.pyi"):
        assert os.path.exists(os.path.join(folder, name)), name


if __name__ == "__main__":
    main()
