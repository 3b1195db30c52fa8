#!/usr/bin/env python3
"""Ranks on several machines, imitated by namespaces (imitated_nodes.py): they show what one process shows, by TCP between machines and shared memory in one.

Where the kernel forbids namespaces this says so, and ranks only take each other for strangers. `--latency` prints what exchanges take.
"""
import glob
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import imitated_nodes
from ranks import APART, CASES, ENVIRONMENT, LIMIT, OVERLAP, SMEC, SOURCE, Ranks

LAYOUTS = {"2 x 2": (2, 2), "3 x 1": (1, 1, 1), "4 x 2": (2, 2, 2, 2)}
SOON = {"OMPI_MCA_odls_base_sigkill_timeout": "0"}  # until ranks are ended that go on when others do not
LOOK = 0.01     # seconds; processors are for the ranks
KILLS = int(os.environ.get("SME_KILLS", "2"))
ENDS = 10   # seconds within which a killed rank ends all
# A cycle is little more than an exchange.
RING = """
proc cell(in left, out y) { y.v = left.v * 3 + 1; }
network top()
{
    bus link[200] { v: u32; };
    generate i = 0 until 200 { instance c[i] of cell(link[(i + 199) % 200], link[i]); }
}
"""


class OnNodes(Ranks):
    def __init__(self, scratch):
        super().__init__(scratch)
        self.nodes = imitated_nodes.Nodes(scratch, 4)

    def truth(self, good, text):
        self.runs += 1
        if not good:
            self.failures.append(text)

    def on(self, kind, layout, *words, environment=None):
        return self.ran(*self.nodes.launch(kind, layout), *words, environment=environment)

    def apart(self, kind):
        """They are what they are taken for."""
        script = "hostname; readlink /proc/self/ns/net /proc/self/ns/pid /proc/self/ns/ipc; stat -c %d /dev/shm; cat /proc/sys/kernel/random/boot_id"
        status, out, err = self.on(kind, (1, 1, 1, 1), "sh", "-c", f"echo $({script})")
        parts = list(zip(*(line.split() for line in out.splitlines())))
        self.truth(status == 0 and len(parts) == 6 and all(len(set(part)) == 4 for part in parts), f"{kind}: four machines: {out} {err}")
        arguments = [self.path("ring"), "--threads", "1", "--quiet", "--cycles", "1000"]
        sent = []
        for layout in ((2, 0), (1, 1)):
            before = self.nodes.bytesFrom(1)
            status, _, err = self.on(kind, layout, *arguments)
            sent.append(self.nodes.bytesFrom(1) - before)
            self.truth(status == 0, f"{kind} {layout}: {err}")
        self.truth(sent[0] < 3000 < 1000 * 4 < sent[1], f"{kind}: bytes by the network on one node and on two: {sent}")

    def same(self, kind):
        """Of CASES what one process shows."""
        for name, layouts in {"input": LAYOUTS, "failure": ("2 x 2",), "stop": ("3 x 1",), "fewer processes than ranks": ("4 x 2",)}.items():
            design, inputs, cycles, status = CASES[name]
            arguments = [self.path(design), "--threads", "1"]
            if inputs:
                with open(self.path("in.csv"), "w", encoding="utf-8") as f:
                    f.write("cycle,cmd.v\n" + "".join(f"{cycle},{value}\n" for cycle, value in enumerate(inputs)))
                arguments += ["--input", self.path("in.csv")]
            if cycles:
                arguments += ["--cycles", str(cycles)]
            wanted = self.observe(arguments)
            self.truth(wanted[0] == status, f"{name}: one process ends with {wanted[0]}")
            for layout in layouts:
                for environment in (None, OVERLAP) if layout == "2 x 2" else (None,):
                    self.check(f"{kind} {layout} {name}", wanted, [*self.nodes.launch(kind, LAYOUTS[layout]), *arguments], is_launched=True,
                               environment={**SOON, **(environment or {})})

    def states(self, kind):
        """What ranks of two nodes kept, others go on from."""
        rest = ["--cycles", "40", "--threads", "1", "--checksum", "--quiet", "--print", "r[5].v"]
        wanted = self.ran(self.path("ranks"), *rest)
        state = self.path("state")
        first = self.on(kind, LAYOUTS["2 x 2"], self.path("ranks"), "--cycles", "17", "--threads", "1", "--checkpoint", state, "--quiet")
        self.truth(first[0] == 0 and len(glob.glob(glob.escape(state) + ".*.shard")) == 4, f"{kind}: four shards: {first}")
        for layout in ("3 x 1", "2 x 2"):
            second = self.on(kind, LAYOUTS[layout], self.path("ranks"), *rest, "--resume", state)
            self.expectSame(f"{kind}: {layout} after 2 x 2", wanted[:2], (second[0], first[1] + second[1]))
        second = self.ran(self.path("ranks"), *rest, "--resume", state)
        self.expectSame(f"{kind}: one process after 2 x 2", wanted[:2], (second[0], first[1] + second[1]))

    def ends(self, process, seconds):
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def endless(self, kind, then):
        """An endless run on two nodes; after a state was kept `then` is told the ranks' processes. Status, what was said, seconds."""
        state, program = self.path("kept"), os.path.realpath(self.path("ranks"))
        for path in glob.glob(glob.escape(state) + "*"):
            os.remove(path)
        command = [*self.nodes.launch(kind, LAYOUTS["2 x 2"]), program, "--threads", "1", "--cycles", str(1 << 60), "--checkpoint", f"{state}:50", "--quiet"]
        with open(self.path("said"), "w+b") as said, subprocess.Popen(command, cwd=self.scratch, stdin=subprocess.DEVNULL, stdout=said, stderr=said,
                                                                      env={**ENVIRONMENT, "OMPI_MCA_orte_execute_quiet": "0"}) as p:
            start = time.monotonic()
            while not os.path.exists(state) and not self.ends(p, LOOK) and time.monotonic() - start < LIMIT:
                pass
            then({self.rank_of(process): process for process in self.processes(program)})
            start = time.monotonic()
            if not self.ends(p, LIMIT):
                p.kill()
            took = time.monotonic() - start
            while self.processes(program) and time.monotonic() - start < ENDS:
                os.sched_yield()
            said.seek(0)
            text = said.read().decode(errors="replace")
        self.truth(not self.processes(program), f"{kind}: all ranks end: {text[-500:]}")
        return p.returncode, text, took

    def killed(self, kind):     # pylint: disable=arguments-differ
        """Any rank, at any time: the others say first which one it was, whatever the launcher says."""
        for _ in range(KILLS):
            victim = random.randrange(4)

            def kill(ranks, rank=str(victim)):
                for _ in range(random.randrange(20_000)):
                    os.sched_yield()
                os.kill(ranks[rank], signal.SIGKILL)
            status, text, took = self.endless(kind, kill)
            said = re.findall(r"^rank (\d+) on (\w+) has ended$", text, re.M)
            good = status != 0 and took <= ENDS and said[:1] == [(str(victim), f"node{victim // 2 + 1}")]
            self.truth(good, f"{kind}: rank {victim} was killed, {took:.1f} s: {status} {said} {text[-900:]}")
        until = re.search(r"before cycle (\d+)", self.ran(self.path("ranks"), "--resume", self.path("kept"), "--cycles", "1", "--quiet")[2])
        self.truth(until is not None, f"{kind}: a state after a kill")
        if until:
            rest = [self.path("ranks"), "--cycles", str(int(until.group(1)) + 7), "--threads", "1", "--checksum", "--quiet"]
            whole, after = self.ran(*rest), self.on(kind, LAYOUTS["3 x 1"], *rest, "--resume", self.path("kept"))
            self.expectSame(f"{kind}: the state after a kill, on three nodes", (whole[0], whole[1][-17:]), (after[0], after[1][-17:]))

    def interrupted(self, kind):    # pylint: disable=arguments-differ
        """A signal to one rank of the other node ends all after one cycle, with one message and the status of one process."""
        status, text, took = self.endless(kind, lambda ranks: os.kill(ranks["2"], signal.SIGINT))
        self.truth(status == 130 and took <= ENDS and text.count("interrupted after cycle") == 1, f"{kind}: SIGINT, {took:.1f} s: {status} {text[-500:]}")

    def strange(self, kind):
        """One node has another program, or lacks what the others have."""
        program, state = self.path("counter"), self.path("apart/state")
        os.makedirs(self.path("apart"), exist_ok=True)
        shutil.copy(program, self.path("apart/counter"))
        with open(self.path("apart/in.csv"), "w", encoding="utf-8") as f:
            f.write("cycle,cmd.v\n0,1\n")
        words = [program, "--threads", "1", "--cycles", "5", "--quiet"]
        ranks = [self.path("ranks"), "--threads", "1", "--quiet", "--input", self.path("apart/in.csv")]
        self.truth(self.on(kind, (2, 2), *words, "--checkpoint", state)[0] == 0, f"{kind}: nothing strange")
        self.nodes.hide("node2", program, self.path("ring"))
        self.refused(kind, "another program", words, 2, r"rank 2 runs another design or version")
        self.nodes.show("node2", program)
        self.nodes.hide("node2", self.path("apart"))
        self.refused(kind, "no input file", ranks, 3, r"rank 2: .*in\.csv")
        self.refused(kind, "no state", [*words, "--resume", state], None, r"rank 2: .*state")
        self.refused(kind, "no folder for states", [*words, "--checkpoint", self.path("apart/new")], 3, r"apart/new")
        self.refused(kind, "no program", [self.path("apart/counter"), "--cycles", "5"], None, r"node2")
        self.nodes.show("node2", self.path("apart"))

    def refused(self, kind, name, words, wanted, says):
        start = time.monotonic()
        # MPICH's launcher waits for ever for a program that is not there; the others end before that
        try:
            status, out, err = self.on(kind, (2, 2), *words, environment={"OMPI_MCA_orte_execute_quiet": "0", "MPIEXEC_TIMEOUT": "5", **SOON})
        except subprocess.TimeoutExpired:
            if name != "no program":
                raise
            # Open MPI's launcher hangs once in a while, before any rank runs, in spite of its own limit of 5 s
            start = time.monotonic()
            status, out, err = self.on(kind, (2, 2), *words, environment={"OMPI_MCA_orte_execute_quiet": "0", "MPIEXEC_TIMEOUT": "5", **SOON})
        took = time.monotonic() - start
        good = status != 0 if wanted is None else status == wanted
        self.truth(good and took <= ENDS and re.search(says, out + err) is not None, f"{kind}, {name}, {took:.1f} s: {status} {out}{err}")

    def latency(self, kind):
        for text, layout, environment in (("shared memory of one node", (2, 0), None), ("messages of MPI on one node", (2, 0), APART), ("two nodes", (1, 1), None)):
            best = min(self.microseconds(kind, layout, environment) for _ in range(3))
            print(f"{kind}, {text}: {best:.1f} us a cycle")

    def microseconds(self, kind, layout, environment):
        _, out, err = self.on(kind, layout, self.path("ring"), "--threads", "1", "--cycles", "20000", "--report", "text", environment=environment)
        return float(re.search(r"^wall time +([\d.]+) s", out + err, re.M).group(1)) / 20000 * 1e6


