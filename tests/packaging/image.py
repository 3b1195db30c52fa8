#!/usr/bin/env python3
"""Dockerfile and .devcontainer/: what they name is there, and the packages are those of ./sme. ./sme package --check runs the commands."""
import json
import os
import re
import sys

ROOT = os.environ["SMEC_SOURCE_DIR"]
sys.path.insert(0, os.path.join(ROOT, "packaging"))
import dockerfile  # noqa: E402


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def reader():
    a, b = dockerfile.parse("# x\nFROM debian:12 AS a\nRUN x \\\n    && apt-get install -y p \\\n  q && y\n\nFROM a\nCOPY --from=a /x y /z\nCMD [\"x\"]\n")
    assert (a.base, a.name, a.steps) == ("debian:12", "a", [("RUN", "x && apt-get install -y p q && y")]), a
    assert dockerfile.packages(a) == {"p", "q"} and (b.base, b.name) == ("a", ""), b
    assert dockerfile.copied(b.steps[0][1]) == ("a", ["/x", "y"], "/z"), b
    stages = dockerfile.parse("FROM d AS x\nFROM d AS y\nFROM x AS z\nFROM d\nCOPY --from=z a b\n")
    assert [stage.name for stage in dockerfile.used(stages)] == ["x", "z", ""], dockerfile.used(stages)
    try:
        dockerfile.parse("FROM a\nADD x y\n")
    except dockerfile.Unknown as problem:
        assert str(problem) == "ADD x y"
    else:
        raise AssertionError("ADD is taken")


def image(stages):
    names = []
    for stage in stages:
        assert stage.base == "debian:12" or stage.base in names, f"FROM {stage.base}"
        for instruction, rest in stage.steps:
            if instruction == "COPY":
                origin, sources, _ = dockerfile.copied(rest)
                assert origin in names if origin else all(os.path.exists(os.path.join(ROOT, each)) for each in sources), f"COPY {rest}"
            if instruction in ("ENTRYPOINT", "CMD"):
                assert all(isinstance(word, str) for word in json.loads(rest)), rest
        names.append(stage.name)
    assert "://" not in read("Dockerfile"), "a host is named"
    needed = set(re.search(r"^buildPackages=\(([^)]*)\)", read("sme"), re.M).group(1).split())
    tools = {stage.name: stage for stage in stages}["tools"]
    missing = needed - dockerfile.packages(tools)
    assert not missing, f"Dockerfile does not install {sorted(missing)}"
    archive({stage.name: stage for stage in stages}["build"])
    return names


def archive(stage):
    """What is checked of the archive is what docs/install.md says of it."""
    text = read("docs/install.md")
    section = text[text.index("The archive `dist/smec-"):]
    named = re.search(r"apt install ([^\n]+)", section).group(1).split()
    assert dockerfile.packages(stage) == set(named), (dockerfile.packages(stage), named)
    commands = " && ".join(rest for instruction, rest in stage.steps if instruction == "RUN")
    for command in re.findall(r"^(cmake .*?)(?: --prefix .*)?$", section, re.M)[:3]:
        assert command in commands, f"the image is not built by '{command}'"


def container(names):
    about = json.loads(read(".devcontainer/devcontainer.json"))
    at = os.path.join(ROOT, ".devcontainer")
    assert os.path.samefile(os.path.join(at, about["build"]["dockerfile"]), os.path.join(ROOT, "Dockerfile"))
    assert os.path.samefile(os.path.join(at, about["build"]["context"]), ROOT)
    assert about["build"]["target"] in names, about
    assert about["postCreateCommand"] == "./sme build"
    ignored = set(read(".dockerignore").split())
    missing = {line.strip("/") for line in read(".gitignore").splitlines() if re.fullmatch(r"/[.\w]+/", line)} - ignored
    assert not missing, f".dockerignore has no {sorted(missing)}"


def main():
    reader()
    container(image(dockerfile.parse(read("Dockerfile"))))


if __name__ == "__main__":
    main()
