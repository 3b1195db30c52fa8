"""Runs one file of networks through the interpreter and compiled, and says where they differ."""
import os
import re
import shutil
import subprocess
import sys

from cases import filesOf, inputColumns, options

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from waves import Dump, difference, fst

PLANS = [["--model", "m1", "--threads", "1"], ["--model", "m1", "--threads", "2", "--chunk", "static"],
         ["--model", "m1", "--threads", "3", "--chunk", "gss"], ["--model", "m1", "--threads", "3", "--chunk", "ss"],
         ["--model", "m2", "--threads", "1"], ["--model", "m2", "--threads", "2", "--orchestrate", "thesis"],
         ["--model", "m2", "--threads", "3", "--orchestrate", "even"], ["--model", "m2", "--threads", "2", "--orchestrate", "profile:2"],
         ["--model", "m3", "--threads", "2"], ["--model", "m3", "--threads", "3", "--chunk", "ss", "--steal", "one", "--victim", "rnd"]]
# As well on ranks of one process; --plans ranks takes these alone.
RANKS = [["--ranks", "2", "--threads", "1"], ["overlap", "--ranks", "3", "--threads", "2", "--model", "m3"],
         ["overlap", "--ranks", "4", "--threads", "1"]]
# Words before a plan, and what they put into the environment: without traces, four cycles at a time and back where something happened;
# something is computed while values travel, wherever that can be.
WORDS = {"ahead": {"SME_RANKS_AHEAD": "2"}, "overlap": {"SME_RANKS_OVERLAP": "1"}}
AHEAD = [["ahead", *RANKS[0]], ["ahead", *RANKS[1]]]
# Without traces, where simulators of small networks leave out what nobody sees (--plans unseen), until something happens.
UNSEEN = [["unseen", "--model", "m2", "--threads", "1"], ["unseen", "--model", "m1", "--threads", "1"],
          ["unseen", "--model", "m3", "--threads", "2", "--oversubscribe"]]
LENGTHS = (1, 2, 3, 16, 17, 18, 34, 63, 64, 65, 66, 98, 129)
MIDDLES = (65, 66, 98)


def mpiPlans():
    """On ranks of each MPI that has a launcher here and that smec was built with: with and without overlap, and ahead."""
    launchers = {"mpirun.openmpi": ["--quiet", "--oversubscribe"], "mpirun.mpich": []}
    found = [[name, *words, "-np"] for name, words in launchers.items() if shutil.which(name)]
    return [[*ahead, *words, ranks, "--", "--threads", threads]
            for words in found for ahead, ranks, threads in (([], "2", "1"), (["overlap"], "3", "2"), (["ahead"], "2", "1"),
                                                             (["ahead", "overlap"], "4", "1"))]


BUILDS = [[], [], [], ["--no-simd"], ["--partition-size", "40"], ["--partition-size", "40", "--without", "whole-block"], ["--march", "generic"]]
MODES = {"checked": [], "unchecked": ["--unchecked"], "hold": ["--unwritten", "hold"]}
# Open MPI where one is root, as in containers, and where there are more ranks than processors; it starts in half the time, and ends, as in tests/e2e/ranks.py.
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_orte_execute_quiet": "1",
       "OMPI_MCA_pml": "ob1", "OMPI_MCA_odls_base_sigkill_timeout": "0"}
DEADLINE = 120          # seconds for one interpreter run or simulator run; a C++ build gets five times that


class Failure:
    """`kind` is what the shrinker preserves: rejected (by the interpreter), refused (by the compiler alone), crash, build, differs, hang,
    printed (formatting changes what a program means, or does not come to rest)."""

    def __init__(self, kind, label, detail):
        self.kind, self.label, self.detail = kind, label, detail


