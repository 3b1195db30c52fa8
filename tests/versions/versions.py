#!/usr/bin/env python3
"""Files that a release wrote are read, or refused by name and version (docs/versions.md); so are those of versions that there are not.

VERSION/ has design.sme and what that release made of it; --make VERSION writes the files anew, for a version that is not released.
"""
import json
import os
import shutil
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from support import ROOT, Tally, scratch, smec  # noqa: E402

HERE = os.path.join(ROOT, "tests", "versions")
HOST = os.path.join(os.environ["SMEC_BINARY_DIR"], "lib", "sme_host")
STATES = {"compiled.state": [], "interpreted.state": ["--interpret"]}
KEPT, END = 100, 300  # cycles
# A word, and how far behind its begin the number of the version stands.
NUMBERS = {"compiled.state": (b"smecheck", 8), "model.bin": (b"SMEMODEL", 12)}


def runOf(folder, *words):
    return smec("run", "-q", "-O0", "-Wno-unread", os.path.join(folder, "design.sme"), "--quiet", *words, cwd=folder)


def hosted(cwd, model, *words):
    """The code of today with a model."""
    done = subprocess.run([HOST, "design.so", model, "--quiet", *words], cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout, done.stderr


def compiled(cwd, source):
    return smec("compile", "-q", "-O0", "--march", "generic", "-Wno-unread", "--loadable", source, cwd=cwd)


def make(version):
    folder = os.path.join(HERE, version)
    with scratch() as place:
        shutil.copy(os.path.join(folder, "design.sme"), place)
        for name, words in STATES.items():
            assert runOf(place, *words, "--cycles", str(KEPT), "--checkpoint", name)[0] == 0
        assert compiled(place, "design.sme")[0] == 0
        os.rename(os.path.join(place, "design.bin"), os.path.join(place, "model.bin"))
        # "reads": what smec of today does with the files; false once a later version refuses them
        made = {"reads": True, "checksum": runOf(place, "--cycles", str(END), "--checksum")[1].strip()}
        with open(os.path.join(place, "made.json"), "w", encoding="utf-8") as f:
            f.write(json.dumps(made, indent=1) + "\n")
        for name in *STATES, "model.bin", "made.json":
            shutil.copy(os.path.join(place, name), folder)


def refusesByVersion(tally, outcome, file, what):
    tally.check(outcome[0] in (1, 2, 3) and file in outcome[2] and "version" in outcome[2], f"{what} is refused by name and version: {outcome}")


def states(tally, version, folder, made):
    for name in STATES:
        for words in [], ["--interpret"]:
            outcome = runOf(folder, *words, "--resume", os.path.join(folder, name), "--cycles", str(END), "--checksum")
            what = f"{version}: {name}, {words or 'compiled'}"
            if made["reads"]:
                tally.equal(outcome, (0, made["checksum"] + "\n", ""), what)
            else:
                refusesByVersion(tally, outcome, name, what)


def otherNumbers(tally, folder, scratchFolder):
    """Each number one less, and one more."""
    for name, (word, offset) in NUMBERS.items():
        with open(os.path.join(folder, name), "rb") as f:
            data = f.read()
        at = data.index(word) + offset
        number = struct.unpack_from("<I", data, at)[0]
        path = os.path.join(scratchFolder, name)
        for other in number - 1, number + 1:
            with open(path, "wb") as f:
                f.write(data[:at] + struct.pack("<I", other) + data[at + 4:])
            runs = [hosted(scratchFolder, path, "--cycles", "2")] if name == "model.bin" else [
                runOf(scratchFolder, *words, "--resume", path, "--cycles", str(END)) for words in ([], ["--interpret"])]
            for outcome in runs:
                refusesByVersion(tally, outcome, path, f"{name} of version {other}")
                tally.check(str(other) in outcome[2] and str(number) in outcome[2], f"both versions are named: {outcome[2]}")


def models(tally, version, folder, made, scratchFolder):
    """Read to the same result where the code is that of today, too, else refused."""
    outcome = hosted(scratchFolder, os.path.join(folder, "model.bin"), "--cycles", str(END), "--checksum")
    if outcome[0] == 0:
        tally.equal(outcome, (0, made["checksum"] + "\n", ""), f"{version}: model.bin")
    else:
        tally.check(outcome[0] in (1, 2, 3) and "model.bin" in outcome[2] and ("version" in outcome[2]), f"{version}: model.bin is refused: {outcome}")


def main():
    if sys.argv[1:2] == ["--make"]:
        make(sys.argv[2])
        return
    tally = Tally()
    versions = sorted(name for name in os.listdir(HERE) if os.path.isdir(os.path.join(HERE, name)) and name[0].isdigit())
    for version in versions:
        folder = os.path.join(HERE, version)
        with open(os.path.join(folder, "made.json"), encoding="utf-8") as f:
            made = json.load(f)
        with scratch() as place:
            for name in "design.sme", *STATES:
                os.symlink(os.path.join(folder, name), os.path.join(place, name))
            tally.equal(compiled(place, os.path.join(folder, "design.sme"))[0], 0, "the design")
            states(tally, version, place, made)
            models(tally, version, folder, made, place)
            os.unlink(os.path.join(place, "compiled.state"))
            if version == versions[-1] and made["reads"]:
                otherNumbers(tally, folder, place)
    tally.end()


if __name__ == "__main__":
    main()
