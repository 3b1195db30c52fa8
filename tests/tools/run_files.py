#!/usr/bin/env python3
"""Who owns which file of a run (docs/tools.md, "The files of a run"): logs only grow, traces are cut only where they go on, outputs eat no inputs, one
writer at a time, nobody waits for ever, nothing is left behind, and a state is kept when a signal ends the run."""
import contextlib
import os
import signal
import subprocess

from support import SMEC, Tally, read, scratch, write

LIMIT = 100     # seconds, of what takes less than ten
DESIGN = """
sim proc p(in x, out y)
    var m: [4]u8;
{
    m[cycle() % 4] = x.v;
    y.v = u32((y.v + x.v + 1) % 1000000);
    if (cycle() == 0) { trace("started"); }
    if (cycle() % 10 == 9 && cycle() < 100) { trace("{}: {}", cycle(), m[0]); }
}
network top() { exposed bus x { v: u8; }; exposed bus y { v: u32; }; instance p of p(x, y); }
"""
HEADER = "cycle,x.v,y.v\n"
FORMATS = ("csv", "vcd", "fst")


class Folder:
    """A simulator `sim` of main.sme, and the ways to run it."""
    def __init__(self, folder, tally):
        self.folder, self.tally = folder, tally
        self.rows = {}  # by process: the end of the pipe of its input
        self.ways = {"compiled": ["./sim"], "interpreted": [SMEC, "run", "--interpret", "-Wno-unread", "main.sme"]}

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, way, *options, **more):
        """Status, standard output (where it is not given), standard error."""
        words = [*self.ways[way], *options]
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
        done = subprocess.run([*words, "--quiet"], cwd=self.folder, text=True, timeout=LIMIT, check=False, **streams)
        return done.returncode, done.stdout, done.stderr

    def start(self, way, *options, **more):
        """A run that has ended its first cycle when this returns, and waits for the next row of its input."""
        ends = os.pipe()
        os.write(ends[1], b"cycle,x.v\n0,0\n")
        process = subprocess.Popen([*self.ways[way], *options, "--input", "-", "--quiet"], cwd=self.folder, stdin=ends[0], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, **more)
        os.close(ends[0])
        self.rows[process.pid] = ends[1]
        self.tally.equal(process.stdout.readline(), "started\n", f"{way} {options} starts")
        return process

    def end(self, process, how):
        process.send_signal(how)
        text, err = process.communicate(timeout=LIMIT)
        os.close(self.rows.pop(process.pid))
        return process.returncode, text, err

    def bytes(self, name):
        with open(self.path(name), "rb") as f:
            return f.read()

    def refused(self, way, status, says, kept, *options, **more):
        before = [self.bytes(name) for name in kept]
        got = self.run(way, *options, **more)
        self.tally.check(got[0] == status and says in (got[2] or ""), f"{way} {options}: {got}; wanted {status}, '{says}'")
        self.tally.equal([self.bytes(name) for name in kept], before, f"{way} {options}: nothing is lost")


