#!/usr/bin/env python3
"""What each rule of the optimiser is worth: designs are built without it, where that is another program, and run beside those with it.

    ablation.py [--smec PATH] [--designs PLACE] [--only RULES] [--of DESIGNS] [--json F] [--markdown F]
    ablation.py --numbers bound [...]
    ablation.py --table F.json [--markdown F]

A PLACE is a folder of designs, one of folders NAME/NAME.sme (build/cores/made of ./sme cores), or FILE.sme:NAME=VALUE,...; beside the suite's own.
Programs are compared by the C++, the tables and the flags that smec makes, which takes it a moment; equal ones are built and run once. Times are of a
processor, runs by turns, the least of each; instructions are Valgrind's, the difference of two runs, which is the same each time. So that it can count
them, all is built for x86-64-v3. Exit status 1: a design has another state without a rule.
"""
import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import ablation_designs
import ablation_table
import commands
from contenders import Workshop
from workloads import ROOT

BUILD_SECONDS = 900
RUN_SECONDS = 300
MOST_CYCLES = 1 << 30
COUNTED = 0.002  # seconds without Valgrind of the cycles that it counts first; then as many twice


def say(text):
    print(text, file=sys.stderr, flush=True)


def cpuSeconds(command, folder):
    """(standard output and error, seconds of processors)"""
    process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace")
    out = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise commands.Failed(f"{' '.join(command)}: status {process.returncode}\n{out[-2000:]}")
    return out, used.ru_utime + used.ru_stime


@dataclass(frozen=True)
class Made:
    """What smec makes of a design."""
    code: str  # hash
    all_: str  # hash
    tables: int  # bytes of model.bin


