#!/usr/bin/env python3
"""Run `.sme` programs whose expectations stand in the file, through the interpreter and compiled.

    run_programs.py --smec PATH [--modes interp,m1:1,…] [--simulate-every N] [--compile-options "-O0"] [--direct] [-j N] [--only GLOB] [--update] PATH...

A PATH is a file or a folder (searched for *.sme; folders named lib or data hold parts, not tests). In the leading comments:
`// cycles: N`, `// args: …` (options of the run, `-G` and the like included; {dir} is the file's folder), `// exit: N`, `// modes: check` (only `smec check`).
Expectations:
  * `// expect: TEXT` after a statement: the next line of standard output, in the order of the file;
  * FILE.out beside the file, or expected.txt in its folder: the whole standard output (written by --update from the interpreter);
  * `// expect-error: TEXT`, `// expect-warning: TEXT` after (or alone above) a line: a diagnostic of that kind at that line whose message
    contains TEXT; with any expect-error the program must be rejected, and no other error may be reported;
  * `// expect-stderr: TEXT`: standard error of the run contains TEXT.
All modes must write the same traces, too, byte by byte.
With --direct, smec compiles and runs the first mode, and what it built is started for the others, as smec itself would.
A mode is interp, MODEL:THREADS, or cpp: the C++ is generated, not compiled, and nothing run.
Prints each failure and ends with 'N passed, N failed'; exit status 1 when any failed.
"""
import argparse
import concurrent.futures
import fnmatch
import functools
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "judge"))
from sample import sampled  # noqa: E402

MODES = "interp,m1:1,m1:2,m2:1,m2:2,m3:1,m3:2"
TIMEOUT = 300
FORMATS = ("csv", "vcd", "fst")
TRACED_CYCLES = "100"


class Program:
    def __init__(self, path):
        self.path = path
        self.cycles, self.args, self.exit, self.checkOnly = None, [], 0, False
        self.out, self.errors, self.warnings, self.stderr = [], [], [], []
        self.hasExpect = False
        with open(path, encoding="utf-8", errors="surrogateescape") as f:
            lines = f.read().split("\n")
        for number, line in enumerate(lines, 1):
            self.directive(line)
            self.expectation(number, line)
        self.outPath = next((p for p in (path[:-4] + ".out", os.path.join(os.path.dirname(path), "expected.txt"))
                             if os.path.exists(p)), None)

    def directive(self, line):
        m = re.match(r"//\s*(cycles|args|exit|modes):\s*(.*?)\s*$", line)
        if not m:
            return
        key, value = m.groups()
        if key == "cycles":
            self.cycles = value
        elif key == "args":
            self.args += [a.replace("{dir}", os.path.dirname(os.path.abspath(self.path))) for a in shlex.split(value)]
        elif key == "exit":
            self.exit = int(value)
        else:
            self.checkOnly = value == "check"

    def expectation(self, number, line):
        m = re.search(r"//\s*expect(-error|-warning|-stderr)?:(.*)$", line)
        if not m:
            return
        kind, text = m.group(1), m.group(2)
        if kind is None:
            self.hasExpect = True
            self.out.append(text[1:] if text.startswith(" ") else text)
            return
        at = number if line[:m.start()].strip() else number + 1
        {"-error": self.errors, "-warning": self.warnings, "-stderr": self.stderr}[kind].append((at, text.strip()))

    def expectedOutput(self):
        if self.outPath:
            with open(self.outPath, encoding="utf-8", errors="surrogateescape") as f:
                return f.read()
        return "".join(line + "\n" for line in self.out) if self.hasExpect else None


def execute(command, cwd):
    p = subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIMEOUT)
    return (p.returncode, p.stdout.decode("utf-8", "surrogateescape"), p.stderr.decode("utf-8", "surrogateescape"))


