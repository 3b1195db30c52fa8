"""The mutated compiler and its unit tests, made from a finished build tree: only rewritten sources are compiled again."""
import concurrent.futures
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess

import rewrite

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
# What is mutated. In ir and sema: exact arithmetic, intervals and demanded bits.
SOURCES = ["compiler/elab", "compiler/rewrite", "compiler/lower", "compiler/passes", "compiler/codegen", "compiler/ir/arithmetic.cpp", "compiler/ir/demanded.cpp",
           "compiler/ir/interval_arithmetic.cpp", "compiler/ir/intervals.cpp", "compiler/ir/machine.cpp", "compiler/ir/simplify.cpp",
           "compiler/sema/interval.cpp", "compiler/sema/check/demand.cpp"]
PROGRAMS = ["smec", "test_elab", "test_sema", "test_ir", "test_passes", "test_lower", "test_plan", "test_codegen"]
STRIDE = 500    # numbers of a source start at a multiple, so that an edit moves no others
ROUNDS = 8      # of leaving out what does not compile


class Source:
    def __init__(self, path, command, folder):
        self.path = path                                    # below ROOT
        self.name = re.sub(r"[/.]", "_", path[len("compiler/"):])
        self.phase = path.split("/")[1]
        words = [w for w in shlex.split(command)[1:] if not re.match(r"-fpch-preprocess|-Winvalid-pch|-W|-O", w)]
        for flag in ("-o", "-c", "-include"):
            while flag in words:
                at = words.index(flag)
                del words[at:at + (2 if flag != "-c" else 1)]
        self.arguments = [w for w in words if not w.endswith(".cpp")]
        self.rewritten, self.object = os.path.join(folder, self.name + ".cpp"), os.path.join(folder, self.name + ".o")
        self.sites = []

    def absolute(self):
        return os.path.join(ROOT, self.path)


def listSources(tree, folder):
    with open(os.path.join(tree, "compile_commands.json"), encoding="utf-8") as f:
        commands = {os.path.relpath(e["file"], ROOT): e["command"] for e in json.load(f)}
    paths = sorted(p for p in commands if any(p == s or p.startswith(s + "/") for s in SOURCES))
    return [Source(p, commands[p], folder) for p in paths]


def parse(source, cache, precompiled):
    """The sites of a source; kept in the cache by the text of the source and of the rewriter."""
    digest = hashlib.sha256()
    for path in (source.absolute(), rewrite.__file__):
        with open(path, "rb") as f:
            digest.update(f.read())
    kept = os.path.join(cache, f"{source.name}.{digest.hexdigest()[:16]}.json")
    if not os.path.exists(kept):
        sites = rewrite.findSites(source.absolute(), source.arguments + ["-x", "c++", "-include-pch", precompiled, "-w"])
        with open(kept + ".tmp", "w", encoding="utf-8") as f:
            json.dump([s.asList() for s in sites], f)
        os.replace(kept + ".tmp", kept)
    with open(kept, encoding="utf-8") as f:
        return [rewrite.Site(*values) for values in json.load(f)]


def compileOne(source, precompiled):
    """Compiles a rewritten source, without the sites that cannot be compiled; returns how many mutants that left out."""
    with open(source.absolute(), "rb") as f:
        text = f.read()
    left = 0
    for _ in range(ROUNDS):
        written = rewrite.render(text, source.sites)
        command = ["g++", "-O1", "-w", "-MMD", "-include", precompiled, "-I" + HERE, "-I" + os.path.join(ROOT, "compiler/driver"), *source.arguments,
                   "-iquote", os.path.dirname(source.absolute()), "-c", source.rewritten, "-o", source.object]
        stamp = hashlib.sha256(("\0".join(command) + written).encode()).hexdigest()
        if isFresh(source, stamp):
            return left
        with open(source.rewritten, "w", encoding="utf-8") as f:
            f.write(written)
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
        if done.returncode == 0:
            with open(source.object + ".stamp", "w", encoding="utf-8") as f:
                f.write(stamp)
            return left
        lines = {int(n) for n in re.findall(re.escape(source.rewritten) + r":(\d+):", done.stderr)}
        bad = [s for s in source.sites if lines & set(range(text.count(b"\n", 0, s.start) + 1, text.count(b"\n", 0, s.end) + 2))]
        if not bad:
            raise RuntimeError(f"{source.path}: {done.stderr[:2000]}")
        left += sum(len(s.mutants) for s in bad)
        source.sites = [s for s in source.sites if s not in bad]
    raise RuntimeError(f"{source.path} does not compile: {done.stderr[:2000]}")


