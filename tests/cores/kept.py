"""Figures of steps in files, so that a run that was ended goes on where it was."""
import hashlib
import json
import os
import subprocess
import time

from registers import Different
from tools import Failed

PROBLEMS = (Failed, Different, OSError, subprocess.SubprocessError)  # of one step, after which others go on


def digest(*paths):
    """Of files with their names, 16 hexadecimal digits."""
    sum = hashlib.sha256()
    for path in paths:
        with open(path, "rb") as f:
            content = f.read()
        sum.update(f"{os.path.basename(path)} {len(content)}\n".encode())
        sum.update(content)
    return sum.hexdigest()[:16]


class Clock:
    """For how long something may be begun."""

    def __init__(self, minutes):
        self.ends = time.monotonic() + minutes * 60

    def check(self):
        if time.monotonic() >= self.ends:
            raise Failed("no time left; the same with --resume goes on here")


class Kept:
    """Of each design and step a file with its figures, what they depend on (`key`) and the seconds that they took; beside it, where the last attempt failed, why."""

    def __init__(self, work, clock):
        self.folder, self.clock = os.path.join(work, "figures"), clock
        os.makedirs(self.folder, exist_ok=True)

    def path(self, name, step, what="json"):
        return os.path.join(self.folder, f"{name}.{step}.{what}")

    def read(self, name, step):
        """What the file says; None: nothing."""
        try:
            with open(self.path(name, step), encoding="utf-8") as f:
                return json.load(f)
        except (OSError, ValueError):
            return None

    def problem(self, name, step):
        try:
            with open(self.path(name, step, "problem"), encoding="utf-8") as f:
                return f.read()
        except OSError:
            return None

    def made(self, name, step, key, make, isKept=lambda figures: True):
        """Figures that are there for this key and that `isKept` takes, else those that `make` gives. Throws what `make` throws."""
        there = self.read(name, step)
        if there and there["key"] == key and isKept(there["figures"]):
            self.forget(name, step)
            return there["figures"]
        start = time.monotonic()
        try:
            self.clock.check()
            figures = make()
        except PROBLEMS as problem:
            self.put(self.path(name, step, "problem"), str(problem))
            raise
        took = time.monotonic() - start
        self.put(self.path(name, step), json.dumps({"key": key, "took": took, "figures": figures}, indent=1))
        self.forget(name, step)
        print(f"{name}: {step}: {took:.1f} s", flush=True)
        return figures

    def forget(self, name, step):
        path = self.path(name, step, "problem")
        if os.path.exists(path):
            os.remove(path)

    def put(self, path, text):
        with open(path + ".part", "w", encoding="utf-8") as f:
            f.write(text)
        os.replace(path + ".part", path)
