"""Builds the programs of a row and runs them: our simulators, the hand-written limit, Verilator, CXXRTL, and the C++SME style."""
import functools
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import asdict, dataclass

import commands
from commands import Failed
from workloads import DESIGNS, HERE, TRACES, sourceOf

CXX = "g++"


def verilator():
    """A name on the search path, or a path: suite.py --verilator."""
    return os.environ.get("VERILATOR", "verilator")
BASELINE = os.path.join(HERE, "baseline")
HARNESS = os.path.join(HERE, "harness")
RUN_SECONDS = 300  # a run that takes longer than this is stuck
BUILD_GIGABYTES = 12
GENERATED = 1000  # rounds of a generate loop that Verilator takes without an option


@dataclass
class Cost:
    """Of building a program: CPU seconds of both parts, peak of the largest process."""
    translateSeconds: float = 0
    compileSeconds: float = 0
    peakMiB: float = 0

    def add(self, part, finished):
        setattr(self, part, getattr(self, part) + finished.cpuSeconds)
        self.peakMiB = max(self.peakMiB, finished.peakMiB)


@dataclass
class Ran:
    seconds: float
    results: list
    cpuSeconds: float = 0  # of all threads, and of starting
    traceBytes: int = 0


def buildOf(contender):
    """The build that a contender runs: all of ours run one program."""
    return contender if contender.startswith("verilator-") else contender.split("-")[0]


def macros(parameters):
    return [f"-D{name.upper()}={value}" for name, value in parameters.items()]


def isMissing(family):
    """The tools of a family that are not installed."""
    needed = {"verilator": (verilator(), "make", CXX), "cxxrtl": ("yosys", "yosys-config", CXX), "limit": (CXX,), "cppsme": (CXX,)}
    return [tool for tool in needed.get(family, ()) if not shutil.which(tool)]