def logs(f, way):
    """A batch that warms up once and runs its experiments from there has all of them in its log, whatever name leads to standard output."""
    extra = {"compiled": ([], ["--ranks", "2", "--threads", "1"]), "interpreted": ([],)}[way]
    os.symlink("log", f.path("link")) if not os.path.islink(f.path("link")) else None
    for more in extra:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(f.path("log"))
        wanted = "# mine\n"
        write(f.folder, "log", wanted)
        with open(f.path("log"), "a", encoding="utf-8") as log:
            f.run(way, "--cycles", "20", "--checkpoint", "warm", *more, stdout=log)
        wanted += "started\n9: 0\n19: 0\n"
        f.tally.equal(read(f.path("log")), wanted, f"{way} {more}: the log after the first run")
        for _ in range(3):
            with open(f.path("log"), "r+", encoding="utf-8") as log:
                log.seek(0, os.SEEK_END)
                f.tally.equal(f.run(way, "--cycles", "40", "--resume", "warm", *more, stdout=log)[0], 0, "an experiment")
            wanted += "29: 0\n39: 0\n"
            f.tally.equal(read(f.path("log")), wanted, f"{way} {more}: the log after an experiment")
        rows = "".join(f"{i},0,{i}\n" for i in range(3))
        for name in ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "log", "./log", "link"):
            if name in ("log", "./log", "link"):
                os.rename(f.path("log"), f.path("log.csv"))
                name = {"log": "log.csv", "./log": "./log.csv", "link": "link.csv"}[name]
                if name == "link.csv" and not os.path.islink(f.path(name)):
                    os.symlink("log.csv", f.path(name))
            file = "log.csv" if "log.csv" in name or "link" in name else "log"
            with open(f.path(file), "a", encoding="utf-8") as log:
                f.tally.equal(f.run(way, "--cycles", "3", "--trace", name, *more, stdout=log)[0], 0, f"{way} --trace {name}")
            text = HEADER + rows.replace("0,0,0\n", "0,0,0\nstarted\n", 1)
            wanted += text
            f.tally.equal(read(f.path(file)), wanted, f"{way} {more} --trace {name} into the log")
            if file == "log.csv":
                os.rename(f.path("log.csv"), f.path("log"))
    with open(f.path("log"), "a", encoding="utf-8") as log:
        for name in ("log", "./log", "link"):
            f.refused(way, 2, "standard output, which it would replace", ["log"], "--cycles", "3", "--checkpoint", name, stdout=log)
    os.rename(f.path("log"), f.path("log.fst"))
    with open(f.path("log.fst"), "a", encoding="utf-8") as log:
        f.refused(way, 2, "not written from front to back", ["log.fst"], "--cycles", "3", "--trace", "log.fst", stdout=log)
    write(f.folder, "err.csv", "# mine\n")
    with open(f.path("err.csv"), "a", encoding="utf-8") as err:
        f.run(way, "--cycles", "2", "--trace", "/dev/stderr", stderr=err)
        f.tally.equal(read(f.path("err.csv")), "# mine\n" + HEADER + "0,0,0\n1,0,1\n", f"{way}: what /dev/stderr names only grows")
        before = read(f.path("err.csv"))
        status = f.run(way, "--cycles", "2", "--trace", "err.csv", stderr=err)[0]
        after = read(f.path("err.csv"))
        f.tally.check(status == 2 and after.startswith(before) and "'err.csv'" in after and "standard error" in after, f"{way}: standard error by name: {after}")


