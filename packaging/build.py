"""Compiler, runtime, host and Python extension for any Linux with glibc 2.28, by Zig's clang: what the packages hold.

Under one folder: venv/ with Zig, sources/ of the libraries that are linked in, emulator/; and in a folder of each processor's name zig/ with
the programs that CMake calls, root/ of those libraries, tree/ where smec is built, stage/ where it is installed."""
import glob
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig

import architecture
import emulator

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ZIG, AUDITWHEEL = "ziglang==0.17.1", "auditwheel"
FLAGS = ["-fno-sanitize=undefined", "-g0"]
LIBRARIES = ("antlr4-cpp-runtime", "fmtlib", "lz4", "metis", "ninja-build", "xxhash", "zlib")
HEADERS = {"libboost-dev": "boost", "libcli11-dev": "CLI11", "nlohmann-json3-dev": "nlohmann_json"}  # and what they are called in licences/
# What Zig links into every program and library, and where in its folder the licence is: its own compiler_rt, the C++ library, and the
# objects with which a program of glibc begins.
OF_ZIG = {"zig": "LICENSE", "libcxx": "lib/libcxx/LICENSE.TXT", "libcxxabi": "lib/libcxxabi/LICENSE.TXT", "libunwind": "lib/libunwind/LICENSE.TXT",
          "glibc": "lib/libc/glibc/LICENSES"}
COMMON = ("Apache-2.0", "LGPL-2.1")  # texts that those of Debian's libraries refer to, and other systems do not have


class Failed(Exception):
    pass


def version():
    with open(os.path.join(SOURCE, "CMakeLists.txt"), encoding="utf-8") as file:
        return re.search(r"^project\(smec VERSION ([0-9.]+)", file.read(), re.M).group(1)


