#!/usr/bin/env python3
"""Designs on several ranks show what they show in one process: standard output, exit status, what they say and the trace of everything.

On ranks of one process, and on those of each MPI that smec was built with and that has a launcher here.
"""
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SMEC = os.environ["SMEC"]
SOURCE = os.environ["SMEC_SOURCE_DIR"]
LIBRARIES = os.path.join(os.environ["SMEC_BINARY_DIR"], "lib")
# More ranks than processors, and as root in containers; ob1 is what Open MPI comes to on one machine, after it has tried others for as long as all the rest
# of a start takes.
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_mpi_yield_when_idle="1",
                   OMPI_MCA_orte_execute_quiet="1", OMPI_MCA_pml="ob1")
SOON = {"OMPI_MCA_odls_base_sigkill_timeout": "0"}  # until ranks are ended that go on when others do not, where nobody measures that
LAUNCHERS = {"openmpi": ["mpirun.openmpi", "--quiet", "--oversubscribe", "-np"], "mpich": ["mpirun.mpich", "-np"]}
APART = {"SME_RANKS_APART": "1"}    # by messages, as between machines
AHEAD = {"SME_RANKS_AHEAD": "2"}    # four cycles at a time, and back where something happened
OVERLAP = {"SME_RANKS_OVERLAP": "1"}    # something is computed while values travel, wherever that can be
LIMIT = 120     # seconds, of what takes less than one
PRINTS = ["--print", "h[7][3].v", "--print", "h[10][4].v", "--print", "r[5].v"]    # what links make is evaluated after the run
QUIET = 7       # an input that nothing happens at
# Design, its inputs by cycle, cycles, and the status that is wanted.
CASES = {
    "input": ("ranks", [1, 2, 3, 250, QUIET] * 3, None, 0),
    "failure": ("ranks", [1, 2, 3, QUIET, 108, QUIET, 103], None, 1),
    "stop": ("ranks", [1, 2, 3, QUIET, 209, 101, QUIET], None, 6),
    "fewer processes than ranks": ("counter", None, 12, 0),
    "prints that cross": ("many_instances_waits", None, 12, 0),
}
DESIGNS = {"ranks": "tests/e2e/ranks.sme", "counter": "examples/01_counter/counter.sme",
           "many_instances_waits": "tests/lang/statements/many_instances_waits.sme"}
# Each reader has counted as far as what it reads.
TRUSTING = """
extern func same(x: u32, y: u32): u32 from "same.hpp";
proc counts(out o, const i: u8)
    var n: u32;
{
    o.v = n;
    n = n + 1;
    if (i == 0 && n == 37) { trace("37"); }
}
proc reads(in a, out o)
    var n: u32;
{
    if (a.v > 0) { USES }
    o.v = n;
}
network top()
{
    bus a[8] { v: u32; };
    exposed bus o[8] { v: u32; };
    generate i = 0 until 8 { instance c[i] of counts(a[i], i); }
    generate i = 0 until 8 { instance r[i] of reads(a[i], o[i]); }
}
"""
SAME = """#include <cstdint>
#include <cstdlib>
inline std::uint32_t same(std::uint32_t x, std::uint32_t y) {
    if (x != y + 1) std::abort();
    return y;
}
"""


def kinds():
    """The MPIs that smec was built with and that can start something here."""
    return [kind for kind, words in LAUNCHERS.items()
            if os.path.exists(os.path.join(LIBRARIES, f"libsme_mpi_{kind}.so")) and shutil.which(words[0])]


def read(path):
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as f:
        return f.read()


