"""Figures of cores in files, so that a run that was ended goes on where it was."""
import json
import os


class Kept:
    """By all that they depend on: options, and the programs as they are on disk."""

    def __init__(self, options, work, version):
        self.folder, self.isOn = os.path.join(work, "figures"), options.resume
        compiler = os.stat(options.smec)
        self.key = [version, compiler.st_size, compiler.st_mtime_ns, options.registers, options.cycles, options.seconds, options.repeat, options.ring]
        os.makedirs(self.folder, exist_ok=True)

    def made(self, name, make):
        """Those that are there, else what `make` gives."""
        path = os.path.join(self.folder, f"{name}.json")
        if self.isOn and (figures := self.read(path)) is not None:
            return figures
        figures = make()
        with open(path + ".part", "w", encoding="utf-8") as f:
            json.dump({"key": self.key, "figures": figures}, f)
        os.replace(path + ".part", path)
        return figures

    def read(self, path):
        try:
            with open(path, encoding="utf-8") as f:
                kept = json.load(f)
        except (OSError, ValueError):
            return None
        return kept["figures"] if kept["key"] == self.key else None
