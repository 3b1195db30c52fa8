"""The environment that the Python package is installed into. Its interpreter is Debian's where there is one, which has the packages that
`./sme test` installs; nothing is fetched."""
import os
import subprocess
import sys

SOURCE = os.environ["SMEC_SOURCE_DIR"]
PACKAGE = os.path.join(SOURCE, "bindings", "python")
WORK = os.path.join(os.environ["SMEC_BINARY_DIR"], "tests", "python", "installed")
FOLDER = os.path.join(WORK, "environment")
PYTHON = os.path.join(FOLDER, "bin", "python")
QUICKLY = "-O0"  # flags of the C++ compiler where what is judged is that it compiles and loads


def interpreter():
    problems = []
    for candidate in ("/usr/bin/python3", sys.executable):
        probe = subprocess.run([candidate, "-c", "import numpy, pytest, setuptools, wheel"], stderr=subprocess.PIPE, text=True, check=False)
        if probe.returncode == 0:
            return candidate
        problems.append(f"{candidate}: {probe.stderr}")
    sys.exit("no Python with numpy, pytest, setuptools and wheel; ./sme test installs them\n" + "\n".join(problems))


def run(*command, cwd=None, **variables):
    """Ends with the command's output where it fails; else its output."""
    done = subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **variables})
    if done.returncode != 0:
        sys.exit(f"{done.stdout}\nFAILED with status {done.returncode}: {' '.join(command)}")
    return done.stdout


def without_smec():
    """The search path less the folders that have one."""
    return os.pathsep.join(part for part in os.environ["PATH"].split(os.pathsep) if not os.path.exists(os.path.join(part, "smec")))