def readText(path):
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as f:
        return f.read()


def isFresh(source, stamp):
    """Whether the object was made from this text by this command, and no header changed since."""
    if not os.path.exists(source.object) or readText(source.object + ".stamp") != stamp:
        return False
    made = os.stat(source.object).st_mtime_ns
    needed = readText(source.object.removesuffix(".o") + ".d").replace("\\\n", " ").split()[1:]
    return all(os.path.exists(n) and os.stat(n).st_mtime_ns <= made for n in needed if n != source.rewritten)


def precompile(folder, arguments, compiler, ending):
    header = os.path.join(folder, "precompiled.h")
    if not os.path.exists(header + ending):
        shutil.copy(os.path.join(ROOT, "cmake/precompiled.h"), header)
        level = ["-O1"] if compiler == "g++" else []        # libclang reads what was made as it parses
        subprocess.run([compiler, *level, "-w", *arguments, "-x", "c++-header", header, "-o", header + ending], check=True)
    return header + ending


def link(tree, folder, sources):
    """The programs, linked as the build tree links them, with rewritten objects in front of the libraries they are from."""
    os.makedirs(os.path.join(folder, "bin"), exist_ok=True)
    shutil.copy(os.path.join(tree, "bin/smec-paths.txt"), os.path.join(folder, "bin"))
    programs = {}
    for name in PROGRAMS:
        listed = subprocess.run(["ninja", "-C", tree, "-t", "commands", name], check=True, stdout=subprocess.PIPE, text=True).stdout
        command = [line for line in listed.splitlines() if " -o " in line][-1].replace(": && ", "").replace(" && :", "")
        words, seen = [], set()
        for word in shlex.split(command):
            phase = re.fullmatch(r"libsmec_(\w+)\.a", word)
            if phase and phase.group(1) not in seen:
                seen.add(phase.group(1))
                words += [s.object for s in sources if s.phase == phase.group(1)]
            words.append(word)
        programs[name] = os.path.join(folder, "bin", name)
        words[words.index("-o") + 1] = programs[name]
        subprocess.run(words, cwd=tree, check=True)
    return programs


def build(tree, folder, jobs, say):
    """Returns the mutants, as dictionaries, and the programs by name."""
    os.makedirs(os.path.join(folder, "sites"), exist_ok=True)
    sources = listSources(tree, folder)
    say(f"parsing {len(sources)} sources")
    forClang = precompile(folder, sources[0].arguments, "clang++-16", ".pch")
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        for source, sites in zip(sources, pool.map(parse, sources, [os.path.join(folder, "sites")] * len(sources), [forClang] * len(sources))):
            source.sites = sites
    first = 0
    for source in sources:
        first = -(-rewrite.number(source.sites, first) // STRIDE) * STRIDE
    say(f"compiling {sum(len(site.mutants) for source in sources for site in source.sites)} mutants")
    precompiled = precompile(folder, sources[0].arguments, "g++", ".gch").removesuffix(".gch")
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        left = sum(pool.map(compileOne, sources, [precompiled] * len(sources)))
    say(f"{left} left out: they do not compile")
    mutants = {}
    for source in sources:
        with open(source.absolute(), "rb") as f:
            text = f.read()
        for site in source.sites:
            begin = text.rfind(b"\n", 0, site.start)
            for i, what in enumerate(site.mutants):
                mutants[site.first + i] = {"path": source.path, "phase": source.phase, "line": text.count(b"\n", 0, site.start) + 1,
                                           "column": site.start - begin, "what": what,
                                           "text": re.sub(r"\s+", " ", text[site.start:site.end].decode())}
    return mutants, link(tree, folder, sources)
