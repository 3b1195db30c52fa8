"""What the scripts here share: smec in a scratch folder, and a tally of checks."""
import os
import re
import subprocess
import sys
import tempfile

ROOT, SMEC = os.environ["SMEC_SOURCE_DIR"], os.environ["SMEC"]


class Tally:
    def __init__(self):
        self.passed, self.failures = 0, []

    def check(self, condition, text):
        if condition:
            self.passed += 1
        else:
            self.failures.append(text)
            print("FAILED:", text, flush=True)

    def equal(self, got, wanted, text):
        self.check(got == wanted, f"{text}\n  got    {got!r}\n  wanted {wanted!r}")

    def end(self):
        print(f"{self.passed} passed, {len(self.failures)} failed")
        sys.exit(1 if self.failures or not self.passed else 0)


def smec(*arguments, cwd=None, text=None, env=None):
    """Status, standard output and standard error."""
    run = subprocess.run([SMEC, *arguments], cwd=cwd, input=text, stdin=None if text is not None else subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", timeout=120, check=False,
                         env=dict(os.environ, **(env or {})))
    return run.returncode, run.stdout, run.stderr


def scratch():
    return tempfile.TemporaryDirectory(prefix="smec-tools-")


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return path


def read(path):
    with open(path, encoding="utf-8", newline="") as f:
        return f.read()


def commands():
    """The commands that `smec --help` lists."""
    text = smec("--help")[1]
    return re.findall(r"^  (\w+)  +\S", text[text.index("Subcommands:"):], re.M)


def options(command):
    """The options that `smec COMMAND --help` lists, as the user writes them."""
    text = smec(command, "--help")[1]
    found = []
    for line in text.splitlines():
        m = re.match(r"  (-[^ ]*)", line)
        if m:
            found += [{"--MMD": "-MMD", "--MF": "-MF"}.get(n, n) for n in m.group(1).split(",")]
    return found
