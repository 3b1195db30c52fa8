#!/usr/bin/env python3
"""./sme release refuses what is not one version, in a small tree of the files that it looks at; the real tree's numbers agree."""
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.environ["SMEC_SOURCE_DIR"]
sys.path.insert(0, os.path.join(ROOT, "packaging"))
import architecture  # noqa: E402
import release  # noqa: E402

TODAY = "2031-01-31"


def tree(folder, version):
    """The files of that version, dated today, and committed."""
    for path in {*release.PLACES, *(path for path, _ in release.FORMS.values())}:
        os.makedirs(os.path.join(folder, os.path.dirname(path)), exist_ok=True)
        shutil.copy(os.path.join(ROOT, path), os.path.join(folder, path))
    os.makedirs(os.path.join(folder, "tests", "versions", version))
    with open(os.path.join(folder, "tests", "versions", version, "made.json"), "w", encoding="utf-8") as f:
        f.write("{}\n")
    edit(folder, "CHANGELOG.md", r"^(## \[\d[^\]]*\] - )\S+", r"\g<1>" + TODAY)
    git(folder, "init", "-q")
    commit(folder)


def edit(folder, path, pattern, text):
    with open(os.path.join(folder, path), encoding="utf-8") as f:
        before = f.read()
    after = re.sub(pattern, text, before, count=1, flags=re.M)
    assert after != before, f"{path} has no {pattern}"
    with open(os.path.join(folder, path), "w", encoding="utf-8") as f:
        f.write(after)


def git(folder, *words):
    subprocess.run(["git", "-C", folder, "-c", "user.name=n", "-c", "user.email=n@example.org", *words], check=True, stdout=subprocess.DEVNULL)


def commit(folder):
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", "x")


def release_of(folder, version, *words):
    return subprocess.run([sys.executable, os.path.join(ROOT, "packaging", "release.py"), version, *words, "--root", folder, "--today", TODAY], capture_output=True, text=True, check=False)


def check(folder, version):
    done = release_of(folder, version, "--only-check")
    return done.returncode, done.stderr


SCRIPT = """#!/bin/sh
echo "$@" >>build/asked
mkdir -p dist
[ "$4" = --without-archive ] || echo a >dist/smec.tar.gz
echo "$3" >"dist/smec-$3.whl"
"""


def whole(folder, version):
    """What a release makes of a commit that .ci/run passed for, with another script in place of ./sme: (what it says, what the script was asked,
    the sums)."""
    tree(folder, version)
    for name, text in (("sme", SCRIPT), (".gitignore", "build/\ndist/\n")):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
            f.write(text)
    os.chmod(os.path.join(folder, "sme"), 0o755)
    commit(folder)
    head = release.git(folder, "rev-parse", "HEAD")
    os.makedirs(os.path.join(folder, "build", "checked"))
    with open(os.path.join(folder, "build", "checked", head), "w", encoding="utf-8") as f:
        f.write("passed\n")
    done = release_of(folder, version)
    assert done.returncode == 0, done
    with open(os.path.join(folder, "build", "asked"), encoding="utf-8") as f:
        asked = f.read().splitlines()
    with open(os.path.join(folder, "dist", "SHA256SUMS"), encoding="utf-8") as f:
        return done.stdout, asked, [line.split() for line in f]


def main():
    failed = 0
    version = release.one(ROOT, "CMakeLists.txt", release.PLACES["CMakeLists.txt"])

    def expect(outcome, status, says, what):
        nonlocal failed
        if outcome[0] != status or says not in outcome[1]:
            failed += 1
            print(f"FAILED: {what}: {outcome}, wanted {status} with {says!r}")

    release.checkVersions(ROOT, version)
    release.checkForms(ROOT)
    release.checkFiles(ROOT, version)
    cases = [("as it should be", lambda folder: None, 0, "")]
    for path in release.PLACES:
        cases.append((path, lambda folder, path=path: edit(folder, path, re.escape(version), "9.9.8"), 1, f"{path} is of version 9.9.8, not {version}"))
    for name, (path, _) in release.FORMS.items():
        cases.append((name, lambda folder, name=name: edit(folder, "docs/versions.md", r"^(\| " + re.escape(name) + r"[^|]*\| )\d+", r"\g<1>999"), 1, f"'{name}' is"))
    cases += [
        ("a date", lambda folder: edit(folder, "CHANGELOG.md", TODAY, "2020-02-02"), 1, "dates " + version + " 2020-02-02"),
        ("no files", lambda folder: shutil.rmtree(os.path.join(folder, "tests", "versions", version)), 1, "has no files of this version"),
        ("a tag", lambda folder: git(folder, "tag", f"v{version}"), 1, f"there is a tag v{version} already"),
    ]
    with tempfile.TemporaryDirectory() as place:
        for number, (what, change, status, says) in enumerate(cases):
            folder = os.path.join(place, str(number))
            os.mkdir(folder)
            tree(folder, version)
            change(folder)
            commit(folder)
            expect(check(folder, version), status, says, what)
        folder = os.path.join(place, "0")
        with open(os.path.join(folder, "more.txt"), "w", encoding="utf-8") as f:
            f.write("more\n")
        expect(check(folder, version), 1, "more.txt", "what is not committed")
        folder = os.path.join(place, "whole")
        os.mkdir(folder)
        said, asked, sums = whole(folder, version)
        wanted = [f"package --architecture {name}" + (" --without-archive" if number else "") for number, name in enumerate(architecture.ALL)]
        expect((asked == wanted, str(asked)), True, "", "each processor's packages, and one archive")
        made = {"smec.tar.gz": "a", **{f"smec-{name}.whl": name for name in architecture.ALL}}
        good = sums == [[hashlib.sha256(made[name].encode() + b"\n").hexdigest(), name] for name in sorted(made)]
        expect((good, str(sums)), True, "", "sums of all that was made")
        expect((f"git tag -a v{version} " in said, said), True, "", "the tag")
        expect(check(folder, "0.1"), 2, "a version is like 0.1.0", "a version")
    print(f"{len(cases) + 5 - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
