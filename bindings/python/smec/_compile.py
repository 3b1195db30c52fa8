"""From a file to a library, by the compiler."""
from __future__ import annotations

import difflib
import enum
import glob
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import warnings

from . import _core
from ._errors import CompileError, CompileWarning, Diagnostic


def compiler() -> str:
    """The smec that compiles: $SMEC, else the one that came with this package, else the one of the search path, else the newest that the
    checkout has built."""
    told = os.environ.get("SMEC")
    if told:
        return told
    own = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_prefix", "bin", "smec")
    if os.path.exists(own):
        return own
    found = shutil.which("smec")
    if found:
        return found
    built = glob.glob(os.path.join(_core.checkout, "build", "*", "bin", "smec")) if _core.checkout else []
    if built:
        return max(built, key=os.path.getmtime)
    raise CompileError("no smec: set $SMEC, install it, or build it (./sme build)", status=3)


def _diagnostic(entry: dict) -> Diagnostic:
    notes = tuple(_diagnostic({"severity": "note", **note}) for note in entry.get("notes", ()))
    return Diagnostic(entry.get("severity", "error"), entry.get("id", ""), entry.get("message", ""), entry.get("file", ""),
                      entry.get("line", 0), entry.get("column", 0), notes)


def _diagnostics(text: str) -> tuple[tuple[Diagnostic, ...], str]:
    """What is about the source, and what else was said."""
    found, rest = [], []
    for line in text.splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            entry = None
        if isinstance(entry, dict) and "severity" in entry:
            found.append(_diagnostic(entry))
        else:
            rest.append(line)
    return tuple(found), "\n".join(rest)


def _word(value) -> str:
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _arguments(file: str, top, flags, constants: dict) -> list[str]:
    words = [os.path.abspath(file), *flags]
    if top:
        words += ["--top", top]
    for name, value in sorted(constants.items()):
        words += ["-G", f"{name}={_word(value)}"]
    return words


def explained(error: CompileError, constants: dict, arguments: tuple[str, ...]) -> CompileError:
    """With the argument that a keyword was meant to be, which was taken for a constant of the top network."""
    if all(each.id != "top-parameter-unknown" for each in error.diagnostics):
        return error
    hints = [f"'{name}' looks like the argument '{near[0]}' of smec.compile" for name in constants
             if (near := difflib.get_close_matches(name, arguments, 1, 0.75))]
    return CompileError("\n".join([str(error), *hints]), error.diagnostics, error.status)


_MARK = "This folder is smec's: a cache, or what it built from. 'smec clean' empties it.\n"  # as smec marks its own


def _mark(folder: pathlib.Path) -> None:
    """Makes it a folder of smec's that was used now, so that `smec clean` knows it."""
    try:
        if not (folder / ".smec-folder").exists():
            (folder / ".smec-folder").write_text(_MARK, encoding="utf-8")
        (folder / ".lock").touch()
    except OSError:
        pass  # smec says what cannot be written


def library(file, top=None, flags=(), constants=None) -> pathlib.Path:
    """Compiles `file` to code and model, or finds those that are there; the path of the code."""
    smec = compiler()
    words = _arguments(os.fspath(file), top, [os.fspath(flag) for flag in flags], constants or {})
    key = hashlib.sha256("\0".join([smec, *words]).encode()).hexdigest()[:10]
    stem = pathlib.Path(file).stem
    folder = pathlib.Path(".smec", f"{stem}-python-{key}")
    folder.mkdir(parents=True, exist_ok=True)
    _mark(folder)
    target = folder / "design.so"
    for made in (target, target.with_suffix(".bin")):
        if made.is_dir():
            shutil.rmtree(made)
    try:
        done = subprocess.run([smec, "compile", "--loadable", "-q", "--diagnostics", "json", *words, "-o", os.fspath(target)],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", errors="replace",
                              check=False)
    except OSError as error:
        raise CompileError(f"cannot run '{smec}': {error.strerror}", status=3) from None
    found, rest = _diagnostics(done.stderr)
    if done.returncode != 0:
        errors = [str(each) for each in found if each.severity == "error"]
        raise CompileError("\n".join(errors) or rest or f"smec ended with status {done.returncode}", found, done.returncode)
    for each in found:
        warnings.warn(str(each), CompileWarning, stacklevel=3)
    return target.absolute()