@functools.lru_cache(None)
def toolVersion(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()[0]


class VerilatedLibrary:
    """The objects of Verilator's library, which are the same in each build: quick mode compiles them once."""

    def __init__(self, work, made):
        self.kept, self.made = os.path.join(work, "verilated"), made
        os.makedirs(self.kept, exist_ok=True)

    def lend(self):
        self.copy(self.kept, self.made)

    def keep(self):
        self.copy(self.made, self.kept)

    @staticmethod
    def copy(source, target):
        for name in os.listdir(source):
            if name.startswith("verilated") and name.endswith(".o"):
                shutil.copy(os.path.join(source, name), target)


class Workshop:
    """Builds programs in folders below `work`. What others than we build is kept for the next run, with what it cost."""

    def __init__(self, smec, work, quick, jobs, seconds, fresh):
        self.smec, self.work, self.quick, self.jobs = smec, work, quick, jobs
        self.seconds, self.fresh = seconds, fresh

    # ------------------------------------------------------------ sources

    def source(self, design, parameters, suffix):
        """The path of a design's source; hetero's is written first."""
        generator = os.path.join(HERE, f"{design.name}.py")
        if not os.path.exists(generator):
            path = sourceOf(design, suffix)
            if not os.path.exists(path):
                raise Failed(f"there is no {os.path.relpath(path, HERE)}")
            return path
        others = [f"--{name}={value}" for name, value in parameters.items() if name != "n"]
        path = os.path.join(self.work, f"{design.name}{parameters['n']}{''.join(others)}.{suffix}")
        with open(path, "w") as file:
            subprocess.run([sys.executable, generator, str(parameters["n"]), *others, "--language", suffix], stdout=file, check=True)
        return path

    def constants(self, design, parameters):
        return {} if os.path.exists(os.path.join(HERE, f"{design.name}.py")) else parameters

    # ------------------------------------------------------------ building

    def build(self, kind, row):
        """(program, cost) of one kind for a row."""
        maker = {"ours": self.buildOurs, "limit": self.buildLimit, "cppsme": self.buildCppsme, "verilator": self.buildVerilator,
                 "verilator-vcd": self.buildVerilator, "verilator-fst": self.buildVerilator, "cxxrtl": self.buildCxxrtl}[kind]
        if kind == "ours":
            return maker(kind, row, self.emptied(os.path.join(self.work, "ours")))
        return self.kept(kind, row, maker)

    def emptied(self, folder):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        return folder

    def kept(self, kind, row, maker):
        folder = os.path.join(self.work, f"{kind}-{self.key(kind, row)}")
        note = os.path.join(folder, "cost.json")
        if not self.fresh and os.path.exists(note):
            with open(note) as file:
                return os.path.join(folder, "program"), Cost(**json.load(file))
        program, cost = maker(kind, row, self.emptied(folder))
        os.replace(program, os.path.join(folder, "program"))
        for name in os.listdir(folder):
            if name != "program":
                path = os.path.join(folder, name)
                shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
        with open(note, "w") as file:
            json.dump(asdict(cost), file)
        return os.path.join(folder, "program"), cost

    def key(self, kind, row):
        """A name that changes with whatever the program is made from."""
        hashed = hashlib.sha256(repr((kind, row.design.name, sorted(row.parameters.items()), row.design.baseline, self.quick)).encode())
        sources = [os.path.join(HERE, "contenders.py")]
        if kind == "cppsme":
            sources += [os.path.join(BASELINE, name) for name in sorted(os.listdir(BASELINE))]
        else:
            sources += [os.path.join(HARNESS, name) for name in sorted(os.listdir(HARNESS))]
            sources += [os.path.join(DESIGNS, name) for name in sorted(os.listdir(DESIGNS)) if name.endswith("pp")]
            sources.append(self.source(row.design, row.parameters, "cpp" if kind == "limit" else "v"))
        for path in sources:
            with open(path, "rb") as file:
                hashed.update(file.read())
        hashed.update(toolVersion(CXX, "--version").encode())
        if kind.startswith("verilator"):
            hashed.update(toolVersion(verilator(), "--version").encode())
        return hashed.hexdigest()[:16]

    def step(self, cost, part, command, folder):
        cost.add(part, commands.run(command, folder, self.seconds, BUILD_GIGABYTES))

    def optimised(self):
        return ["-O1"] if self.quick else ["-O3", "-march=native"]

    def buildOurs(self, _, row, folder):
        cost = Cost()
        source = self.source(row.design, row.parameters, "sme")
        constants = [word for name, value in self.constants(row.design, row.parameters).items() for word in ("-G", f"{name}={value}")]
        level = ["-O1"] if self.quick else []
        self.step(cost, "compileSeconds", [self.smec, "compile", source, "-q", "-o", "program", "--build-dir", "build", *constants, *level],
                  folder)
        return os.path.join(folder, "program"), cost

    def buildLimit(self, _, row, folder):
        cost = Cost()
        source = self.source(row.design, row.parameters, "cpp")
        self.step(cost, "compileSeconds", [CXX, "-std=c++20", *self.optimised(), f"-I{DESIGNS}",
                                           *macros(self.constants(row.design, row.parameters)), source, "-o", "out"], folder)
        return os.path.join(folder, "out"), cost

    def buildCppsme(self, _, row, folder):
        cost = Cost()
        self.step(cost, "compileSeconds", [CXX, "-std=c++20", *self.optimised(), "-pthread", *macros(row.parameters),
                                           *macros(row.design.baseline), os.path.join(BASELINE, "ring.cpp"), "-o", "out"], folder)
        return os.path.join(folder, "out"), cost

    def writeResults(self, row, folder):
        with open(os.path.join(folder, "results.inc"), "w") as file:
            file.writelines(f"RESULT(result{k})\n" for k in range(len(row.design.prints(row.parameters))))

    def buildVerilator(self, kind, row, folder):
        cost = Cost()
        self.writeResults(row, folder)
        source = self.source(row.design, row.parameters, "v")
        constants = [f"-G{name.upper()}={value}" for name, value in self.constants(row.design, row.parameters).items()]
        if row.parameters.get("n", 0) > GENERATED:  # only then: initial loops over memories would be unrolled, too
            constants += ["--unroll-count", str(row.parameters["n"] + 1)]
        traced = {"verilator-vcd": ["--trace", "-CFLAGS", "-DDUMP=VerilatedVcdC -DDUMP_HEADER='\"verilated_vcd_c.h\"'"],
                  "verilator-fst": ["--trace-fst", "-CFLAGS", "-DDUMP=VerilatedFstC -DDUMP_HEADER='\"verilated_fst_c.h\"'"]}.get(kind, [])
        self.step(cost, "translateSeconds", [verilator(), "--cc", "--exe", "--top-module", row.design.name, "--prefix", "Vtop", "-O3",
                                             "-Wno-fatal", "--Mdir", "made", "-CFLAGS", f"-I{HARNESS} -I{folder}", "-o", "../out", *traced,
                                             *constants, os.path.join(HARNESS, "verilator.cpp"), source], folder)
        fast = "OPT_FAST=" + ("-O0" if self.quick else "-O3 -march=native")
        slow = ["OPT_SLOW=-O0", "OPT_GLOBAL=-O0"] if self.quick else ["OPT_GLOBAL=-O3 -march=native"]
        library = VerilatedLibrary(self.work, os.path.join(folder, "made")) if self.quick and not traced else None
        if library:
            library.lend()
        # newer ones precompile a header, which fails with some compilers
        plain = ["OBJCACHE=", "VK_PCH_I_FAST=", "VK_PCH_I_SLOW="]
        self.step(cost, "compileSeconds", ["make", "-s", "-C", "made", "-f", "Vtop.mk", f"-j{self.jobs}", *plain, fast, *slow], folder)
        if library:
            library.keep()
        return os.path.join(folder, "out"), cost

    def buildCxxrtl(self, _, row, folder):
        cost = Cost()
        self.writeResults(row, folder)
        source, name = self.source(row.design, row.parameters, "v"), row.design.name
        changed = "".join(f" -set {key.upper()} {value}" for key, value in self.constants(row.design, row.parameters).items())
        script = f"read_verilog {source}; " + (f"chparam{changed} {name}; " if changed else "")
        script += f"hierarchy -top {name}; rename -top bench; write_cxxrtl {folder}/top.cc"
        self.step(cost, "translateSeconds", ["yosys", "-q", "-p", script], DESIGNS)  # where $readmemh finds its files
        level = ["-O0"] if self.quick else self.optimised()
        include = os.path.join(toolVersion("yosys-config", "--datdir"), "include")
        self.step(cost, "compileSeconds", [CXX, "-std=c++20", *level, f"-I{include}", f"-I{HARNESS}", f"-I{folder}",
                                           os.path.join(HARNESS, "cxxrtl.cpp"), "-o", "out"], folder)
        return os.path.join(folder, "out"), cost

    # ------------------------------------------------------------ running

    def run(self, contender, program, row, cycles):
        family, _, form = contender.partition("-")
        if family == "ours":
            return self.runOurs(form, program, row, cycles)
        more = []
        if family == "cppsme":
            model, threads = form.split("-")
            more = [threads, model]
        elif form:
            more = [self.tracePath(form)]
        finished = commands.run([program, str(cycles), *more], DESIGNS, RUN_SECONDS)  # where $readmemh finds its files
        return Ran(float(found(r"^seconds (\S+)$", finished.out)), re.findall(r"^result (\S+)$", finished.out, re.M), finished.cpuSeconds,
                   self.takeTrace(more[0]) if family == "verilator" and form else 0)

    def tracePath(self, form):
        """Of vcd, fst, csv, or one of these and -null: a file in memory, where the system has such, or a name for /dev/null."""
        suffix, _, place = form.partition("-")
        if place == "null":
            path = os.path.join(self.work, f"null.{suffix}")
            if not os.path.islink(path):
                os.symlink("/dev/null", path)
            return path
        return os.path.join("/dev/shm" if os.access("/dev/shm", os.W_OK) else self.work, f"smec-bench-{os.getpid()}.{suffix}")

    def takeTrace(self, path):
        """How long it is; it goes."""
        if os.path.islink(path):
            return 0
        size = os.path.getsize(path)
        os.remove(path)
        return size

    def runOurs(self, form, program, row, cycles):
        prints = row.design.prints(row.parameters)
        options = [word for path in prints for word in ("--print", path)]
        if form == "auto":
            options += ["--threads", "auto"]
        elif form in TRACES:
            trace = self.tracePath("vcd" if form == "filter" else form)
            shown = ["--trace-filter", row.design.oneInstance(row.parameters)] if form == "filter" else ["--trace-all"]
            options += ["--threads", "1", "--trace", trace, *shown]
        else:
            model, threads = form.split("-")
            options += ["--threads", threads] + (["--orchestrate", "profile"] if model == "profile" else ["--model", model])
        finished = commands.run([program, "--cycles", str(cycles), *options], self.work, RUN_SECONDS)
        values = dict(line.rsplit(": ", 1) for line in finished.out.splitlines() if ": " in line)
        return Ran(float(found(r"^wall time\s+(\S+) s$", finished.err)), [values[path] for path in prints], finished.cpuSeconds,
                   self.takeTrace(trace) if form in TRACES else 0)


def found(pattern, text):
    match = re.search(pattern, text, re.M)
    if not match:
        raise Failed(f"no line like '{pattern}' in:\n{text[-1000:]}")
    return match.group(1)
