"""Processors that packages are made for."""
import platform
from dataclasses import dataclass


@dataclass(frozen=True)
class Architecture:
    name: str  # as `uname -m` and wheels have it
    debian: str
    target: tuple  # what Zig is told
    machine: int  # of ELF files
    loader: str

    @property
    def tag(self):
        return f"py3-none-manylinux_2_28_{self.name}"


ALL = {each.name: each for each in (
    Architecture("x86_64", "amd64", ("-target", "x86_64-linux-gnu.2.28", "-mcpu=x86_64_v2"), 62, "ld-linux-x86-64.so.2"),
    Architecture("aarch64", "arm64", ("-target", "aarch64-linux-gnu.2.28"), 183, "ld-linux-aarch64.so.1"),
)}


def own():
    """That of this machine, where packages are made for it."""
    return platform.machine() if platform.machine() in ALL else "x86_64"