def checkDiagnostics(program, smec, scratch):
    compileArgs = [a for a in program.args if a != "--checksum"]
    status, out, err = execute([smec, "check", program.path, "--diagnostics", "json", "--error-limit", "1000"] +
                               compileOnly(compileArgs), scratch)
    found = []
    for line in err.splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            return [("check", f"not JSON: {line}")]
    problems = []
    for kind, wanted in (("error", program.errors), ("warning", program.warnings)):
        have = [d for d in found if d["severity"] == kind]
        for at, text in wanted:
            hit = next((d for d in have if d["line"] == at and text.lower() in d["message"].lower()), None)
            if hit is None:
                problems.append(("check", f"no {kind} on line {at} with '{text}'; got " +
                                 "; ".join(f"{d['line']}: {d['message']}" for d in have[:6])))
            else:
                have.remove(hit)
        if kind == "error":
            problems += [("check", f"unexpected error on line {d['line']}: {d['message']}") for d in have[:4]]
    wantStatus = 1 if program.errors else 0
    if status != wantStatus:
        problems.append(("check", f"exit status {status}, expected {wantStatus}: {err[-300:]}"))
    return problems


def compileOnly(args):
    """The options among `args` that `smec check` takes too."""
    return parted(args)[0]


def parted(args):
    """Those that `smec check` takes too, and those of the run."""
    ofCompiling, ofRun, i = [], [], 0
    while i < len(args):
        if args[i] in ("--top", "-G", "-I", "--unwritten"):
            ofCompiling += args[i:i + 2]
            i += 1
        else:
            isOfCompiling = re.match(r"-(G|I|W)|--(top|unwritten)=|--unchecked|--smeil", args[i])
            (ofCompiling if isOfCompiling else ofRun).append(args[i])
        i += 1
    return ofCompiling, ofRun


class Runs:
    """The commands that run a program in one mode after the other."""

    def __init__(self, program, smec, options, direct, scratch):
        self.program, self.smec, self.options = program, smec, options
        self.build = os.path.join(scratch, nameFor(program) + ".build") if direct else None

    def command(self, label, modeArgs):
        cycles = ["--cycles", self.program.cycles] if self.program.cycles is not None else []
        if label == "interp":
            return [self.smec, "run", self.program.path] + modeArgs + cycles + self.program.args
        if made := self.made():
            return made + modeArgs + cycles + parted(self.program.args)[1]
        place = ["--build-dir", self.build] if self.build else []
        return [self.smec, "run", self.program.path] + modeArgs + self.options + place + cycles + self.program.args

    def made(self):
        """The command that starts what was built, once it is: a program, or the host over code and model."""
        if not self.build:
            return None
        simulator, code, model = (os.path.join(self.build, name) for name in ("simulator", "design.so", "model.bin"))
        if os.path.exists(simulator):
            return [simulator]
        return [hostOf(self.smec), code, model] if os.path.exists(code) else None

    def end(self):
        if self.build:
            shutil.rmtree(self.build, ignore_errors=True)


@functools.cache
def hostOf(smec):
    """What `smec run` starts, by the paths that a build tree notes beside smec."""
    with open(os.path.join(os.path.dirname(smec), "smec-paths.txt"), encoding="utf-8") as f:
        return next(line.removeprefix("host=").rstrip("\n") for line in f if line.startswith("host="))


def nameFor(program):
    return re.sub(r"\W", "_", program.path)


def runProgram(program, smec, modes, options, scratch, update, direct=False):
    problems = []
    if program.errors or program.warnings or program.checkOnly:
        problems += checkDiagnostics(program, smec, scratch)
    if program.errors or program.checkOnly:
        return problems
    expected, traces = program.expectedOutput(), None
    runs = Runs(program, smec, options, direct, scratch)
    for label, modeArgs in modes:
        if label == "cpp":
            problems += generateOnly(program, smec, options, scratch)
            continue
        files = traceFiles(program, scratch)
        tracing = ["--trace-all", "--trace-stop", TRACED_CYCLES] + [word for path in files for word in ("--trace", path)]
        status, out, err = execute(runs.command(label, modeArgs) + (tracing if files else []), scratch)
        if update and label == "interp":
            with open(program.outPath or os.path.join(os.path.dirname(program.path), "expected.txt"), "w") as f:
                f.write(out)
            expected = out
        if expected is None:
            expected = out              # nothing is said: all modes must agree
        if out != expected:
            problems.append((label, "stdout differs:\n" + difference(expected, out)))
        if status != program.exit:
            problems.append((label, f"exit status {status}, expected {program.exit}: {err[-600:]}"))
        written = [takeFile(path) for path in files]
        traces = traces or written
        problems += [(label, f"another trace in {path[-3:]} than before:\n" + difference(old.decode("latin-1"), new.decode("latin-1")))
                     for path, old, new in zip(files, traces, written) if old != new]
        for _, text in program.stderr:
            if text not in err:
                problems.append((label, f"stderr lacks '{text}': {err[-300:]}"))
    runs.end()
    return problems


