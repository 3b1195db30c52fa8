#!/usr/bin/env python3
"""The source distribution: what it has is enough to build it where there is neither a checkout nor a smec."""
import glob
import os
import shutil
import tarfile

from environment import PACKAGE, PYTHON, QUICKLY, SOURCE, WORK, run, without_smec

MADE = "import setuptools.build_meta as backend; print(backend.build_sdist('..'))"
SCRIPT = """
import smec, smec._core
assert smec._core.checkout == ""
try:
    smec.compile("x.sme")
except smec.CompileError as error:
    print(error)
"""


def main():
    folder = os.path.join(WORK, "distribution")
    shutil.rmtree(folder, ignore_errors=True)
    copy = os.path.join(folder, "package")
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__", "*.so"))
    run(PYTHON, "-c", MADE, cwd=copy, SMEC_CHECKOUT=SOURCE)
    made, = glob.glob(os.path.join(folder, "*.tar.gz"))
    with tarfile.open(made) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for name in ("include/sme/simulation.h", "include/sme/number_text.h", "src/view.h", "LICENSE", "smec/py.typed", "tests/conftest.py", "tests/designs/filter.sme"):
        assert name in names, f"{name} is not among {sorted(names)}"

    shutil.rmtree(copy)
    installed = os.path.join(folder, "installed")
    run("env", "-u", "SMEC", "-u", "SMEC_CHECKOUT", "-u", "PKG_CONFIG_PATH", PYTHON, "-m", "pip", "install", "--no-index", "--no-build-isolation", "--no-deps",
        "--disable-pip-version-check", "--target", installed, made, cwd=folder, PATH=without_smec(),
        CFLAGS=QUICKLY)
    shown = run("env", "-u", "SMEC", PYTHON, "-c", SCRIPT, cwd=folder, PATH=without_smec(), PYTHONPATH=installed)
    assert shown.startswith("no smec: "), shown


if __name__ == "__main__":
    main()