class Build:
    def __init__(self, folder, jobs, name=architecture.own()):
        self.shared, self.folder, self.jobs, self.architecture = folder, os.path.join(folder, name), jobs, architecture.ALL[name]
        self.target = [*self.architecture.target, *FLAGS]
        os.makedirs(self.folder, exist_ok=True)
        cache = os.path.join(folder, "cache")
        self.environment = {**os.environ, "ZIG_GLOBAL_CACHE_DIR": cache, "ZIG_LOCAL_CACHE_DIR": cache}

    def path(self, *parts):
        """Of this processor alone."""
        return os.path.join(self.folder, *parts)

    def common(self, *parts):
        return os.path.join(self.shared, *parts)

    def is_foreign(self):
        return self.architecture.name != architecture.own()

    def emulator(self):
        """The words before a program of this processor; none where it is the machine's."""
        return [] if not self.is_foreign() else emulator.words(self)

    def run(self, *words, cwd=None):
        """Says all that was said where it fails."""
        done = subprocess.run(words, cwd=cwd or self.folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, encoding="utf-8", errors="replace", check=False)
        if done.returncode != 0:
            raise Failed(f"{shlex.join(words)}\n{done.stdout}")
        return done.stdout

    def make_zig(self):
        """The programs cc, c++, ar and ranlib."""
        zig = self.common("venv", "zig")
        if not os.path.exists(zig):
            say("fetching Zig")
            shutil.rmtree(self.common("venv"), ignore_errors=True)
            self.run(sys.executable, "-m", "venv", self.common("venv"))
            self.run(self.common("venv", "bin", "pip"), "install", "--quiet", "--disable-pip-version-check", ZIG, AUDITWHEEL)
            found = glob.glob(self.common("venv", "lib", "python3*", "site-packages", "ziglang", "zig"))
            os.symlink(found[0], zig)
        os.makedirs(self.path("zig"), exist_ok=True)
        for program, arguments in (("cc", self.target), ("c++", self.target), ("ar", []), ("ranlib", [])):
            text = f'#!/bin/sh\nexec {shlex.join([os.path.realpath(zig), program, *arguments])} "$@"\n'
            if read(self.path("zig", program)) != text:
                write(self.path("zig", program), text)
                os.chmod(self.path("zig", program), 0o755)

    def cmake(self, source, tree, *definitions):
        self.run("cmake", "-S", source, "-B", tree, "-G", "Ninja", f"-DCMAKE_TOOLCHAIN_FILE={SOURCE}/packaging/zig.cmake", f"-DSMEC_ZIG={self.path('zig')}",
                 f"-DSMEC_ZIG_ROOT={self.path('root')}", f"-DSMEC_ZIG_PROCESSOR={self.architecture.name}", f"-DCMAKE_CROSSCOMPILING_EMULATOR={';'.join(self.emulator())}",
                 "-DCMAKE_BUILD_TYPE=Release", *definitions)

    def fetch_sources(self):
        """By apt, from where the system's packages come from; checked as those are."""
        folder = self.common("sources")
        if all(glob.glob(os.path.join(folder, f"{name}-*", "")) for name in LIBRARIES):
            return
        say("fetching the sources of the libraries")
        apt = self.common("apt")
        for part in (folder, os.path.join(apt, "lists", "partial"), os.path.join(apt, "archives", "partial")):
            os.makedirs(part, exist_ok=True)
        write(os.path.join(apt, "debian.sources"), sources_of_sources())
        options = ["-o", f"Dir::Etc::sourcelist={apt}/debian.sources", "-o", "Dir::Etc::sourceparts=-", "-o", f"Dir::State::lists={apt}/lists",
                   "-o", f"Dir::Cache={apt}", "-o", "APT::Sandbox::User="]
        self.run("apt-get", *options, "update")
        self.run("apt-get", *options, "source", *LIBRARIES, cwd=folder)

    def make_libraries(self):
        stamp = self.path("root", "made-of")
        made_of = "\n".join([ZIG, *self.target, *sorted(os.path.basename(os.path.dirname(each)) for each in glob.glob(self.common("sources", "*", ""))),
                             read(os.path.join(SOURCE, "packaging", "thirdparty", "CMakeLists.txt")), read(os.path.join(SOURCE, "packaging", "zig.cmake"))])
        if read(stamp) == made_of:
            return
        say("building the libraries that are linked in")
        self.cmake(os.path.join(SOURCE, "packaging", "thirdparty"), self.path("libraries"), f"-DCMAKE_INSTALL_PREFIX={self.path('root')}", f"-DSOURCES={self.common('sources')}")
        self.run("ninja", "-C", self.path("libraries"), "-j", str(self.jobs), "install")
        write(stamp, made_of)

    def make_smec(self):
        say("building smec")
        off = [f"-D{name}=OFF" for name in ("SMEC_TESTS", "SMEC_E2E_TESTS", "SMEC_MOLD", "SMEC_CCACHE", "SME_MPICXX_openmpi", "SME_MPICXX_mpich", "SMEC_LIBCLANG_INCLUDE")]
        on = [f"-D{name}=ON" for name in ("SMEC_PCH", "SMEC_UNITY", "SMEC_PACKAGE", "Boost_NO_BOOST_CMAKE")]
        self.cmake(SOURCE, self.path("tree"), "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG", f"-DSMEC_NINJA={self.path('root', 'bin', 'ninja')}", *off, *on)
        self.run("ninja", "-C", self.path("tree"), "-j", str(self.jobs), "smec")
        shutil.rmtree(self.path("stage"), ignore_errors=True)
        self.run("cmake", "--install", self.path("tree"), "--prefix", self.path("stage"))
        self.add_texts()

    def add_texts(self):
        """Documentation, examples, and the licences of all that is linked in."""
        documentation = self.path("stage", "share", "doc", "smec")
        shutil.copytree(os.path.join(SOURCE, "docs"), documentation, dirs_exist_ok=True)
        shutil.copyfile(os.path.join(SOURCE, "README.md"), os.path.join(documentation, "README.md"))
        shutil.copytree(os.path.join(SOURCE, "examples"), self.path("stage", "share", "smec", "examples"))
        os.makedirs(os.path.join(documentation, "licences"))
        for name, text in self.licences():
            shutil.copyfile(text, os.path.join(documentation, "licences", name))

    def licences(self, documents="/usr/share/doc"):
        """(name, file) of all that is linked in."""
        ziglang = os.path.dirname(os.path.realpath(self.common("venv", "zig")))
        for name, pattern in [*((name, self.common("sources", f"{name}-*", "debian", "copyright")) for name in LIBRARIES),
                              *((name, os.path.join(documents, package, "copyright")) for package, name in HEADERS.items()),
                              *((name, os.path.join(ziglang, path)) for name, path in OF_ZIG.items()),
                              *((name, os.path.join("/usr/share/common-licenses", name)) for name in COMMON)]:
            found = glob.glob(pattern)
            if len(found) != 1:
                raise Failed(f"the licence of {name} is missing: there is no {pattern}")
            yield name, found[0]

    def make_extension(self):
        """One for all versions of Python from 3.9 on: bindings/python/src/python.h."""
        say("building the Python extension")
        source = os.path.join(SOURCE, "bindings", "python", "src")
        paths = sysconfig.get_paths()
        multiarch = os.path.join("/usr/include", sysconfig.get_config_var("MULTIARCH") or "")  # Debian's pyconfig.h is there
        link = self.path("root", "include", os.path.basename(multiarch))
        if os.path.exists(os.path.join(multiarch, os.path.basename(paths["include"]))) and not os.path.islink(link):
            os.makedirs(link, exist_ok=True)
            shutil.copytree(os.path.join(multiarch, os.path.basename(paths["include"])), os.path.join(link, os.path.basename(paths["include"])), dirs_exist_ok=True)
        exports = self.path("extension.map")
        write(exports, "{ global: PyInit__core; local: *; };\n")
        self.run(self.path("zig", "c++"), "-shared", "-fPIC", "-s", "-std=c++17", "-O2", "-fvisibility=hidden", "-fno-strict-aliasing", "-DNDEBUG",
                 "-DPy_LIMITED_API=0x030B0000", '-DSMEC_CHECKOUT=""', "-isystem", paths["include"], "-isystem", self.path("root", "include"),
                 "-I", os.path.join(SOURCE, "contract", "include"), *sorted(glob.glob(os.path.join(source, "*.cpp"))), f"-Wl,--version-script={exports}",
                 "-o", self.path("_core.abi3.so"))

    def all(self):
        self.make_zig()
        self.fetch_sources()
        self.make_libraries()
        self.make_smec()
        self.make_extension()


