#!/usr/bin/env python3
"""The archive of the sources, of small libraries: what is in it, what of Boost is taken, that it is the same twice; and that what is missing is
refused by its name. ./sme package --check builds smec of the whole one."""
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

ROOT = os.environ["SMEC_SOURCE_DIR"]
sys.path.insert(0, os.path.join(ROOT, "packaging"))
import archive  # noqa: E402
import build as package  # noqa: E402
import make_packages  # noqa: E402

BOOST = {"boost/multiprecision/cpp_int.hpp": '#include <boost/a.hpp>\n# include "detail/b.hpp"\n', "boost/a.hpp": "#include <vector>\n#include <boost/absent.hpp>\n",
         "boost/multiprecision/detail/b.hpp": '#include "../../a.hpp"\n', "boost/other.hpp": "", "boost/config/user.hpp": "", "CLI/CLI.hpp": "", "nlohmann/json.hpp": ""}
GRAMMAR = ("SmeLexer", "SmeParser", "SmeParserVisitor")


class Build:
    """As packaging/build.py leaves it."""

    def __init__(self, folder):
        self.folder = folder

    def path(self, *parts):
        return os.path.join(self.folder, "x", *parts)

    def common(self, *parts):
        return os.path.join(self.folder, *parts)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def made(folder):
    """A tree in which each library has one file of each pattern; the names that an archive of it has in libraries/."""
    names = set()
    for name, patterns in archive.KEPT.items():
        for pattern in [*patterns, "debian/copyright"]:
            file = re.sub(r"\[(.)[^]]*\]", r"\1", pattern.replace("**/", "deep/").replace("*", "f"))
            write(os.path.join(folder, "sources", f"{name}-1.0", file), name)
            names.add(f"{name}-1.0/{file}")
        write(os.path.join(folder, "sources", f"{name}-1.0", "programs", "main.py"), "")
    for name, text in BOOST.items():
        write(os.path.join(folder, "include", name), text)
    names |= {f"include/{name}" for name in BOOST if name != "boost/other.hpp"}
    for package_name, (name, _) in archive.HEADERS.items():
        write(os.path.join(folder, "documents", package_name, "copyright"), name)
        names.add(f"include/{name}/copyright")
    for name in GRAMMAR:
        for end in ("cpp", "h"):
            write(os.path.join(folder, "x", "tree", "generated", "grammar", f"{name}.{end}"), f"// Generated from /some/where/{name}.g4\n")
            names.add(f"grammar/{name}.{end}")
    return names | {"grammar/made-of"}