class Strangers(Ranks):
    """Where namespaces are forbidden: no memory in common, and no messages but by TCP."""

    def same(self, kind):
        design, inputs, _, _ = CASES["input"]
        with open(self.path("in.csv"), "w", encoding="utf-8") as f:
            f.write("cycle,cmd.v\n" + "".join(f"{cycle},{value}\n" for cycle, value in enumerate(inputs)))
        arguments = [self.path(design), "--threads", "1", "--input", self.path("in.csv")]
        wanted = self.observe(arguments)
        launcher = {"openmpi": ["mpirun.openmpi", "--quiet", "--oversubscribe", "--mca", "btl", "tcp,self", "-np", "4"],
                    "mpich": ["mpirun.mpich", "-np", "4"]}[kind]
        self.check(f"{kind} by TCP", wanted, [*launcher, *arguments], is_launched=True, environment={**APART, "MPIR_CVAR_NOLOCAL": "1", "UCX_TLS": "tcp,self"})


def compileAll(test):
    test.compile()
    with open(test.path("ring.sme"), "w", encoding="utf-8") as f:
        f.write(RING)
    subprocess.run([SMEC, "compile", "ring.sme", "-q", "-o", "ring"], check=True, cwd=test.scratch, stderr=subprocess.DEVNULL, timeout=LIMIT)


def main():
    rights, why = (None, None) if imitated_nodes.isInside() else imitated_nodes.forbidden()
    if why is None and not imitated_nodes.isInside():
        return imitated_nodes.runInside(rights)
    with tempfile.TemporaryDirectory(prefix="sme_nodes_") as scratch:
        test = Strangers(scratch) if why else OnNodes(scratch)
        compileAll(test)
        if why:
            print(f"namespaces are forbidden here ({why}): only ranks of one machine were tried, which had nothing in common but TCP")
            cases = (test.same,)
        elif "--latency" in sys.argv:
            cases = (test.latency,)
        else:
            cases = (test.apart, test.same, test.states, test.killed, test.interrupted, test.strange)
        for kind in test.mpis:
            for case in cases:
                start = time.monotonic()
                case(kind)
                print(f"{kind} {case.__name__}: {time.monotonic() - start:.1f} s", flush=True)
        if not why:
            test.nodes.close()
    for text in test.failures[:10]:
        print(text)
    print(f"{test.runs} checks, {' and '.join(test.mpis) or 'no MPI found'}: {len(test.failures)} failed")
    return 1 if test.failures else 0


if __name__ == "__main__":
    sys.exit(main())