class Tester:
    def __init__(self, smec, scratch, cycles, plans=PLANS):
        self.smec, self.scratch, self.cycles, self.plans = smec, scratch, cycles, plans
        self.builds = self.runs = self.unseenBuilds = 0
        self.input = []           # options for the input file of what was written last
        self.given = []           # options that set constants of its top network

    def run(self, command, seconds=DEADLINE, environment=None):
        """(status, stdout, stderr); the status is 'hang' after the deadline."""
        try:
            p = subprocess.run(command, cwd=self.scratch, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               timeout=seconds, env={**os.environ, **(environment or {})})
        except subprocess.TimeoutExpired:
            return "hang", "", ""
        return p.returncode, p.stdout.decode("utf-8", "replace"), p.stderr.decode("utf-8", "replace")

    def write(self, cases):
        """Writes the files of these networks; the names of the sources."""
        files = filesOf(cases)
        for name, text in files.items():
            with open(os.path.join(self.scratch, name), "w", encoding="utf-8") as f:
                f.write(text)
        self.given = options(cases)
        columns = inputColumns(cases, self.cycles * 2 // 3)
        with open(os.path.join(self.scratch, "input.csv"), "w", encoding="utf-8") as f:
            for k, row in enumerate(zip(*columns)):
                f.write(",".join(["cycle" if k == 0 else str(k - 1), *row]) + "\n")
        self.input = ["--input", "input.csv"] if columns else []
        return [name for name in files if name.endswith(".sme")]

    def watched(self, trace):
        path = os.path.join(self.scratch, trace)
        if os.path.exists(path):
            os.remove(path)
        return ["--cycles", str(self.cycles), "--checksum", "--trace", trace, "--trace-all", *self.input]

    def traced(self, trace):
        try:
            with open(os.path.join(self.scratch, trace), encoding="utf-8", errors="replace") as f:
                return f.read()
        except OSError:
            return "no trace was written"

    def waves(self):
        """The bytes of both dumps of the last run."""
        found = []
        for name in ("got.vcd", "got.fst"):
            with open(os.path.join(self.scratch, name), "rb") as f:
                found.append(f.read())
        return found

    # ------------------------------------------------------------ the interpreter

    def interpret(self, cases, mode, quiet=False):
        """What a run shows (status, stdout, reports, trace), or the Failure of a program that cannot be run."""
        self.write(cases)
        command = [self.smec, "run", "fuzz.sme", "--top", "fuzz_top", "--interpret", *self.given, *MODES[mode]]
        status, out, err = self.run(command + self.watched("wanted.csv"))
        if status == "hang":
            return Failure("hang", "interpreter", "")
        if status != 0 and not 0 < status < 126 or "internal error" in err or status == 70:
            return Failure("crash", "interpreter", firstError(err) or f"status {status}")
        if status != 0 and identifier(err):
            return Failure("rejected", identifier(err), firstError(err))
        if status in (2, 3, 4):
            ended = re.search(r"^cycles ", err, re.M)          # a stop(n) may give any status
            if not ended:
                return Failure("crash", "interpreter", firstError(err) or f"status {status}")
        found = re.search(r"^cycles +(\d+)", err, re.M)
        return Outcome(status, out, reports(err), self.traced("wanted.csv"), int(found.group(1)) if found else 0)

    # ------------------------------------------------------------ printed and parsed again

    def intermediate(self):
        """The design that the files in the scratch folder stand for; no places in the source, nor the texts that failures quote of it."""
        status, out, err = self.run([self.smec, "compile", "fuzz.sme", "--top", "fuzz_top", "--emit", "ir", *self.given])
        return re.sub(r"(fail site \d+ [\w ]+ of ).*?(?=\n {0,4}\S|\Z)", r"\1", out, flags=re.S) if status == 0 else f"status {status}: {firstError(err)}"

    def reprint(self, cases):
        """None when formatting keeps what these programs mean and formatting again changes nothing, else the Failure."""
        names = self.write(cases)
        before = self.intermediate()
        if not before.startswith("design"):
            return None                     # another test's finding
        for turn in ("once", "again"):
            status, _, err = self.run([self.smec, "fmt", *(["--check"] if turn == "again" else []), *names])
            if status != 0:
                return Failure("printed", turn, firstError(err) or f"status {status}")
        after = self.intermediate()
        before, after = (re.sub(r" at \d+:\d+\.\.\d+$", "", text, flags=re.MULTILINE) for text in (before, after))  # places in the source
        return None if before == after else Failure("printed", "another design", line(before, after).replace("interpreted", "before").replace("compiled", "after"))

    # ------------------------------------------------------------ compiled

    def supported(self, cases, mode, level=()):
        """None when C++ is generated, "unsupported" for what is not done yet, else a Failure."""
        self.write(cases)
        status, _, err = self.run([self.smec, "compile", "fuzz.sme", "--top", "fuzz_top", "--no-build", "--build-dir", "check", *level,
                                   *self.given, *MODES[mode]])
        if status == 0:
            return None
        if "not-supported" in err:
            return "unsupported"
        if status == "hang":
            return Failure("hang", "code generation", "")
        if status == 1:
            return Failure("refused", identifier(err), firstError(err))
        return Failure("crash", "code generation", firstError(err) or f"status {status}")

    def build(self, level, mode):
        self.builds += 1
        simulator = os.path.join(self.scratch, "simulator")
        if os.path.exists(simulator):
            os.remove(simulator)
        status, _, err = self.run([self.smec, "compile", "fuzz.sme", "--top", "fuzz_top", *level, "-j", "1", "-o", "simulator", "--build-dir",
                                   "build" + "".join(level), *self.given, *MODES[mode]], 5 * DEADLINE)
        if status == "hang":
            return Failure("hang", "build " + " ".join(level), "")
        if status != 0:
            kind = "unsupported" if "not-supported" in err else "build"
            return Failure(kind, " ".join(level), firstError(err) or f"status {status}: {err[-300:]}")
        return None

    def compare(self, cases, mode, level):
        """None when all agree with the interpreter, else the first Failure."""
        wanted = self.interpret(cases, mode)
        if isinstance(wanted, Failure):
            return wanted
        failure = self.build(level, mode)
        if failure is not None:
            return failure if failure.kind != "unsupported" else None
        if self.plans == UNSEEN:
            self.unseenBuilds += self.goesUnseen(cases, mode, level)
        judged = []                 # dumps that hold what the rows hold, which all plans have to write alike
        for plan in self.plans:
            self.runs += 1
            label = " ".join(level + plan) + ", " + mode
            if plan[0] == "unseen":
                failure = self.compareUnseen(plan[1:], mode, wanted, label)
                if failure is not None:
                    return failure
                continue
            status, out, err = self.simulate(plan)
            if status == "hang":
                return Failure("hang", label, "")
            if isinstance(status, int) and status < 0:
                return Failure("crash", label, f"signal {-status}")
            text = wanted.difference(Outcome(status, out, reports(err), self.traced("got.csv"), 0))
            if text:
                return Failure("differs", label, text)
            rows = self.traced("got.csv")
            if not rows.startswith("cycle") or self.waves() in judged:
                continue
            text = difference(rows, Dump(self.traced("got.vcd"))) or difference(rows, fst(os.path.join(self.scratch, "got.fst")))
            if text:
                return Failure("waves", label, text)
            judged.append(self.waves())
        return None

    def goesUnseen(self, cases, mode, level=()):
        """Whether a simulator of these has code for cycles that nobody sees."""
        folder = os.path.join(self.scratch, "check")
        shutil.rmtree(folder, ignore_errors=True)
        if self.supported(cases, mode, level) is not None:
            return False
        for name in os.listdir(folder):
            if name.startswith("unit_") and name.endswith(".cpp"):
                with open(os.path.join(folder, name), encoding="utf-8") as f:
                    if "isUnobserved" in f.read():
                        return True
        return False

    def ends(self, mode):
        """What the interpreter's run of each length shows at its end, of what was written last."""
        command = [self.smec, "run", "fuzz.sme", "--top", "fuzz_top", "--interpret", "--quiet", *self.given, *MODES[mode], *self.input]
        ends = {}
        for cycles in LENGTHS:
            status, out, err = self.run([*command, "--cycles", str(cycles), "--checksum"])
            ends[cycles] = Outcome(status, out, reports(err), "", 0)
        return ends

    def compareUnseen(self, plan, mode, wanted, label):
        """Runs of some lengths without traces; with states in between; and to the middle, from where another one goes on with traces."""
        command, state = ["./simulator", *plan, *self.input, "--quiet"], os.path.join(self.scratch, "middle.state")
        ends, last = self.ends(mode), Outcome(wanted.status, wanted.out, wanted.err, "", 0)
        runs = [([], cycles, end) for cycles, end in ends.items()]
        for words, cycles, end in runs + [(["--checkpoint", state + ":33"], self.cycles, last), ([], self.cycles, last)]:
            self.runs += 1
            status, out, err = self.run([*command, *words, "--cycles", str(cycles), "--checksum"])
            text = end.difference(Outcome(status, out, reports(err), "", 0))
            if text:
                return Failure("differs", f"{label}, {cycles} cycles {' '.join(words)}", text)
        if wanted.status != 0 or wanted.cycles != self.cycles:
            return None
        for middle in MIDDLES:
            before = ends[middle].out[:ends[middle].out.rindex("\n", 0, -1) + 1] if "\n" in ends[middle].out[:-1] else ""
            if os.path.exists(state):
                os.remove(state)
            self.run([*command, "--cycles", str(middle), "--checkpoint", state])
            status, out, _ = self.run([*command, "--resume", state, *self.watched("got.csv")])
            head, *rows = wanted.trace.split("\n")
            text = Outcome(0, wanted.out[len(before):], "", "\n".join([head, *rows[middle:]]), 0).difference(Outcome(status, out, "", self.traced("got.csv"), 0))
            if text:
                return Failure("differs", f"{label}, resumed at {middle}", text)
        return None

    def simulate(self, plan):
        """A run of what was built: words for the environment, then options, or the words of a launcher, "--" and options."""
        environment = dict(MPI)
        while plan[0] in WORDS:
            environment.update(WORDS[plan[0]])
            plan = plan[1:]
        launcher = plan[:plan.index("--")] if "--" in plan else []
        words = [*launcher, "./simulator", "--oversubscribe", *plan[len(launcher) + 1 if launcher else 0:]]
        waves = ["--trace", "got.vcd", "--trace", "got.fst", "--trace-elements", str(1 << 32)]
        return self.run(words + waves + self.watched("got.csv"), environment=environment)

    def isolate(self, cases, mode, level, kind):
        """The fewest of these cases that still fail in that way (one, as a rule)."""
        while len(cases) > 1:
            half = len(cases) // 2
            for part in (cases[:half], cases[half:]):
                failure = self.compare(part, mode, level)
                if failure is not None and failure.kind == kind:
                    cases = part
                    break
            else:
                break
        return cases


class Outcome:
    def __init__(self, status, out, err, trace, cycles):
        self.status, self.out, self.err, self.trace, self.cycles = status, out, err, trace, cycles

    def difference(self, other):
        """The first difference as text, or an empty one."""
        for name, a, b in (("stdout", self.out, other.out), ("reports", self.err, other.err), ("trace", self.trace, other.trace)):
            if a != b:
                return f"{name}: " + (cell(a, b) if name == "trace" else line(a, b))
        return "" if self.status == other.status else f"exit status: {self.status} interpreted, {other.status} compiled"


def line(a, b):
    for number, (x, y) in enumerate(zip(a.split("\n") + ["(end)"], b.split("\n") + ["(end)"]), 1):
        if x != y:
            return f"line {number}: '{x[:160]}' interpreted, '{y[:160]}' compiled"
    return "one goes on after the end of the other"


def cell(a, b):
    names = a.split("\n", 1)[0].split(",")
    if names != b.split("\n", 1)[0].split(","):
        return "the headers differ: " + b[:200]
    for x, y in zip(a.split("\n")[1:], b.split("\n")[1:]):
        for name, p, q in zip(names, x.split(","), y.split(",")):
            if p != q:
                return f"cycle {x.split(',')[0]}, {name}: {p} interpreted, {q} compiled"
    return "the numbers of cycles differ"


def reports(err):
    """Failure reports and coverage of a run, without the compiler's warnings and the summary."""
    return "\n".join(x for x in err.split("\n") if re.match(r"\S+:\d+:\d+: error: |  in instance |cover ", x))


def firstError(err):
    return next((x for x in err.split("\n") if "error" in x or "Assert" in x), "")[:300]


def identifier(err):
    found = re.search(r": error: .*\[([a-z-]+)\]$", err, re.M)
    return found.group(1) if found else ""