def traceFiles(program, scratch):
    """Names for the traces of a run; none where the program says itself what is traced."""
    if any(word.startswith(("--trace", "--list", "--help", "--version")) for word in program.args):
        return []
    stem = os.path.join(scratch, nameFor(program))
    return [f"{stem}.{suffix}" for suffix in FORMATS]


def takeFile(path):
    """What is in a file, which is then gone; nothing where there is none."""
    if not os.path.exists(path):
        return b""
    with open(path, "rb") as f:
        content = f.read()
    os.unlink(path)
    return content


def generateOnly(program, smec, options, scratch):
    status, _, err = execute([smec, "compile", program.path, "--no-build"] + options + compileOnly(program.args), scratch)
    return [("cpp", f"exit status {status}: {err[-600:]}")] if status not in (0, program.exit) else []


def difference(expected, got):
    import difflib
    lines = list(difflib.unified_diff(expected.splitlines(), got.splitlines(), "expected", "got", lineterm="", n=1))[2:]
    return "\n".join("      " + line for line in lines[:10])


def findPrograms(paths, only):
    files = []
    for path in paths:
        if os.path.isfile(path):
            files.append(os.path.abspath(path))
            continue
        for folder, folders, names in os.walk(path):
            folders[:] = sorted(f for f in folders if f not in ("lib", "data", ".smec"))
            files += [os.path.abspath(os.path.join(folder, n)) for n in sorted(names) if n.endswith(".sme")]
    return [f for f in files if not only or fnmatch.fnmatch(os.path.basename(f), only)]


def parseModes(text):
    modes = []
    for word in text.split(","):
        if word == "interp":
            modes.append((word, ["--interpret"]))
        elif word == "cpp":
            modes.append((word, []))
        else:
            model, threads = word.split(":")
            modes.append((word, ["--model", model, "--threads", threads]))
    return modes


def main():
    parser = argparse.ArgumentParser(description="run .sme programs against their expectations")
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--smec", required=True)
    parser.add_argument("--modes", default=MODES)
    parser.add_argument("--simulate-every", type=int, default=1, metavar="N", help="of the others only the interpreter, and C++ that is not compiled")
    parser.add_argument("--compile-options", default="")
    parser.add_argument("--direct", action="store_true", help="start what smec built, but for the first compiled mode")
    parser.add_argument("--only")
    parser.add_argument("--update", action="store_true", help="write expected outputs from the interpreter")
    parser.add_argument("-j", type=int, default=2, dest="jobs")
    options = parser.parse_args()
    smec = os.path.abspath(options.smec)
    modes = parseModes(options.modes)
    programs = [Program(p) for p in sampled(findPrograms(options.paths, options.only), os.path.basename)]
    if not programs:
        parser.error("no program to run")
    scratch = tempfile.mkdtemp(prefix="sme programs ")
    failed = 0
    try:
        def one(numbered):
            number, program = numbered
            chosen = modes if number % options.simulate_every == 0 else parseModes("interp,cpp")
            try:
                return runProgram(program, smec, chosen, shlex.split(options.compile_options), scratch, options.update, options.direct)
            except Exception as problem:
                return [("run", f"{type(problem).__name__}: {problem}")]

        with concurrent.futures.ThreadPoolExecutor(max_workers=options.jobs) as pool:
            for program, problems in zip(programs, pool.map(one, enumerate(programs))):
                failed += bool(problems)
                for label, text in problems:
                    print(f"FAIL {os.path.relpath(program.path)} [{label}]: {text}")
                sys.stdout.flush()
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    print(f"{len(programs) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