class Ranks:
    def __init__(self, scratch):
        self.scratch, self.runs, self.failures = scratch, 0, []
        self.mpis = kinds()

    def path(self, name):
        return os.path.join(self.scratch, name)

    def compile(self):
        for name, source in DESIGNS.items():
            subprocess.run([SMEC, "compile", os.path.join(SOURCE, source), "-O0", "-o", self.path(name)], check=True, cwd=self.scratch,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=LIMIT)

    def observe(self, command, environment=None):
        traces = [self.path("trace.csv"), self.path("trace.vcd")]   # only waves show where processes wait
        words = list(command)
        for trace in traces:
            if os.path.exists(trace):
                os.remove(trace)
            words += ["--trace", trace]
        p = subprocess.run(words + ["--trace-all", "--checksum", "--quiet"], cwd=self.scratch, stdin=subprocess.DEVNULL, capture_output=True,
                           text=True, timeout=LIMIT, env={**ENVIRONMENT, **SOON, **(environment or {})})
        return p.returncode, p.stdout, p.stderr, *map(read, traces)

    def check(self, name, wanted, command, is_launched=False, environment=None):
        self.runs += 1
        got = self.observe(command, environment)
        same = got == wanted
        if is_launched:     # launchers say on standard error what they think of a status
            same = (got[:2], got[3:]) == (wanted[:2], wanted[3:]) and wanted[2] in got[2]
        if not same:
            parts = [what for what, g, w in zip(("status", "output", "errors", "trace", "waves"), got, wanted) if g != w]
            self.failures.append(f"{name}: {' '.join(command)}\n  differs in {parts}: {got[:3]}\n  wanted {wanted[:3]}")

    def case(self, name):
        design, inputs, cycles, status = CASES[name]
        arguments = [self.path(design)]
        if inputs:
            with open(self.path("in.csv"), "w", encoding="utf-8") as f:
                f.write("cycle,cmd.v\n" + "".join(f"{cycle},{value}\n" for cycle, value in enumerate(inputs)))
            arguments += ["--input", self.path("in.csv")]
        if cycles:
            arguments += ["--cycles", str(cycles)]
        wanted = self.observe(arguments + ["--threads", "1"])
        if wanted[0] != status:
            self.failures.append(f"{name}: one process ends with {wanted[0]}: {wanted[2]}")
        if status == 0:     # what it traced is what it is compared with
            with open(self.path("expected.csv"), "w", encoding="utf-8") as f:
                f.write(wanted[3])
            arguments += ["--expect", self.path("expected.csv")]
        for ranks in (1, 2, 3, 8):
            for threads in ("1", "2"):
                for model in ("m2", "m3"):
                    self.check(name, wanted, [*arguments, "--ranks", str(ranks), "--threads", threads, "--model", model, "--oversubscribe"],
                               environment=OVERLAP if (threads == "2") == (model == "m3") else None)
        self.ahead(name, design, inputs, cycles)
        for kind in self.mpis:
            for ranks, threads, environment in self.shared(name, kind, (2, 1, None), (3, 2, OVERLAP), (2, 1, APART), (3, 2, {**APART, **OVERLAP})):
                self.check(name, wanted, [*LAUNCHERS[kind], str(ranks), *arguments, "--threads", str(threads), "--model", "m2",
                                          "--oversubscribe"], is_launched=True, environment=environment)

    def shared(self, name, kind, *ways):
        """All ways to run one case, of the others every second one, by turns: each MPI is started in every way, and each case, where there are two MPIs."""
        first = list(CASES).index(name) + self.mpis.index(kind)
        return ways if name == "input" else [way for k, way in enumerate(ways) if (k // 2 + k + first) % 2 == 0]

    def ahead(self, name, design, inputs, cycles):
        """Ranks run ahead, and go back where something happened."""
        words = [self.path(design), *(["--input", self.path("in.csv")] if inputs else []), *(["--cycles", str(cycles)] if cycles else [])]
        traced = self.observe([*words, "--threads", "1"])
        for kind in self.mpis:
            self.check(f"{name}, {kind} ahead and traced", traced, [*LAUNCHERS[kind], "3", *words, "--threads", "1", "--oversubscribe"],
                       is_launched=True, environment=AHEAD)
        arguments = [*words, "--checksum", "--quiet", *(PRINTS if design == "ranks" else [])]
        wanted = self.ran(*arguments, "--threads", "1")
        for ranks, threads, model in ((2, "1", "m2"), (3, "2", "m3"), (8, "1", "m1"), (4, "2", "m2")):
            self.expectSame(f"{name}, {ranks} ranks ahead", wanted, self.ran(*arguments, "--ranks", str(ranks), "--threads", threads, "--model", model,
                                                                           "--oversubscribe", environment=AHEAD))
        for kind in self.mpis:
            for ranks, environment in self.shared(name, kind, ("2", AHEAD), ("3", {**AHEAD, **APART, **OVERLAP})):
                got = self.ran(*LAUNCHERS[kind], ranks, *arguments, "--threads", "1", "--oversubscribe", environment=environment)
                self.expectSame(f"{name}, {kind} ahead", (*wanted[:2], True), (*got[:2], wanted[2] in got[2]))

    def trusting(self):
        """What trusts its values, foreign functions, is not run with those that ranks that run ahead may have; loops that data end, end soon."""
        with open(self.path("same.hpp"), "w", encoding="utf-8") as f:
            f.write(SAME)
        for name, (uses, isAhead) in {"foreign": ("n = same(a.v, n) + 1;", False), "open": ("while (n != a.v) { n = n + 1; } n = n + 1;", True),
                                      "fixed": ("for i = 0 until 3 { n = n + i / 2; }", True)}.items():
            with open(self.path(name + ".sme"), "w", encoding="utf-8") as f:
                f.write(TRUSTING.replace("USES", uses))
            subprocess.run([SMEC, "compile", name + ".sme", "-O0", "-q", "-o", name], check=True, cwd=self.scratch, stderr=subprocess.DEVNULL, timeout=LIMIT)
            arguments = [self.path(name), "--cycles", "60", "--threads", "1", "--checksum"]
            wanted, environment = self.ran(*arguments, "--quiet"), {"SME_RANKS_AHEAD": "4"}
            self.expectSame(name, 0, wanted[0])
            self.expectSame(f"{name} on ranks", wanted, self.ran(*arguments, "--quiet", "--ranks", "2", environment=environment))
            told = self.ran(*arguments, "--report", "text", "--ranks", "2", environment=environment)
            self.expectSame(f"{name} ahead: {told}", isAhead, "ran ahead of the answer" in told[1] + told[2])
            told = self.ran(*arguments, "--report", "text", "--ranks", "2", environment={"SME_RANKS_AHEAD": "never"})
            self.expectSame(f"{name} never ahead: {told}", (0, False), (told[0], "ran ahead of the answer" in told[1] + told[2]))

    def overlap(self):
        """Where something is computed while values travel, the report says how often they had come by then."""
        arguments = [self.path("ranks"), "--cycles", "40", "--threads", "1", "--report", "text"]
        for kind, launch in (("", [*arguments, "--ranks", "2"]), *((kind, [*LAUNCHERS[kind], "2", *arguments]) for kind in self.mpis)):
            for environment in ({"SME_RANKS_OVERLAP": "0"}, *([{**OVERLAP, **APART}] if kind else []), OVERLAP):
                told = self.ran(*launch, environment=environment)
                said = re.findall(r"^ +\d+ .*% +([\d.]+)% +[\d.]+ MiB$", told[1] + told[2], re.M)
                shares = [float(share) for share in said]
                self.expectSame(f"overlap {kind} {environment}: {told}", (2, environment != {"SME_RANKS_OVERLAP": "0"}),
                                (len(shares), any(share > 0 for share in shares)))

    def difference(self):
        """An expectation that does not hold is told in the words of one process."""
        rows = "cycle,r[5].v\n" + "".join(f"{cycle},0\n" for cycle in range(7))
        with open(self.path("wrong.csv"), "w", encoding="utf-8") as f:
            f.write(rows)
        arguments = [self.path("ranks"), "--cycles", "9", "--expect", self.path("wrong.csv"), "--threads", "1"]
        wanted = self.observe(arguments)
        if wanted[0] != 1 or "r[5].v" not in wanted[2]:
            self.failures.append(f"a wrong expectation: {wanted[:3]}")
        self.check("a wrong expectation", wanted, [*arguments, "--ranks", "3"])

    def ran(self, *arguments, environment=None):
        """Status, standard output, standard error."""
        p = subprocess.run(arguments, cwd=self.scratch, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT,
                           env={**ENVIRONMENT, **SOON, **(environment or {})})
        return p.returncode, p.stdout, p.stderr

    def ended(self, *arguments):
        """The same of a launcher that has to end all ranks: one that writes to a rank which is gone already dies of that itself, and is started again."""
        for _ in range(3):
            status, out, err = self.ran(*arguments)
            if status != -signal.SIGPIPE:
                break
        return status, out, err

    def expectSame(self, name, wanted, got):
        self.runs += 1
        if got != wanted:
            self.failures.append(f"{name}: {got}\n  wanted {wanted}")

    def resumed(self):
        """What some ranks kept, any other number goes on from, with the traces and what was printed."""
        rest = ["--cycles", "40", "--threads", "1", "--checksum", "--quiet", "--print", "r[5].v", "--trace-all"]
        wanted = self.ran(self.path("ranks"), *rest, "--trace", self.path("whole.csv"))
        for before in ("1", "2", "3", "8"):
            state, trace = self.path(f"state{before}"), self.path("part.csv")
            first = self.ran(self.path("ranks"), "--cycles", "17", "--threads", "1", "--ranks", before, "--checkpoint", state, "--quiet",
                             "--trace-all", "--trace", trace)
            self.expectSame(f"a state of {before} ranks", 0, first[0])
            shutil.copy(trace, self.path("kept.csv"))
            for after in ("1", "3", "4"):
                shutil.copy(self.path("kept.csv"), trace)
                second = self.ran(self.path("ranks"), *rest, "--ranks", after, "--resume", state, "--trace", trace)
                self.expectSame(f"{after} ranks after {before}", wanted, (second[0], first[1] + second[1], first[2] + second[2]))
                self.expectSame(f"the trace of {after} ranks after {before}", read(self.path("whole.csv")), read(trace))

    def processes(self, program):
        """Numbers of the processes that run a program of the scratch folder."""
        found = []
        for number in filter(str.isdigit, os.listdir("/proc")):
            try:
                if os.readlink(f"/proc/{number}/exe") == program:
                    found.append(int(number))
            except OSError:
                pass    # it is gone, or not ours
        return found

    def rank_of(self, process):
        """Its number, as its launcher told it."""
        with open(f"/proc/{process}/environ", encoding="utf-8", errors="replace") as f:
            found = re.search(r"(?:OMPI_COMM_WORLD_RANK|PMI_RANK)=(\d+)", f.read())
        return found.group(1) if found else ""

    def killed(self, kind, rng):
        """A rank that is killed ends all; the last state goes on, in one process."""
        state, program = self.path("kept"), os.path.realpath(self.path("ranks"))
        if os.path.exists(state):
            os.remove(state)
        command = [*LAUNCHERS[kind], "3", program, "--threads", "1", "--cycles", str(1 << 60), "--checkpoint", f"{state}:50", "--quiet"]
        with open(self.path("said"), "w+b") as said, subprocess.Popen(command, cwd=self.scratch, stdin=subprocess.DEVNULL, stdout=said,
                                                                      stderr=said, env={**ENVIRONMENT, "OMPI_MCA_orte_execute_quiet": "0"}) as p:
            start = time.monotonic()
            while not os.path.exists(state) and p.poll() is None and time.monotonic() - start < LIMIT:
                os.sched_yield()
            ranks = self.processes(program)
            victim = rng.choice(ranks) if len(ranks) == 3 else p.pid
            number = self.rank_of(victim)
            os.kill(victim, signal.SIGKILL)
            start = time.monotonic()
            try:
                p.wait(LIMIT)
            except subprocess.TimeoutExpired:
                p.kill()
            took = time.monotonic() - start
            said.seek(0)
            text = said.read().decode(errors="replace")
        self.expectSame(f"{kind}: three ranks, one of them killed", (True, []), (len(ranks) == 3 and p.returncode != 0, self.processes(program)))
        told = re.findall(r"^rank (\d+) on .+ has ended$", text, re.M)
        self.expectSame(f"{kind}: the others say which one: {text[-300:]}", [number], told[:1])
        complaint = self.ran(program, "--resume", state, "--cycles", "1", "--quiet")[2]
        until = re.search(r"before cycle (\d+)", complaint)
        if not until:
            self.failures.append(f"{kind}: no state after a kill: {complaint} {text[-500:]}")
            return took
        rest = ["--cycles", str(int(until.group(1)) + 7), "--threads", "1", "--checksum", "--quiet"]
        whole, after = self.ran(program, *rest), self.ran(program, *rest, "--resume", state)
        self.expectSame(f"{kind}: the state after a kill", (whole[0], whole[1][-17:]), (after[0], after[1][-17:]))
        after = self.ran(program, *rest, "--resume", state, "--ranks", "2")
        self.expectSame(f"{kind}: the state after a kill, on two ranks", (whole[0], whole[1][-17:]), (after[0], after[1][-17:]))
        return took

    def early(self, kind):
        """What is wrong before the ranks know each other is told by those that know it, and ends all with one status."""
        broken = self.path("broken")
        os.makedirs(broken, exist_ok=True)
        for name in LAUNCHERS:
            with open(os.path.join(broken, f"libsme_mpi_{name}.so"), "wb"):
                pass
        good, wrong = ([self.path("counter"), "--threads", "1", "--cycles", cycles] for cycles in ("5", "x"))
        without = ["env", f"LD_LIBRARY_PATH={broken}"]
        option, library = "--cycles takes a whole number, not 'x'", f"libsme_mpi_{kind}.so: file too short"
        for name, first, second, wanted in (("an option of all", wrong, wrong, option), ("an option of rank 0", wrong, good, option),
                                            ("an option of rank 1", good, wrong, option),
                                            ("no library on rank 0", [*without, *good], good, library),
                                            ("no library on rank 1", good, [*without, *good], library),
                                            ("neither on rank 1", good, [*without, *wrong], option)):
            status, out, err = self.ended(*LAUNCHERS[kind], "1", *first, ":", "-np", "1", *second)
            said = [line for line in err.splitlines() if line.startswith("counter: error: ")]
            isOfOne = bool(said) and said[0].startswith("counter: error: rank 1: ")
            if kind == "mpich" and without[1] in first + second:  # the launcher, asked to end all of them, may lose what they said, and says so itself
                self.expectSame(f"{kind}, {name}", 2, status)
                self.expectSame(f"{kind}, {name}: {said}", True, len(said) <= 1 and all(wanted in line for line in said))
                continue
            self.expectSame(f"{kind}, {name}", (2, "", 1), (status, out, len(said)))
            self.expectSame(f"{kind}, {name}: {said}", (True, "rank 1" in name), (bool(said) and wanted in said[0], isOfOne))

    def whole(self):
        """The report says which piece keeps ranks from sharing out a design, and that there is none where there is none."""
        for name, isThere in (("counter", True), ("ranks", False)):
            said = self.ran(self.path(name), "--cycles", "3", "--threads", "1", "--ranks", "2", "--report", "text")
            found = re.findall(r"^'(.+)' is ([\d.]+)% of the cost and cannot be cut", said[1] + said[2], re.M)
            self.expectSame(f"a piece of {name}: {said}", int(isThere), len(found))
            self.expectSame(f"of {name} it is most: {said}", [], [part for _, part in found if float(part) <= 55])

    def chosen(self, kind):
        """Words of the environment that are none are told once, and ranks that are cut in different ways do not start."""
        good = [self.path("ranks"), "--threads", "1", "--cycles", "5", "--quiet", "--checksum"]
        launch = [*LAUNCHERS[kind], "2"] if kind else []
        ranks = [] if kind else ["--ranks", "2"]
        words = (("CUT", "rows", "SME_RANKS_CUT takes lists, each, blocks, graph or metis, not 'rows'"),
                 ("CUT", "", "SME_RANKS_CUT takes lists, each, blocks, graph or metis, not ''"),
                 ("OVERLAP", "yes", "SME_RANKS_OVERLAP takes 0 or 1, not 'yes'"),
                 ("AHEAD", "21", "SME_RANKS_AHEAD takes never or a whole number up to 20, not '21'"))
        for name, value, wanted in words[:1] if kind else words:
            status, out, err = self.ran(*launch, *good, *ranks, environment={f"SME_RANKS_{name}": value})
            said = [line for line in err.splitlines() if line.startswith("ranks: error: ")]
            self.expectSame(f"{kind}, SME_RANKS_{name}={value!r}", (2, "", [f"ranks: error: {wanted}"]), (status, out, said))
        if not kind:
            return
        ways = [["env", f"SME_RANKS_CUT={way}", *good] for way in ("lists", "each")]
        for first, second in (ways, ways[::-1]):
            status, out, err = self.ran(*LAUNCHERS[kind], "1", *first, ":", "-np", "1", *second)
            wanted = "ranks: error: rank 1 cuts the design in another way than rank 0; SME_RANKS_CUT has to be the same on all"
            self.expectSame(f"{kind}, {first[1]} and {second[1]}", (2, "", True), (status, out, wanted in err))

    def told(self, kind):
        """What is told instead of a run is told once; no rank waits for one that was called for something else, or wrongly."""
        program = self.path("ranks")
        runs = [program, "--cycles", "5", "--threads", "1", "--quiet"]
        for asked in "--help", "--version", "--list":
            wanted = self.ran(program, asked)
            got = self.ran(*LAUNCHERS[kind], "2", program, asked)
            self.expectSame(f"{kind} {asked}", wanted[:2], got[:2])
            for first, second in ([program, asked], runs), (runs, [program, asked]):
                status, out, err = self.ran(*LAUNCHERS[kind], "1", *first, ":", "-np", "1", *second)
                self.expectSame(f"{kind}, {asked} on one rank: {err}", (2, "", True), (status, out, "rank 1 has other options than rank 0" in err))
        for first, second in ([*runs, "--nosuch"], runs), (runs, [*runs, "--nosuch"]):
            status, out, err = self.ran(*LAUNCHERS[kind], "1", *first, ":", "-np", "1", *second)
            self.expectSame(f"{kind}, a wrong option on one rank: {err}", (2, "", True), (status, out, "--nosuch" in err))

    def interrupted(self, number, status):
        """A signal ends ranks of one process after one common cycle, with one message."""
        command = [self.path("ranks"), "--ranks", "2", "--threads", "1", "--cycles", str(1 << 60), "--quiet"]
        with subprocess.Popen(command, cwd=self.scratch, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as p:
            try:
                is_running = p.stdout.readline() != b""     # what the first cycle prints
                p.send_signal(number)
                _, said = p.communicate(timeout=LIMIT)
            except subprocess.TimeoutExpired:
                p.kill()
                said = b"it did not end"
        if not is_running or p.returncode != status or said.count(b"interrupted after cycle") != 1:
            self.failures.append(f"signal {number}: status {p.returncode}, {said.decode(errors='replace')[-500:]}")


def main():
    with tempfile.TemporaryDirectory(prefix="sme ranks ") as scratch:
        test = Ranks(scratch)
        test.compile()
        for name in CASES:
            test.case(name)
        test.trusting()
        test.overlap()
        test.whole()
        test.difference()
        test.resumed()
        rng = random.Random(1)
        took = [test.killed(kind, rng) for kind in test.mpis for _ in range(int(os.environ.get("SME_KILLS", "2")))]
        for kind in test.mpis:
            test.early(kind)
        for kind in ("", *test.mpis):
            test.chosen(kind)
        for kind in test.mpis:
            test.told(kind)
        test.interrupted(signal.SIGINT, 130)
        test.interrupted(signal.SIGTERM, 143)
        test.interrupted(signal.SIGUSR1, 138)
    if took:
        print(f"{len(took)} killed ranks; the others ended at the latest {max(took):.1f} s later")
    for text in test.failures[:10]:
        print(text)
    print(f"{len(CASES)} cases, {test.runs} runs, {' and '.join(test.mpis) or 'no MPI found'}: {len(test.failures)} failed")
    return 1 if test.failures else 0


if __name__ == "__main__":
    sys.exit(main())
