#!/usr/bin/env python3
"""The package from a copy outside the checkout, with nothing but an installed smec on the search path; and without one, what it says."""
import os
import shutil
import subprocess

from environment import PACKAGE, PYTHON, WORK, run, without_smec

PREFIX = os.path.join(os.environ["SMEC_BINARY_DIR"], "tests", "install", "a prefix")
DESIGN = os.path.join(PACKAGE, "tests", "designs", "filter.sme")
SCRIPT = f"import smec, smec._core; assert smec._core.checkout == ''; sim = smec.compile({DESIGN!r}, flags=['-O0']); sim.step(2); print(sim.cycle)"


def build(folder, path):
    """As pip does it, into the folder itself."""
    words = [PYTHON, "setup.py", "-q", "build_ext", "--inplace"]
    variables = {name: value for name, value in os.environ.items() if name not in ("SMEC", "SMEC_CHECKOUT", "PKG_CONFIG_PATH")}
    return subprocess.run(words, cwd=folder, env={**variables, "PATH": path}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


def main():
    folder = os.path.join(WORK, "elsewhere", "a", "b", "package")
    shutil.rmtree(os.path.join(WORK, "elsewhere"), ignore_errors=True)
    shutil.copytree(PACKAGE, folder, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__", "*.so"))
    without = without_smec()
    done = build(folder, without)
    assert done.returncode != 0 and "put an installed smec on the PATH, or set SMEC" in done.stdout, done.stdout
    path = os.path.join(PREFIX, "bin") + os.pathsep + without
    done = build(folder, path)
    assert done.returncode == 0, done.stdout
    shown = run("env", "-u", "SMEC", PYTHON, "-c", SCRIPT, cwd=os.path.dirname(folder), PATH=path, PYTHONPATH=folder)
    assert shown == "2\n", shown


if __name__ == "__main__":
    main()
