#!/usr/bin/env python3
"""--checkpoint and --resume: the same end and the same output under any plan, whatever happens to the program in between
(SMEC_KILLS=N: it is killed so often)."""
import os
import random
import resource
import signal
import subprocess

from support import ROOT, Tally, read, scratch, smec, write

# waits, delays, random numbers, counters, memories, floats, wide integers
DESIGN = """
proc source(out o)
    var n: u32 = 1;
{
    o.v = n;
    wait n % 3 + 1;
    n = n * 5 + 1;
    if (n % 4 == 0) { wait until (cycle() % 7 == 2); trace("woke at {}", cycle()); }
}
sim proc noise(out o) { o.v = u32(random() % 1000); }
proc sum(in a, in b, in c, out o)
    var memory: [100]u16;
    var mean: f64;
    var wide: u200 = 1;
{
    memory[c.v % 100] = u16((memory[c.v % 100] + a.v) % 65536);
    mean = mean * 0.75 + f64(b.v);
    wide = u200(wide * 3 + a.v);
    o.v = u32((a.v + b.v + memory[3]) % 65536);
    cover(b.v % 2 == 0, "even");
    trace("{} {} {}", cycle(), o.v, mean);
}
network top() {
    bus a { v: u32; };
    delay 5 bus b { v: u32; };
    bus c { v: u32; };
    exposed bus o { v: u32; };
    instance _ of source(a);
    instance _ of source(b);
    instance _ of noise(c);
    instance s of sum(a, b, c, o);
}
"""
PLANS = [["--threads", "1"], ["--model", "m1", "--threads", "2"], ["--model", "m3", "--threads", "3", "--oversubscribe"], ["--threads", "auto"]]
CYCLES = 3000
KILLS = int(os.environ.get("SMEC_KILLS", "100"))


TRACES = ["t.csv", "t.vcd", "t.fst"]


def traced(*more):
    return [word for name in TRACES for word in ("--trace", name)] + ["--trace-filter", "*", *more]


def check_traces(tally, folder, run):
    """Files of --trace go on: the same bytes as those of one run."""
    path = lambda name: os.path.join(folder, name)

    def bytes_of(name):
        with open(path(name), "rb") as f:
            return f.read()

    def bytes_of_all():
        return {name: bytes_of(name) for name in TRACES}

    interpreted = lambda *options: smec("run", "--interpret", "-Wno-unread", "d.sme", "--quiet", *options, cwd=folder)
    for name, runs, cycles, at in (("compiled", run, 3000, 700), ("interpreted", interpreted, 300, 110)):
        tally.equal(runs("--cycles", str(cycles), *traced())[0], 0, name + ": one run")
        whole = bytes_of_all()
        tally.equal(runs("--cycles", str(at), "--checkpoint", "traced", *traced())[0], 0, name + ": first part")
        for _ in range(2):  # what the resumed run wrote is cut back, too
            status, _, err = runs("--cycles", str(cycles), "--resume", "traced", *traced())
            tally.check(status == 0 and bytes_of_all() == whole, f"{name}: status {status}, {err}")
        if os.path.exists(path("new.csv")):
            os.unlink(path("new.csv"))
        status, _, err = runs("--cycles", str(cycles), "--resume", "traced", "--trace", "new.csv", "--trace-filter", "*")
        rows = read(path("new.csv")).splitlines()
        tally.check(status == 0 and rows[0] == whole["t.csv"].decode().splitlines()[0] and rows[1].startswith(f"{at},"), name + ": a trace of its own")

        # onto standard output: there is one header
        def printed(*options):
            lines = runs(*options, "--trace", "-")[1].splitlines()
            return lines[:-1] if runs is run else lines  # without the checksum

        one = printed("--cycles", str(cycles))
        first = printed("--cycles", str(at), "--checkpoint", "printed")
        tally.check(first + printed("--cycles", str(cycles), "--resume", "printed") == one, name + ": standard output")

        def wrong(status, says, *options):
            before = {each: bytes_of(each) for each in TRACES if os.path.exists(path(each))}
            got, _, err = runs("--cycles", str(cycles), "--resume", "traced", *options)
            tally.check(got == status and says in err, f"{name}, {options}: status {got}, {err!r}; wanted {status}, '{says}'")
            tally.check({each: bytes_of(each) for each in before} == before, f"{name}, {options}: nothing is lost")

        wrong(2, "'t.csv' showed other values", "--trace", "t.csv", "--trace-filter", "o.v")
        wrong(2, "'t.vcd' showed other values", "--trace", "t.vcd", "--trace-filter", "*", "--clock-period", "12")
        with open(path("t.vcd"), "r+b") as f:
            f.truncate(1000)
        wrong(1, "'t.vcd' is shorter", *traced())
        with open(path("t.vcd"), "wb") as f:
            f.write(whole["t.vcd"].replace(b"\n", b"\r"))
        wrong(1, "'t.vcd' is not the one", *traced())
        os.unlink(path("t.vcd"))
        wrong(1, "'t.vcd' is gone", *traced())


