"""What the scripts here share: smec in a scratch folder, and a tally of checks."""
import os
import re
import select
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


class Alive:
    """A pipe in a folder that all hold open which are to end: its end is the end of them all."""

    SECONDS = 60

    def __init__(self, folder):
        self.reader = os.open(os.path.join(folder, "alive"), os.O_RDONLY | os.O_NONBLOCK)

    def line(self):
        """What was told first; two compilers at once may both have told it by then."""
        select.select([self.reader], [], [], self.SECONDS)
        return os.read(self.reader, 100).split(b"\n")[0]

    def ends(self):
        while select.select([self.reader], [], [], self.SECONDS)[0]:
            if not os.read(self.reader, 100):
                os.close(self.reader)
                return True
        return False


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