def source(name):
    """What a commit has."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as files:
        member = tarfile.TarInfo(f"{name}/README.md")
        member.size = 3
        files.addfile(member, io.BytesIO(b"abc"))
    return content.getvalue(), 1234567890


def make(folder, to="out"):
    target = os.path.join(folder, to)
    os.makedirs(target, exist_ok=True)
    return archive.make(Build(folder), target, "1.2.3", source, include=os.path.join(folder, "include"), documents=os.path.join(folder, "documents"))


def contents(folder):
    names = made(folder)
    path = make(folder)
    assert os.path.basename(path) == "smec-1.2.3.tar.gz", path
    with tarfile.open(path) as files:
        found = {member.name: files.extractfile(member).read() for member in files}
        assert {member.mtime for member in files if "/libraries/" in member.name} == {1234567890}
    wanted = {"smec-1.2.3/README.md", *(f"smec-1.2.3/libraries/{name}" for name in names)}
    assert set(found) == wanted, set(found) ^ wanted
    assert found["smec-1.2.3/libraries/grammar/SmeLexer.h"] == b"// Generated from SmeLexer.g4\n", "the parser names a folder of who made it"
    assert found["smec-1.2.3/libraries/grammar/made-of"].decode() == archive.hash_of_grammar(ROOT)
    with open(path, "rb") as first, open(make(folder, "again"), "rb") as second:
        assert first.read() == second.read(), "an archive of the same files is another one"


def boost(place):
    """Every header of Boost that smec includes, by whatever name, is in the archive: the compiler says which there are."""
    included = set()
    for folder, _, names in os.walk(os.path.join(ROOT, "compiler")):
        for name in names:
            if name.endswith((".h", ".cpp")):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    included |= set(re.findall(r"^#include <(boost/[^>]+)>", file.read(), re.M))
    assert included, "nothing includes Boost"
    path = os.path.join(place, "all.cpp")
    write(path, "".join(f"#include <{name}>\n" for name in sorted(included)))
    used = set(re.findall(r"/usr/include/(boost/\S+)", subprocess.run(["g++", "-std=c++20", "-M", path], stdout=subprocess.PIPE, text=True, check=True).stdout))
    missing = {os.path.normpath(name) for name in used} - set(archive.closure("/usr/include", *archive.HEADERS["libboost-dev"]))
    assert len(used) > 100 and not missing, f"of Boost the archive has no {sorted(missing)}"


def refused(folder, says, make_it):
    try:
        make_it(folder)
    except (package.Failed, OSError) as problem:
        assert says in str(problem), f"'{problem}' does not say '{says}'"
    else:
        raise AssertionError(f"made without {says}")


def refusals(place):
    cases = [("metis has no debian/copyright", "sources/metis-1.0/debian"), ("lz4 has no lib/lz4.[ch]", "sources/lz4-1.0/lib"), ("libboost-dev has no boost", "include/boost"),
             ("libcli11-dev", "documents/libcli11-dev"), ("libcli11-dev has no CLI/", "include/CLI"), ("the parser is not written", "x/tree")]
    for number, (says, removed) in enumerate(cases):
        folder = os.path.join(place, str(number))
        made(folder)
        shutil.rmtree(os.path.join(folder, removed))
        refused(folder, says, make)


def licences(place):
    """All that is linked in has one, and what has none is named."""
    folder = os.path.join(place, "licences")
    build = package.Build(folder, 1)
    made(folder)
    ziglang = os.path.join(folder, "ziglang")
    write(os.path.join(folder, "sources", "ninja-build-1", "debian", "copyright"), "ninja")
    write(os.path.join(ziglang, "zig"), "")
    for path in package.OF_ZIG.values():
        write(os.path.join(ziglang, path), path)
    os.makedirs(os.path.join(folder, "venv"))
    os.symlink(os.path.join(ziglang, "zig"), os.path.join(folder, "venv", "zig"))
    documents = os.path.join(folder, "documents")
    names = [name for name, _ in build.licences(documents)]
    assert names == [*package.LIBRARIES, *package.HEADERS.values(), *package.OF_ZIG, *package.COMMON], names
    for says, removed in (("the licence of CLI11 is missing", "documents/libcli11-dev"), ("the licence of libunwind is missing", "ziglang/lib/libunwind"), ("the licence of zlib is missing", "sources/zlib-1.0")):
        shutil.move(os.path.join(folder, removed), os.path.join(folder, "away"))
        refused(folder, says, lambda _: list(build.licences(documents)))
        shutil.move(os.path.join(folder, "away"), os.path.join(folder, removed))
    debian(folder, names)


def debian(folder, names):
    """The file `copyright` names all of them; who maintains the package is told by the environment."""
    compiler = make_packages.Package(os.path.join(folder, "deb"), "smec", "1.2.3", "arm64")
    os.makedirs(compiler.path("usr", "share", "doc", "smec"))
    make_packages.copyright_of(compiler, names)
    with open(compiler.path("usr", "share", "doc", "smec", "copyright"), encoding="utf-8") as file:
        text = file.read()
    assert text.startswith("Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n") and all(name in text for name in names), text
    assert "\nFiles: *\nCopyright: the smec authors\nLicense: Expat\n MIT License\n .\n" in text.replace("(c) ", ""), text
    assert not re.search(r"\n\n[^A-Z]|\n\n\n", text), "a paragraph begins with no field"
    os.environ.update(DEBFULLNAME="A Name", DEBEMAIL="a@example.org")
    shown = subprocess.run(["dpkg-deb", "-f", compiler.write(folder, {}, "title", "text"), "Maintainer", "Architecture"], stdout=subprocess.PIPE, text=True, check=True).stdout
    assert shown == "Maintainer: A Name <a@example.org>\nArchitecture: arm64\n", shown
    os.environ["DEBEMAIL"] = "no address"
    try:
        make_packages.maintainer()
    except ValueError as problem:
        assert "'no address'" in str(problem), problem
    else:
        raise AssertionError("any word is an address")


def main():
    with tempfile.TemporaryDirectory() as place:
        contents(os.path.join(place, "whole"))
        boost(place)
        refusals(place)
        licences(place)


if __name__ == "__main__":
    main()
