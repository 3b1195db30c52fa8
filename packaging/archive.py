"""The archive of the sources: those of a commit, and below libraries/ those of the libraries that smec is made of and the parser that ANTLR
writes, so that a C++ compiler, CMake and Ninja are all that it takes (cmake/SmecLibraries.cmake)."""
import glob
import gzip
import hashlib
import io
import os
import re
import subprocess
import tarfile

from build import SOURCE, Failed

# What is read of each library, beside its licence.
KEPT = {"antlr4-cpp-runtime": ["runtime/src/**/*.cpp", "runtime/src/**/*.h"], "fmtlib": ["include/**/*.h", "src/format.cc", "src/os.cc"], "lz4": ["lib/lz4.[ch]"],
        "metis": [f"{folder}/**/*.[ch]" for folder in ("GKlib", "include", "libmetis")], "xxhash": ["xxhash.[ch]"], "zlib": ["*.[ch]"]}
# Libraries of headers alone: Debian's package, the folder, and where reading begins; empty: all of it.
HEADERS = {"libboost-dev": ("boost", "multiprecision/cpp_int.hpp"), "libcli11-dev": ("CLI", ""), "nlohmann-json3-dev": ("nlohmann", "")}
# Folders of Boost whose headers are named by macros.
WHOLE = ("config", "mpl", "predef", "preprocessor")
GRAMMAR = ("SmeLexer.g4", "SmeParser.g4")


def closure(root, folder, first):
    """The files below root/folder that `first` includes, whatever its conditions say, relative to root."""
    found, left = set(), [f"{folder}/{first}"]
    left += [os.path.relpath(path, root) for part in WHOLE for path in glob.glob(f"{root}/{folder}/{part}/**/*.*", recursive=True)]
    while left:
        name = os.path.normpath(left.pop())
        path = os.path.join(root, name)
        if name in found or not os.path.isfile(path):
            continue
        found.add(name)
        with open(path, encoding="utf-8", errors="replace") as file:
            for bracket, included in re.findall(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', file.read(), re.M):
                if included.startswith(folder + "/"):
                    left.append(included)
                elif bracket == '"':
                    left.append(os.path.join(os.path.dirname(name), included))
    return sorted(found)


def hash_of_grammar(root):
    """As cmake/SmecGrammar.cmake asks for it."""
    return "".join(hashlib.sha256(read(os.path.join(root, "grammar", name))).hexdigest() + "\n" for name in GRAMMAR)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def libraries(build, include="/usr/include", documents="/usr/share/doc"):
    """(name in libraries/, content) of each file."""
    for name, patterns in KEPT.items():
        for pattern in [*patterns, "debian/copyright"]:
            files = glob.glob(build.common("sources", f"{name}-*", pattern), recursive=True)
            if not files:
                raise Failed(f"{name} has no {pattern}")
            for path in files:
                yield os.path.relpath(path, build.common("sources")), read(path)
    for package, (name, first) in HEADERS.items():
        files = closure(include, name, first) if first else [os.path.relpath(path, include) for path in glob.glob(f"{include}/{name}/**/*.*", recursive=True)]
        if not files:
            raise Failed(f"{package} has no {name}/{first}")
        for each in files:
            yield f"include/{each}", read(os.path.join(include, each))
        yield f"include/{name}/copyright", read(os.path.join(documents, package, "copyright"))
    generated = build.path("tree", "generated", "grammar")
    for path in glob.glob(os.path.join(generated, "*.cpp")) + glob.glob(os.path.join(generated, "*.h")):
        yield f"grammar/{os.path.basename(path)}", re.sub(rb"(?m)^(// Generated from ).*/(Sme\w+\.g4)", rb"\1\2", read(path))
    yield "grammar/made-of", hash_of_grammar(SOURCE).encode()


def committed(name):
    """The files of the commit below that name, as a tar archive, and its date."""
    date = int(subprocess.run(["git", "-C", SOURCE, "show", "-s", "--format=%ct", "HEAD"], check=True, stdout=subprocess.PIPE).stdout)
    return subprocess.run(["git", "-C", SOURCE, "archive", f"--prefix={name}/", "HEAD"], check=True, stdout=subprocess.PIPE).stdout, date


def make(build, target, version, source=committed, **places):
    """The same for the same commit and libraries. `places`: of libraries()."""
    name = f"smec-{version}"
    path = os.path.join(target, f"{name}.tar.gz")
    commit, date = source(name)
    added = dict(libraries(build, **places))
    if len([each for each in added if each.startswith("grammar/Sme")]) < 6:
        raise Failed("the parser is not written")
    with open(path, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as packed, tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        with tarfile.open(fileobj=io.BytesIO(commit)) as own:
            for member in own:
                archive.addfile(member, own.extractfile(member) if member.isfile() else None)
        for each in sorted(added):
            member = tarfile.TarInfo(f"{name}/libraries/{each}")
            member.size, member.mtime, member.mode = len(added[each]), date, 0o644
            archive.addfile(member, io.BytesIO(added[each]))
    return path