def check_kills(tally, folder, whole, end):
    """Killed at any time: the file is whole, standard output keeps what it has, and traces go on where they were."""
    path = lambda name: os.path.join(folder, name)
    names = ["w.csv", "w.fst"]
    traces = [word for name in names for word in ("--trace", name)] + ["--trace-filter", "*"]

    def contents():
        found = []
        for name in names:
            with open(path(name), "rb") as f:
                found.append(f.read())
        return found

    subprocess.run(["./d", "--quiet", "--cycles", str(CYCLES), "--seed", "7", *traces], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   check=True)
    wanted = contents()
    chance = random.Random(5)
    killed = 0
    for _ in range(KILLS):
        for name in ("k", "out", *names):
            if os.path.exists(path(name)):
                os.unlink(path(name))
        with open(path("out"), "wb") as out:
            process = subprocess.Popen(["./d", "--quiet", "--cycles", str(CYCLES), "--seed", "7", "--checkpoint", "k:50", *traces], cwd=folder, stdout=out,
                                       stderr=subprocess.DEVNULL)
            while not os.path.exists(path("k")) and process.poll() is None:
                pass
            for _ in range(chance.randrange(80_000)):
                pass
            process.send_signal(signal.SIGKILL)
            killed += process.wait() != 0
        before = read(path("out"))
        with open(path("out"), "ab") as out:
            status = subprocess.run(["./d", "--quiet", "--checksum", "--cycles", str(CYCLES), "--resume", "k", *traces], cwd=folder, stdout=out,
                                    stderr=subprocess.PIPE, check=False).returncode
        after = read(path("out"))
        *lines, last = after[len(before):].splitlines()
        # all that was printed stays; it has what comes before the state, and the run that goes on prints the rest
        first = "".join(line + "\n" for line in whole[:len(whole) - len(lines)])
        tally.check((status, lines, last) == (0, whole[len(whole) - len(lines):], end) and after.startswith(before) and before.startswith(first), "after SIGKILL")
        tally.check(contents() == wanted, "traces after SIGKILL")
    tally.check(killed > KILLS // 4, f"{killed} of {KILLS} runs were killed before their end")


EDITED = DESIGN.replace("wide", "broad").replace("[100]u16", "[101]u16").replace("n * 5 + 1", "n * 5 + 3")
EXTENDED = DESIGN.replace("network top() {", """proc more(out o) var k: u32; { k = u32((k + 1) % 100); o.v = k; }
network top() {
    exposed bus x { v: u32; };
    instance e of more(x);""")


def check_edited(tally, folder, run, whole):
    """A state of another version of the design: refused with what differs, or taken over as far as it matches."""
    for name, text in (("edited", EDITED), ("extended", EXTENDED)):
        write(folder, name + ".sme", text)
        tally.equal(smec("compile", "-O0", "-q", "-Wno-unread", name + ".sme", "-o", name, cwd=folder)[0], 0, "compile " + name)
    tally.equal(run("--cycles", "700", "--seed", "7", "--checkpoint", "before")[0], 0, "the first part")
    interpreted = lambda *options, program: smec("run", "--interpret", "-Wno-unread", program[2:] + ".sme", "--quiet", *options, cwd=folder)
    tally.equal(interpreted("--cycles", "70", "--seed", "7", "--checkpoint", "slow", program="./d")[0], 0, "interpreted")
    listed = ["'s.wide' is gone", "'s.broad' is new", "'s.memory' was a [100]u16 and is a [101]u16"]
    for runs, state, cycles in ((run, "before", "700"), (interpreted, "slow", "70")):
        status, _, err = runs("--cycles", "900", "--resume", state, program="./edited")
        tally.check(status == 1 and all(each in err for each in listed + ["; --resume-edited"]), f"{state}, another version: {status} {err}")
        mean = lambda program, *more: runs("--cycles", cycles, "--print", "s.mean", *more, program=program)
        status, text, err = mean("./edited", "--resume", state, "--resume-edited")
        kept = [line for line in mean("./d", "--seed", "7")[1].splitlines() if line.startswith("s.mean")]
        tally.check(status == 0 and all(each in err for each in listed), f"{state}, edited: {status} {err}")
        tally.equal([line for line in text.splitlines() if line.startswith("s.mean")], kept, f"{state}: what matches is there")
    tally.check("starts from its top" in run("--cycles", "700", "--resume", "before", "--resume-edited", program="./edited")[2], "a body that changed")
    # where something is added, nothing starts anew
    status, text, err = run("--cycles", str(CYCLES), "--resume", "before", "--resume-edited", program="./extended")
    first = len(run("--cycles", "700", "--seed", "7")[1].splitlines()) - 1
    tally.check(status == 0 and text.splitlines()[:-1] == whole[first:], f"extended: status {status} {text[:200]} {whole[first:][:3]}")
    tally.check("'e.k' is new" in err and "starts" not in err, f"extended: {err}")
    slow = lambda cycles, *more, program="./d": interpreted("--cycles", cycles, *(more or ("--seed", "7")), program=program)
    status, text, err = slow("200", "--resume", "slow", "--resume-edited", program="./extended")
    tally.check(status == 0 and slow("70")[1] + text == slow("200")[1] and "'e.k' is new" in err and "starts" not in err, f"extended, interpreted: {err}")
    err = slow("200", "--resume", "slow", "--resume-edited", program="./edited")[2]
    tally.check(err.count("starts from its top") == 3 and "process 's' starts from its top" in err and "delayed" not in err, f"edited, interpreted: {err}")


EXTERN = """
extern proc box(in a: w, out b: w, const step: u8) cpp("box.hpp");
type w: bus { v: u16; };
proc count(out b) var n: u16; { n = u16((n + 3) % 1000); b.v = n; }
network top() {
    bus a: w;
    exposed bus b: w;
    exposed bus c: w;
    instance _ of count(a);
    instance x of box(a, b, step: 5);
    instance y of box(a, c, step: 7);
}
"""
BOX = """#include <cstdint>
#include <istream>
#include <memory>
#include <ostream>
struct box {
    explicit box(std::uint8_t step) : step(step), sum(new unsigned(0)) {}
    void operator()(const auto& a, auto& b) {
        *sum += a.v + step;
        if (*sum % 3 == 0) b.v = *sum % 60000;
    }
SAVE
    std::uint8_t step;
    std::unique_ptr<unsigned> sum;
};
"""
SAVE = """    void save(std::ostream& out) const { out << *sum; }
    void load(std::istream& in) { in >> *sum; }
"""


def check_objects(tally, folder):
    """Objects of extern processes are kept where their classes have save() and load()."""
    write(folder, "box.sme", EXTERN)
    write(folder, "box.hpp", BOX.replace("SAVE\n", SAVE))
    compiled = lambda *options: smec("run", "box.sme", "-O0", "--quiet", *options, cwd=folder)
    interpreted = lambda *options: smec("run", "--interpret", "box.sme", "--quiet", *options, cwd=folder)
    rows = lambda *options: ["--cycles", "40", "--trace", "-", *options]
    whole = compiled(*rows())
    tally.check(whole[0] == 0 and whole[:2] == interpreted(*rows())[:2], f"without states: {whole}")
    for first in (compiled, interpreted):
        status, text, err = first("--cycles", "17", "--checkpoint", "boxes", "--trace", "-")
        tally.equal(status, 0, "kept: " + err)
        for then in (compiled, interpreted):
            status, rest, err = then(*rows("--resume", "boxes"))
            tally.check(status == 0 and text + rest == whole[1], f"objects go on: {status} {err} {rest[:200]}")
    write(folder, "box.hpp", BOX.replace("SAVE\n", ""))
    for runs in (compiled, interpreted):
        status, text, err = runs("--cycles", "17", "--checkpoint", "none", "--trace", "-")
        tally.check(status == 2 and "'box' cannot be kept in a file" in err and text == "", f"no save(): {status} {err}")


def check_full_disk(tally, folder):
    """The file system takes a part of what is written, and then no more."""
    path = os.path.join(folder, "limited")
    command = ["./d", "--quiet", "--cycles", "400", "--checkpoint", "limited"]
    run = lambda **more: subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False, **more)
    tally.equal(run().returncode, 0, "without a limit")
    with open(path, "rb") as f:
        before = f.read()

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) // 2, resource.RLIM_INFINITY))

    files = sorted(os.listdir(folder))
    done = run(preexec_fn=limit)
    tally.check(done.returncode == 3 and "cannot write the checkpoint 'limited': File too large" in done.stderr, f"a limit: {done}")
    with open(path, "rb") as f:
        tally.check(f.read() == before, "the file is as it was")
    tally.equal(sorted(os.listdir(folder)), files, "nothing is left")


