#!/usr/bin/env python3
"""./sme release VERSION: checks that the tree is that version and passes all checks, makes what is handed out, and prints the tag to make.

Each check says what it looked at; the first that fails ends it with status 1, and nothing has been written. What is made lies in dist/:
what ./sme package makes, and SHA256SUMS over it. Nothing is published, and no tag is made.
"""
import argparse
import datetime
import hashlib
import os
import re
import subprocess
import sys

import architecture

# Where the version of smec stands, and what stands around it.
PLACES = {
    "CMakeLists.txt": r"^project\(smec VERSION (\S+) ",
    "compiler/driver/system/version.h": r'^#define SMEC_VERSION "([^"]+)"',
    "bindings/python/pyproject.toml": r'^version = "([^"]+)"',
    "CHANGELOG.md": r"^## \[(\d[^\]]*)\]",
    "docs/versions.md": r"^\| what \| number in (\S+) \|",
}
# Rows of docs/versions.md, and where their numbers stand.
FORMS = {
    "checkpoint": ("formats/include/formats/checkpoint_file.h", r"kCheckpointVersion = (\d+);"),
    "state": ("contract/include/sme/state_format.h", r"kStateVersion = (\d+);"),
    "shard": ("formats/src/shard_file.cpp", r"kShardVersion = (\d+);"),
    "`model.bin`": ("contract/include/sme/model.h", r"kModelVersion = (\d+);"),
    "C interface": ("contract/include/sme/simulation.h", r"SME_SIMULATION_VERSION (\d+)u"),
}


class Refused(Exception):
    pass


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as f:
        return f.read()


def one(root, path, pattern):
    found = re.search(pattern, read(root, path), re.M)
    if not found:
        raise Refused(f"{path} tells no version: nothing there is like {pattern}")
    return found.group(1)


def git(root, *words):
    return subprocess.run(["git", "-C", root, *words], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def checkVersions(root, version):
    for path, pattern in PLACES.items():
        found = one(root, path, pattern)
        if found != version:
            raise Refused(f"{path} is of version {found}, not {version}")
    return f"{version} in {len(PLACES)} files"


def checkForms(root):
    """The table of what outlives a build has the numbers of the sources."""
    page = read(root, "docs/versions.md")
    for name, (path, pattern) in FORMS.items():
        row = re.search(r"^\| " + re.escape(name) + r"[^|]*\| (\d+)", page, re.M)
        number = one(root, path, pattern)
        if not row or row.group(1) != number:
            raise Refused(f"docs/versions.md: '{name}' is {number} in {path}, not {row.group(1) if row else 'there'}")
    return f"{len(FORMS)} numbers of docs/versions.md"


def checkDate(root, version, today):
    date = one(root, "CHANGELOG.md", r"^## \[" + re.escape(version) + r"\] - (\S+)$")
    if date != today:
        raise Refused(f"CHANGELOG.md dates {version} {date}; today is {today}")
    return f"{version} is dated {date}"


def checkFiles(root, version):
    if not os.path.isfile(os.path.join(root, "tests", "versions", version, "made.json")):
        raise Refused(f"tests/versions/{version} has no files of this version; tests/versions/versions.py --make {version}")
    return f"files of {version} are kept in tests/versions"


def checkTree(root, version):
    changed = git(root, "status", "--porcelain")
    if changed:
        raise Refused("the tree has changes that are not committed:\n" + changed)
    if git(root, "tag", "--list", f"v{version}"):
        raise Refused(f"there is a tag v{version} already")
    return "commit " + git(root, "rev-parse", "--short", "HEAD")


def checkAll(root):
    """.ci/run in a clone of the commit. What passed is noted, and not run again."""
    commit = git(root, "rev-parse", "HEAD")
    note = os.path.join(root, "build", "checked", commit)
    if not os.path.exists(note):
        clone = os.path.join(root, "build", "checked", "clone")
        subprocess.run(["rm", "-rf", clone], check=True)
        git(root, "clone", "--quiet", root, clone)
        if subprocess.run([os.path.join(clone, ".ci", "run")], cwd=clone, check=False).returncode != 0:
            raise Refused(f".ci/run failed in {clone}")
        with open(note, "w", encoding="utf-8") as f:
            f.write(datetime.datetime.now().isoformat() + "\n")
    return f".ci/run passed for {commit[:8]}"


def makeSums(dist):
    names = sorted(name for name in os.listdir(dist) if name != "SHA256SUMS" and os.path.isfile(os.path.join(dist, name)))
    with open(os.path.join(dist, "SHA256SUMS"), "w", encoding="utf-8") as out:
        for name in names:
            with open(os.path.join(dist, name), "rb") as f:
                out.write(f"{hashlib.file_digest(f, 'sha256').hexdigest()}  {name}\n")
    return names


def main():
    parser = argparse.ArgumentParser(prog="./sme release", description="Checks a version, makes what is handed out in dist/, and prints the tag to make.")
    parser.add_argument("version")
    parser.add_argument("--root", default=os.path.dirname(os.path.dirname(os.path.abspath(__file__))), help=argparse.SUPPRESS)
    parser.add_argument("--only-check", action="store_true", help="look at the tree alone: no .ci/run, and nothing is made")
    parser.add_argument("--today", default=datetime.date.today().isoformat(), help=argparse.SUPPRESS)
    given = parser.parse_args()
    root, version = given.root, given.version
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        parser.error(f"a version is like 0.1.0, not '{version}'")
    checks = [lambda: checkVersions(root, version), lambda: checkForms(root), lambda: checkDate(root, version, given.today), lambda: checkFiles(root, version),
              lambda: checkTree(root, version)]
    if not given.only_check:
        checks.append(lambda: checkAll(root))
    try:
        for check in checks:
            print("release:", check(), flush=True)
    except Refused as why:
        print("release: error:", why, file=sys.stderr)
        sys.exit(1)
    if given.only_check:
        return
    dist = os.path.join(root, "dist")
    subprocess.run(["rm", "-rf", dist], check=True)
    for number, name in enumerate(architecture.ALL):
        more = ["--without-archive"] if number else []
        subprocess.run([os.path.join(root, "sme"), "package", "--architecture", name, *more], cwd=root, check=True)
    for name in makeSums(dist):
        print("release: dist/" + name)
    print(f"release: all is made; the tag:\n\n    git tag -a v{version} -m 'smec {version}' {git(root, 'rev-parse', '--short', 'HEAD')}")


if __name__ == "__main__":
    main()