def sources_of_sources():
    """The system's list of places with Debian packages, as one of places with their sources."""
    with open("/etc/os-release", encoding="utf-8") as file:
        codename = re.search(r"^VERSION_CODENAME=(\w+)", file.read(), re.M).group(1)
    texts = []
    for path in ["/etc/apt/sources.list", *sorted(glob.glob("/etc/apt/sources.list.d/*"))]:
        for block in re.split(r"\n\s*\n", read(path)):
            lines = [line for line in block.splitlines() if line and not line.startswith("#")]
            if path.endswith(".sources") and any(re.match(rf"Suites:.*\b(?<!-){codename}", line) for line in lines):
                texts.append("\n".join(re.sub(r"^Types:.*", "Types: deb-src", line) for line in lines))
            for line in lines if path.endswith(".list") else []:
                if found := re.match(rf"deb\s+(\[[^]]*\]\s+)?(\S+)\s+({codename}\S*)\s+(.*)", line):
                    options, uri, suite, components = found.groups()
                    signed = re.search(r"signed-by=([^\s\]]+)", options or "")
                    texts.append(f"Types: deb-src\nURIs: {uri}\nSuites: {suite}\nComponents: {components}" + (f"\nSigned-By: {signed.group(1)}" if signed else ""))
    if not texts:
        raise Failed("apt has no list of Debian packages; packages are made on Debian or Ubuntu")
    return "\n\n".join(texts) + "\n"


def say(text):
    print(f"sme: {text}", file=sys.stderr, flush=True)


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return ""


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