class Program:
    """A simulator, and what building it took."""

    def __init__(self, folder, finished):
        self.folder, self.path = folder, os.path.join(folder, "program")
        self.figures = {"compile": finished.cpuSeconds, "code": self.codeBytes()}
        self.times = []

    def codeBytes(self):
        """Of the design's own objects."""
        objects = [os.path.join(self.folder, "build", name) for name in os.listdir(os.path.join(self.folder, "build")) if re.fullmatch(r"unit_.*\.o", name)]
        out = subprocess.run(["size", *objects], stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout
        return sum(int(line.split()[0]) for line in out.splitlines()[1:])

    def command(self, cycles, threads):
        return [self.path, "--cycles", str(cycles), "--threads", str(threads), "--quiet"]


class Ablation:
    """One design after the other."""

    def __init__(self, options, folder):
        self.options, self.folder, self.pool = options, folder, ThreadPoolExecutor(options.jobs)
        self.base = ["-q", "-Wno-unread", "-Wno-undriven", "-Wno-unused", "--march", options.march, *(["-O1"] if options.smoke else [])]

    # ------------------------------------------------------------ what is another program

    def made(self, subject, words):
        """A hash of the C++ with its flags, one of all, and bytes of tables: those of the model are loaded, and no part of the code."""
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            commands.run([self.options.smec, "compile", subject.path, *subject.words, *self.base, *words, "--no-build", "--build-dir", "made"], folder, BUILD_SECONDS)
            texts, place = {}, os.path.join(folder, "made")
            for name in sorted(os.listdir(place)):
                if name.endswith((".cpp", ".h", ".bin", ".ninja")):
                    with open(os.path.join(place, name), "rb") as file:
                        texts[name] = file.read().replace(folder.encode(), b"")
            code = repr([(name, text) for name, text in texts.items() if name != "model.bin"])
            return Made(hashlib.sha256(code.encode()).hexdigest(), hashlib.sha256(repr(texts).encode()).hexdigest(), len(texts.get("model.bin", b"")))

    def built(self, subject, words, name):
        folder = os.path.join(self.folder, name)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        return Program(folder, commands.run([self.options.smec, "compile", subject.path, *subject.words, *self.base, *words, "-j", "1", "-o", "program",
                                             "--build-dir", "build"], folder, BUILD_SECONDS, 12))

    def groups(self, subject, variations):
        """Names of those whose C++ or flags differ from the whole's, equal ones together; with what model.bin has to it where it alone differs."""
        whole, *all_ = self.pool.map(lambda words: self.made(subject, words), [[], *variations.values()])
        others = {}  # hash of the code -> names
        for name, made in zip(variations, all_):
            if made.code != whole.code:
                others.setdefault(made.all_, []).append(name)
        tables = {name: made.tables / whole.tables for name, made in zip(variations, all_) if made.all_ != whole.all_ and made.code == whole.code}
        return list(others.values()), tables

    def programs(self, subject, variations, groups):
        """(the whole program, other programs with the names of what they lack)"""
        lacking = [[], *(variations[names[0]] for names in groups)]
        base, *built = self.pool.map(lambda k: self.built(subject, lacking[k], f"program{k}"), range(len(lacking)))
        return base, list(zip(built, groups))

    # ------------------------------------------------------------ what it costs

    def run(self, program, cycles):
        """Seconds: of the processor, or with several threads of the loop of cycles, by the clock."""
        if self.options.threads == 1:
            return cpuSeconds(program.command(cycles, 1), self.folder)[1]
        out = cpuSeconds([word for word in program.command(cycles, self.options.threads) if word != "--quiet"], self.folder)[0]
        return float(re.search(r"^wall time\s+(\S+) s$", out, re.M).group(1))

    def calibrated(self, program):
        """Cycles of a run, its start apart."""
        program.start = min(self.run(program, 2) for _ in range(3))
        cycles = 16
        while cycles < MOST_CYCLES and (took := self.run(program, cycles) - program.start) < self.options.seconds:
            cycles = int(cycles * min(32, max(1.3, 1.1 * self.options.seconds / max(took, 1e-3))))
        return cycles, max(took, 1e-6)

    def instructions(self, program, cycles):
        def counted(count):
            out = cpuSeconds(["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", *program.command(count, 1)], self.folder)[0]
            return int(re.search(r"I +refs: +([\d,]+)", out).group(1).replace(",", ""))
        return (counted(3 * cycles) - counted(cycles)) / (2 * cycles)

    def memory(self, program):
        """MiB, as the simulator says."""
        told = cpuSeconds([word for word in program.command(2, 1) if word != "--quiet"], self.folder)[0]
        return float(re.search(r"^peak memory\s+(\S+) MiB$", told, re.M).group(1))

    def state(self, program, cycles):
        return cpuSeconds([*program.command(cycles, 1), "--checksum"], self.folder)[0]

    def time(self, programs, cycles):
        for program in programs:
            program.start = min(self.run(program, 2) for _ in range(3))
        for k in range(self.options.repeat):
            for program in programs if k % 2 == 0 else reversed(programs):
                program.times.append(self.run(program, cycles) - program.start)
        for program in programs:
            program.figures["time"] = max(min(program.times), 1e-9) / cycles * 1e9

    def measured(self, subject, variations):
        """Of one design: figures of the whole, and of each other program."""
        groups, tables = self.groups(subject, variations)
        if not groups or self.options.differ:
            return {"whole": {}, "others": [{"without": names} for names in groups], "tables": tables}
        base, others = self.programs(subject, variations, groups)
        cycles, took = (40, 1) if self.options.smoke else self.calibrated(base)
        programs = [base, *(program for program, _ in others)]
        expected = self.state(base, 41)
        wrong = [names for program, names in others if self.state(program, 41) != expected]
        for names in wrong:
            say(f"  wrong: another state without {', '.join(names)}")
        twin = self.twin(base)
        self.time([*programs, twin], cycles)
        few = max(2, int(cycles * COUNTED / took) // 2 * 2)

        def count(program):
            program.figures["memory"] = self.memory(program)
            if self.options.counts:
                program.figures["instructions"] = self.instructions(program, few)
        list(self.pool.map(count, [*programs, twin]))
        return {"whole": base.figures, "again": twin.figures, "cycles": cycles, "wrong": wrong, "tables": tables,
                "others": [{"without": names, **program.figures} for program, names in others]}

    @staticmethod
    def twin(program):
        """A copy of the program, which differs from it as chance has it."""
        twin = Program.__new__(Program)
        twin.folder, twin.path, twin.times = program.folder, program.path + ".again", []
        shutil.copy(program.path, twin.path)
        twin.figures = dict(program.figures)
        return twin


def ruleNames(smec):
    out = subprocess.run([smec, "compile", "--without", "help"], stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout
    return [line.split()[0] for line in out.splitlines()]


def picked(names, words):
    """Those that are one of the words, separated by commas, or have it in them; all without words."""
    chosen = [word.strip() for word in words.split(",") if word.strip()]
    return [name for name in names if not chosen or any(word in name.replace(",", "") for word in chosen)]


def numberWords(smec, origin):
    """NAME=VALUE of the numbers of an origin, each half and twice as large."""
    words = []
    for line in subprocess.run([smec, "compile", "--number", "help"], stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout.splitlines():
        name, value = line.split()[0], float(line.split()[1].replace(",", ""))
        if line.endswith(f"{origin})"):
            words += [f"{name}={each:g}" for each in ((value / 2, value * 2) if value != int(value) else (max(int(value) // 2, 1), int(value) * 2)) if each != value]
    return words


def variationsOf(options):
    if options.numbers:
        words = picked(numberWords(options.smec, options.numbers), options.only)
        return {word: ["--number", word] for word in words}
    names = picked(ruleNames(options.smec), options.only)
    if not names:
        sys.exit(f"no rule is called '{options.only}'; 'smec compile --without help' lists them")
    return {name: ["--without", name] for name in names}


def measuredAll(options, folder):
    workshop = Workshop(options.smec, folder, False, 1, BUILD_SECONDS, True)
    subjects = ablation_designs.all_(folder, workshop, options.designs)
    chosen = set(picked([subject.name for subject in subjects], options.of))
    ablation, variations = Ablation(options, folder), variationsOf(options)
    results = {"variations": list(variations), "threads": options.threads, "designs": {}}
    if options.resume and os.path.exists(options.json):
        with open(options.json, encoding="utf-8") as file:
            results["designs"] = json.load(file)["designs"]
    for number, subject in enumerate(subjects, 1):
        if subject.name not in chosen or subject.name in results["designs"]:
            continue
        say(f"[{number}/{len(subjects)}] {subject.name}")
        try:
            results["designs"][subject.name] = ablation.measured(subject, variations)
        except (commands.Failed, commands.Unfinished) as problem:
            say(f"  failed: {problem}")
            results["designs"][subject.name] = {"whole": {}, "others": [], "wrong": [["a program: " + str(problem)[:200]]]}
        if options.json:
            with open(options.json, "w", encoding="utf-8") as file:
                json.dump(results, file, indent=1)
    return results


def arguments():
    parser = argparse.ArgumentParser(prog="bench --ablation", description=__doc__.splitlines()[0])
    parser.add_argument("--smec", default=os.path.join(ROOT, "build", "release", "bin", "smec"))
    parser.add_argument("--designs", action="append", default=[], metavar="PLACE", help="more designs: a file, FILE:NAME=VALUE,... or a folder; repeatable")
    parser.add_argument("--only", default="", metavar="RULES", help="rules with one of these words, separated by commas")
    parser.add_argument("--of", default="", metavar="DESIGNS", help="designs with one of these words, separated by commas")
    parser.add_argument("--numbers", default="", choices=("", "bound", "measured"), help="instead of rules: the numbers of this origin, half and twice as large")
    parser.add_argument("--threads", type=int, default=1, help="of the runs; with several times are by the clock, and nothing is counted")
    parser.add_argument("--seconds", type=float, default=0.15, help="of one timed run")
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="of what is not timed")
    parser.add_argument("--march", default="x86-64-v3")
    parser.add_argument("--json", default="", metavar="F", help="all figures, written behind each design")
    parser.add_argument("--resume", action="store_true", help="designs that are in F stay")
    parser.add_argument("--markdown", default="", metavar="F", help="the table (default: standard output)")
    parser.add_argument("--table", default="", metavar="F.json", help="the table of an earlier run; measures nothing")
    parser.add_argument("--differ", action="store_true", help="only tell for how many designs the C++ or its flags differ; builds nothing")
    parser.add_argument("--smoke", action="store_true", help="few cycles, once, not optimised")
    options = parser.parse_args()
    options.smec = os.path.abspath(options.smec)
    options.counts = options.threads == 1 and not options.smoke and shutil.which("valgrind") is not None
    options.repeat = 1 if options.smoke else options.repeat
    return options


def main():
    options = arguments()
    if options.table:
        with open(options.table, encoding="utf-8") as file:
            results = json.load(file)
    else:
        with tempfile.TemporaryDirectory(prefix="sme_ablation_") as folder:
            results = measuredAll(options, folder)
    text = ablation_table.markdown(results)
    if options.markdown:
        with open(options.markdown, "w", encoding="utf-8") as file:
            file.write(text)
    else:
        print(text, end="")
    return 1 if any(design.get("wrong") for design in results["designs"].values()) else 0


if __name__ == "__main__":
    sys.exit(main())
