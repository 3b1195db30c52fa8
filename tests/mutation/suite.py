"""The tests that judge mutants: Catch2 cases, one-file programs, golden texts. Each is one call, in a process of its own.

A one-file program is up to three tests: its diagnostics, the interpreter's run, the compiled run. The compiled run begins with the
generated text: where it equals what the unmutated compiler writes, nothing is built.
"""
import glob
import hashlib
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "tests"))
import run_programs                     # noqa: E402

PROGRAMS = ["tests/lang", "tests/stdlib", "examples"]
STAGES = ["hir", "graph", "ir", "plan", "cpp"]
ADDRESS_SPACE = 6 << 30                 # bytes; a mutant that fills the memory fails
FILE_SIZE = 256 << 20                   # bytes; one that prints without end fails
OUTPUT_READ = 16 << 20                  # bytes of output that are looked at
MODES = "m1:1,m2:2"
BUILD_SECONDS = 60                      # more for tests that compile C++: the unmutated text comes from a cache


class Result:
    PASSED, FAILED, LIMITED = range(3)  # LIMITED: the generated text differs, and the builds allowed for a mutant are used up


def execute(command, cwd, limit):
    """Status, standard output and error; a process that outlives `limit` seconds is ended with all it started."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True)
        try:
            process.wait(limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read(OUTPUT_READ).decode("utf-8", "surrogateescape"))
    return process.returncode, *texts


def digest(folder):
    """Of the generated files, without what names the folder or the compiler."""
    total = hashlib.sha256()
    for path in sorted(glob.glob(os.path.join(folder, "**"), recursive=True)):
        if os.path.isfile(path) and os.path.splitext(path)[1] in (".cpp", ".h", ".hpp", ".bin", ".S", ".s"):
            with open(path, "rb") as f:
                total.update(os.path.relpath(path, folder).encode() + b"\0" + f.read())
    return total.hexdigest()


class Case:
    """A Catch2 test case."""

    def __init__(self, program, name):
        self.name = f"{os.path.basename(program)}: {name}"
        self.command = [program, "--warn", "NoTests", "".join("\\" + c if c in '],["\\' else c for c in name)]
        self.seconds = 0.0
        self.builds = False
        self.patience = BUILD_SECONDS if self.name.startswith("test_codegen") else 0

    def run(self, scratch, limit):
        os.environ["CXX"] = os.path.join(HERE, "cached_cxx.py")
        try:
            return Result.FAILED if execute(self.command, scratch, limit)[0] != 0 else Result.PASSED
        finally:
            del os.environ["CXX"]


class Golden:
    def __init__(self, smec, source, stage):
        self.name = f"golden: {os.path.basename(source)} {stage}"
        self.command, self.folder = [smec, "compile", os.path.basename(source), "--emit=" + stage], os.path.dirname(source)
        with open(f"{source[:-4]}.{stage}.txt", encoding="utf-8") as f:
            self.wanted = f.read()
        self.seconds = 0.0
        self.builds = False
        self.patience = 0

    def run(self, scratch, limit):
        status, out, _ = execute(self.command, self.folder, limit)
        return Result.FAILED if status != 0 or out != self.wanted else Result.PASSED


class Program:
    """One way to look at a one-file program: 'check', 'interpreted' or 'compiled'."""

    def __init__(self, smec, program, way):
        self.smec, self.program, self.way = smec, program, way
        self.name = f"{way}: {os.path.relpath(program.path, ROOT)}"
        self.seconds = 0.0
        self.builds = way == "compiled"
        self.patience = BUILD_SECONDS if self.builds else 0
        self.text = None        # digest of what the unmutated compiler generates
        self.differed = False   # in the last run

    def generate(self, scratch, limit):
        folder = os.path.join(scratch, "generated")
        args = run_programs.compileOnly([a for a in self.program.args if a != "--checksum"])
        status, _, err = execute([self.smec, "compile", self.program.path, "--no-build", "--build-dir", folder] + args, scratch, limit)
        found = f"{status} {digest(folder)}"
        shutil.rmtree(folder, ignore_errors=True)
        return found

    def run(self, scratch, limit, mayBuild=True):
        if self.way == "compiled":
            self.differed = self.generate(scratch, limit) != self.text
            if not self.differed:
                return Result.PASSED
            if not mayBuild:
                return Result.LIMITED
        run_programs.difference = lambda expected, got: ""
        run_programs.execute = lambda command, cwd: execute(command, cwd, limit)
        if self.way == "check":
            return Result.FAILED if run_programs.checkDiagnostics(self.program, self.smec, scratch) else Result.PASSED
        modes = "interp" if self.way == "interpreted" else MODES
        if self.way == "compiled" and self.program.expectedOutput() is None:
            modes = "interp," + MODES
        problems = run_programs.runProgram(self.program, self.smec, run_programs.parseModes(modes), [], scratch, False)
        return Result.FAILED if problems else Result.PASSED


def collect(programs):
    """All tests, for the linked programs by name."""
    tests = []
    for name, path in programs.items():
        if name.startswith("test_"):
            listed = subprocess.run([path, "--list-test-names-only"], stdout=subprocess.PIPE, text=True).stdout
            tests += [Case(path, line) for line in listed.splitlines() if line]
    smec = programs["smec"]
    for path in run_programs.findPrograms([os.path.join(ROOT, p) for p in PROGRAMS], None):
        program = run_programs.Program(path)
        rejected = program.errors or program.checkOnly
        if rejected or program.warnings:
            tests.append(Program(smec, program, "check"))
        if not rejected:
            tests += [Program(smec, program, "interpreted"), Program(smec, program, "compiled")]
    for source in sorted(glob.glob(os.path.join(ROOT, "tests/golden/*.sme"))):
        tests += [Golden(smec, source, stage) for stage in STAGES]
    return tests


def prepareWorker(folder):
    """Once in every process that runs tests."""
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_SIZE, FILE_SIZE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.environ["CCACHE_DIR"] = os.path.join(folder, "ccache")
    os.environ["SMEC_MUTATION_CACHE"] = os.path.join(folder, "cxx")
    os.environ.pop("SMEC_MUTANT", None)
    os.environ.pop("SMEC_MUTANT_SEEN", None)


def withScratch(call):
    scratch = tempfile.mkdtemp(prefix="smec-mutation-")
    try:
        return call(scratch)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