def main():
    tally = Tally()
    with scratch() as folder:
        path = lambda name: os.path.join(folder, name)
        write(folder, "d.sme", DESIGN)
        write(folder, "other.sme", DESIGN.replace("n * 5 + 1", "n * 5 + 3"))
        for name in ("d", "other"):
            tally.equal(smec("compile", "-O0", "-q", "-Wno-unread", name + ".sme", "-o", name, cwd=folder)[0], 0, "compile " + name)

        def run(*options, program="./d"):
            done = subprocess.run([program, "--quiet", "--checksum", *options], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, timeout=100, check=False)
            return done.returncode, done.stdout, done.stderr

        def parts(text):
            lines = text.splitlines()
            return lines[:-1], lines[-1]

        whole, end = parts(run("--cycles", str(CYCLES), "--seed", "7")[1])
        for i, plan in enumerate(PLANS):
            at = str(700 + 333 * i)
            status, text, err = run("--cycles", at, "--seed", "7", "--checkpoint", "state", *plan)
            tally.equal((status, err), (0, err if "even" in err else ""), f"kept under {plan}")
            first = parts(text)[0]
            for other in PLANS:
                status, text, err = run("--cycles", str(CYCLES), "--resume", "state", *other)
                rest, sum_ = parts(text)
                tally.equal((status, sum_, first + rest == whole), (0, end, True), f"from {plan} at {at} to {other}: {err}")
        status, text, err = run("--cycles", str(CYCLES), "--resume", "state", "--checkpoint", "state:100")
        tally.equal((status, parts(text)[1]), (0, end), "onto the file that it comes from: " + err)
        tally.equal(parts(run("--cycles", str(CYCLES), "--resume", "state")[1]), ([], end), "a run that is over stays over")

        check_traces(tally, folder, run)

        # the interpreter
        slow = ["run", "--interpret", "-Wno-unread", "d.sme", "--quiet", "--checksum"]
        text = smec(*slow, "--cycles", "250", "--seed", "7", "--checkpoint", "interpreted:100", cwd=folder)[1]
        first, rest = parts(text)[0], parts(smec(*slow, "--cycles", "400", "--resume", "interpreted", cwd=folder)[1])
        plain = parts(run("--cycles", "400", "--seed", "7")[1])
        tally.check((first + rest[0], rest[1]) == plain, "interpreted")

        check_kills(tally, folder, whole, end)
        check_full_disk(tally, folder)
        check_edited(tally, folder, run, whole)
        check_objects(tally, folder)

        # interrupted: a state of the cycle where it ended
        with subprocess.Popen(["./d", "--quiet", "--cycles", "1000000000", "--checkpoint", "i"], cwd=folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as process:
            process.stdout.readline()
            process.send_signal(signal.SIGINT)
            err = process.communicate()[1]
        tally.check(process.returncode == 130 and os.path.exists(path("i")), f"interrupted: {process.returncode} {err}")

        # what is wrong
        def wrong(status, says, *options, program="./d"):
            got, _, err = run(*options, program=program)
            tally.check(got == status and says in err, f"{options}: status {got}, {err!r}; wanted {status}, '{says}'")

        before = open(path("state"), "rb").read()
        wrong(1, "another design or another version", "--cycles", "9000", "--resume", "state", program="./other")
        write(folder, "text", "smecheck, almost")
        wrong(1, "--resume 'text': the state", "--cycles", "9", "--resume", "text")
        for size in (4, 20, 200, len(before) - 1):
            with open(path("cut"), "wb") as f:
                f.write(before[:size])
            wrong(1, "--resume 'cut': the state is", "--cycles", "9000", "--resume", "cut")
        with open(path("changed"), "wb") as f:
            f.write(before[:100] + bytes([before[100] ^ 1]) + before[101:])
        wrong(1, "is damaged", "--cycles", "9000", "--resume", "changed")
        with open(path("newer"), "wb") as f:
            f.write(before[:8] + (before[8] + 1).to_bytes(4, "little") + before[12:])
        wrong(1, f"--resume 'newer': the state has version {before[8] + 1}; this program reads {before[8]}", "--cycles", "9000", "--resume", "newer")
        status, _, err = smec("run", "--interpret", "-q", "-Wno-unread", "d.sme", "--cycles", "9000", "--resume", "newer", cwd=folder)
        tally.equal((status, err), (1, f"smec: error: --resume 'newer': the state has version {before[8] + 1}; this program reads {before[8]}\n"), "interpreted")
        wrong(3, "cannot be read", "--cycles", "9", "--resume", "none")
        wrong(3, "cannot be read", "--cycles", "9", "--resume", ".")
        wrong(2, "before cycle 3000", "--cycles", "9", "--resume", "state")
        wrong(2, "--resume-edited needs --resume", "--cycles", "9", "--resume-edited")
        wrong(2, "--seed", "--cycles", "9000", "--seed", "3", "--resume", "state")
        wrong(2, "FILE:N", "--cycles", "9", "--checkpoint", "x:0")
        nowhere = ("--cycles", "9", "--checkpoint", "no/such/folder")
        for runs in (run(*nowhere), smec("run", "--interpret", "-Wno-unread", "d.sme", "--checksum", *nowhere, cwd=folder)):
            tally.check(runs[0] == 3 and runs[1] == "" and "cannot write 'no/such/folder'" in runs[2], f"said before the run: {runs}")
        wrong(3, "it is a folder", "--cycles", "9", "--checkpoint", ".")
        write(folder, "in.csv", "cycle\n0\n")
        wrong(2, "is an input", "--input", "in.csv", "--checkpoint", "in.csv")
        tally.check(open(path("state"), "rb").read() == before, "the file is as it was")
        full = run("--cycles", "100", "--checkpoint", "/dev/full")
        tally.check(full[0] == 3 and "No space left" in full[2], f"a full disk: {full}")
    tally.end()


if __name__ == "__main__":
    main()