def traces(f, way):
    """A file is cut only where the state's trace goes on in it."""
    for ending in FORMATS:
        name = "t." + ending
        words = ["--trace", name, "--resume", "state", "--cycles", "40"]
        for old in (name, "moved." + ending):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(f.path(old))
        f.tally.equal(f.run(way, "--cycles", "40", "--trace", name)[0], 0, "one run")
        whole = f.bytes(name)
        f.tally.equal(f.run(way, "--cycles", "15", "--trace", name, "--checkpoint", "state")[0], 0, "its first part")
        f.tally.equal(f.run(way, *words)[0], 0, "goes on")
        f.tally.equal(f.bytes(name), whole, f"{way} {name}: the bytes of one run")
        f.tally.equal(f.run(way, "--trace", "./" + name, *words[2:])[0], 0, "under a name that ends alike")
        f.tally.equal(f.bytes(name), whole, f"{way} ./{name}")
        os.rename(f.path(name), f.path("moved." + ending))
        f.refused(way, 1, "under another name", ["moved." + ending], "--trace", "moved." + ending, *words[2:])
        f.refused(way, 1, "is gone", ["moved." + ending], *words)
        with open(f.path(name), "wb") as copy:
            copy.write(whole)
        f.refused(way, 1, f"'{name}' is another file", [name], *words)
        os.rename(f.path("moved." + ending), f.path(name))
        with open(f.path(name), "r+b") as file:
            file.seek(len(f.bytes(name)) // 4 if ending != "fst" else 335)
            byte = file.read(1)
            file.seek(-1, os.SEEK_CUR)
            file.write(bytes([byte[0] ^ 1]))
        f.refused(way, 1, f"'{name}' is not the one", [name], *words)
        write(f.folder, "mine." + ending, "of another run\n")
        f.refused(way, 1, f"'mine.{ending}' holds 15 bytes", ["mine." + ending, name], "--trace", "mine." + ending, *words[2:])
        f.tally.equal(f.run(way, "--trace", "mine." + ending, "--cycles", "3")[0], 0, "a run from the start makes it anew")
        write(f.folder, "mine." + ending, "")
        f.tally.equal(f.run(way, "--trace", "mine." + ending, *words[2:])[0], 0, "an empty file is a new one")


def inputs(f, way):
    """What is read is not written, by whatever name."""
    write(f.folder, "in.csv", "cycle,x.v\n0,1\n1,2\n")
    write(f.folder, "m.hex", "1 2 3 4\n")
    for name, link in (("in.csv", "in2.csv"), ("m.hex", "m2.csv"), ("sim", "sim2.csv"), ("main.sme", "main2.csv")):
        if not os.path.exists(f.path(link)):
            os.link(f.path(name), f.path(link))
    kept = ["in.csv", "m.hex", "sim", "main.sme"]
    given = ["--cycles", "3", "--input", "in.csv", "--memory", "p.m=m.hex"]
    own = "sim2.csv" if way == "compiled" else "main2.csv"
    for option, name in (("--checkpoint", "in.csv"), ("--checkpoint", "./in2.csv:5"), ("--checkpoint", "m.hex"), ("--checkpoint", "m2.csv:1"), ("--trace", "m2.csv"),
                         ("--trace", "in2.csv"), ("--checkpoint", own), ("--checkpoint", own + ":1"), ("--trace", own)):
        f.refused(way, 2, "simulator itself" if own == "sim2.csv" and "sim2" in name else "input", kept, *given, option, name)
    with open(f.path("in.csv"), encoding="utf-8") as rows:
        f.refused(way, 2, "", ["in.csv"], "--input", "-", "--checkpoint", "in2.csv", stdin=rows)
    if not os.path.exists(f.path("both")):
        os.mkfifo(f.path("both"))
    f.refused(way, 2, "name one file", kept, "--cycles", "3", "--trace", "both", "--checkpoint", "both")
    f.refused(way, 2, "input", kept, "--cycles", "3", "--trace", "both", "--input", "both")
    f.tally.equal(f.run(way, "--cycles", "3", "--checkpoint", "again")[0], 0, "a state")
    if not os.path.exists(f.path("again2")):
        os.symlink("again", f.path("again2"))
    f.tally.equal(f.run(way, "--cycles", "6", "--resume", "again", "--checkpoint", "./again2:1")[0], 0, f"{way}: the state that it goes on from may be replaced")
    f.refused(way, 2, "", ["again"], "--cycles", "9", "--resume", "again", "--trace", "again")


def together(f, way):
    """A second run of one file is refused while the first goes on, and not after it."""
    for name in (*("one." + ending for ending in FORMATS), "kept", "fresh"):
        isTrace = "." in name
        option = "--trace" if isTrace else "--checkpoint"
        if name == "kept":
            f.run(way, "--cycles", "2", "--checkpoint", name)
        link = "second" + (name[name.index("."):] if isTrace else "-" + name)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(f.path(link))
        os.symlink(name, f.path(link))
        first = f.start(way, option, name)
        for other in (name, link):
            got = f.run(way, "--cycles", "9", option, other)
            f.tally.check(got[0] == 3 and ("written already" if isTrace else "another run keeps its state") in got[2], f"{way}, a second {option} {other}: {got}")
        status, _, err = f.end(first, signal.SIGTERM)
        f.tally.equal(status, 143, f"{way} {name}: the first ends as it should: {err}")
        if name == "one.csv":
            f.tally.equal(read(f.path(name)), HEADER + "0,0,0\n", f"{way}: the first one's rows")
        f.tally.equal(f.run(way, "--cycles", "9", option, link)[0], 0, f"{way} {name}: then another one may")


def killed(f, way):
    """Of runs that are killed nothing stays that the next one of the same file does not remove."""
    for _ in range(8):
        process = subprocess.Popen([*f.ways[way], "--cycles", "1000000000", "--checkpoint", "often:1", "--quiet"], cwd=f.folder, stdout=subprocess.DEVNULL)
        while not os.path.exists(f.path("often")) and process.poll() is None:
            pass
        process.kill()
        process.wait()
    f.tally.equal(f.run(way, "--cycles", "5", "--checkpoint", "often")[0], 0, f"{way}: a run after them")
    left = [name for name in os.listdir(f.folder) if name.startswith((".smec-", ".sme-"))]
    f.tally.equal(left, [], f"{way}: what is left of killed runs")


def pipes(f):
    """Nobody is waited for for ever; what takes seconds runs side by side."""
    for name in (*(f"silent{i}" for i in range(8)), "silent.csv"):  # one each, or they would meet in it
        os.mkfifo(f.path(name))
    sim = ["./sim", "--quiet", "--cycles", "5"]
    slow = f.ways["interpreted"] + ["--quiet", "--cycles", "5"]
    shards = ["./sim", "--quiet", "--threads", "1", "--ranks", "2", "--cycles", "5", "--checkpoint", "parts"]
    f.tally.equal(subprocess.run(shards, cwd=f.folder, stdout=subprocess.DEVNULL, timeout=LIMIT, check=False).returncode, 0, "a state of two ranks")
    shard = [name for name in os.listdir(f.folder) if name.startswith("parts.") and name.endswith("-1.shard")][0]
    os.unlink(f.path(shard))
    os.mkfifo(f.path(shard))
    unread, unwritten = "nobody has opened this pipe", "nobody has written to this pipe"
    tried = [([*sim, "--trace", "silent.csv"], 3, unread), ([*slow, "--trace", "silent0"], 3, unread), ([*sim, "--checkpoint", "silent1"], 3, unread),
             ([*slow, "--checkpoint", "silent2"], 3, unread), ([*sim, "--schedule-trace", "silent3"], 3, unread), ([*sim, "--resume", "silent4"], 1, unwritten),
             ([*slow, "--resume", "silent5"], 1, unwritten), ([*sim, "--memory", "p.m=silent6"], 3, unwritten), ([*sim, "--resume", "parts"], 1, "is no file"),
             ([*shards[:-2], "--resume", "parts"], 1, "is no file"), ([SMEC, "compile", "-O0", "-q", "-Wno-unread", "main.sme", "-o", "silent7"], 3, unread)]
    running = [subprocess.Popen(words, cwd=f.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for words, _, _ in tried]
    for process, (words, status, says) in zip(running, tried):
        err = process.communicate(timeout=LIMIT)[1]
        f.tally.check(process.returncode == status and says in err, f"{words}: {process.returncode} {err}; wanted {status}, '{says}'")


def closed(f, way):
    """What is printed does not land in a trace because a standard stream was closed."""
    for streams in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
        command = " ".join([*f.ways[way], "--cycles 12 --trace closed.csv --checkpoint closed --print y.v", streams])
        status = subprocess.run(["sh", "-c", command], cwd=f.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                timeout=LIMIT, check=False).returncode
        f.tally.equal((status, read(f.path("closed.csv"))), (0, HEADER + "".join(f"{i},0,{i}\n" for i in range(12))), f"{way} {streams}")


def signals(f, way):
    """The warnings of a terminal, the system and a batch system keep the state, as often as they come."""
    for number in (signal.SIGHUP, signal.SIGXCPU, signal.SIGUSR1, signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(f.path("warned"))
        process = f.start(way, "--checkpoint", "warned")
        if number in (signal.SIGHUP, signal.SIGXCPU, signal.SIGUSR1):
            process.send_signal(number)
        status, _, err = f.end(process, number)
        f.tally.check(status == 128 + number and "interrupted after cycle 0" in err, f"{way}, {number}: {status} {err}")
        err = f.run(way, "--resume", "warned", "--cycles", "0")[2]
        f.tally.check("the state is that before cycle 1" in err, f"{way}, {number}: a state is there: {err}")
    ignored = f.start(way, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    ignored.send_signal(signal.SIGHUP)
    f.tally.equal(f.end(ignored, signal.SIGTERM)[0], 143, f"{way}: SIGHUP that is ignored stays so")


def main():
    tally = Tally()
    with scratch() as folder:
        write(folder, "main.sme", DESIGN)
        subprocess.run([SMEC, "compile", "-O0", "-q", "-Wno-unread", "main.sme", "-o", "sim"], cwd=folder, check=True, timeout=LIMIT)
        f = Folder(folder, tally)
        for way in f.ways:
            for test in logs, traces, inputs, together, killed, closed, signals:
                test(f, way)
        pipes(f)
    tally.end()


if __name__ == "__main__":
    main()
