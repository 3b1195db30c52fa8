"""Programs called in an environment of their own, and a bare Debian for them."""
import os
import shutil
import subprocess

from build import SOURCE, Failed, say
from debootstrap import make_root

EXAMPLE = os.path.join(SOURCE, "examples", "01_counter")
SCRIPT = """\
import smec
sim = smec.compile("counter.sme")
sim.step(3)
print(sim.cycle)
"""


def call(*words, cwd=None, says="", **variables):
    """Standard output; `says`: what has to be in standard error."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("SMEC", "PYTHON", "CXX"))}
    done = subprocess.run(words, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                          env={**kept, **variables})
    if done.returncode != 0 or says not in done.stderr:
        raise Failed(f"{' '.join(words)}\n{done.stdout}{done.stderr}ended with status {done.returncode}")
    return done.stdout


def expect(wanted, got, what):
    if got != wanted:
        raise Failed(f"{what} printed\n{got}and not\n{wanted}")


def take_example(folder):
    """What it prints."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    shutil.copy(os.path.join(EXAMPLE, "counter.sme"), folder)
    with open(os.path.join(folder, "use.py"), "w", encoding="utf-8") as file:
        file.write(SCRIPT)
    with open(os.path.join(EXAMPLE, "expected.txt"), encoding="utf-8") as file:
        return file.read()


class Root:
    """A bare Debian."""

    def __init__(self, build, suite, *packages, name=""):
        self.folder = build.path("check", name or suite)
        say(f"making a bare Debian, {suite}")
        make_root(build, self.folder, suite, "--variant=minbase", f"--include={','.join(('ca-certificates', *packages))}")
        self.wanted = take_example(os.path.join(self.folder, "root", "user"))

    def call(self, *words, says="", folder="/root/user", isAlone=False):
        """In it, in the folder with the example unless told; `isAlone`: without a network."""
        return call("unshare", *(["--net"] if isAlone else []), "--mount", "--pid", "--fork", f"--mount-proc={self.folder}/proc", "chroot", self.folder, "/usr/bin/env", "-i", "HOME=/root", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                    "DEBIAN_FRONTEND=noninteractive", "PYTHONDONTWRITEBYTECODE=1", "sh", "-c", f'cd {folder} && exec "$@"', "sh", *words, says=says)

    def take(self, path):
        shutil.copy(path, os.path.join(self.folder, "root"))
        return f"/root/{os.path.basename(path)}"

    def files(self):
        return set(self.call("find", "/usr", "/etc", "/opt", "/lib", "-xdev", "!", "-name", "*.pyc").splitlines())
