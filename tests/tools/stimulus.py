#!/usr/bin/env python3
"""--input and --expect from files and pipes: a script drives a run row by row through two pipes, whoever runs the design; bad rows end
a run before their cycle; files are read in constant memory, and may not change meanwhile."""
import json
import os
import random
import re
import signal
import subprocess
import threading

from support import Tally, read, scratch, smec, write

DESIGN = """
enum op { ADD, SUB };
type request: bus { x: u16; what: op; gain: f64; };
type held: bus { hold k: i8 = -3; };
async proc double(in q: request, out d) { d.v = u32(q.x) * 2; }
proc sum(in q: request, in k: held, in d, out r)
    var total: u32 = 0;
{
    switch q.what {
        case ADD { total += d.v; }
        case SUB { total -= d.v; }
    }
    r.v = total;
    r.scaled = f64(total) * q.gain + f64(k.k);
    trace("cycle {} total {}", cycle(), total);
    if (q.x == 9999) { stop(7); }
}
proc far(in q: request, out o) var n: u32; { n = n * 5 + q.x; o.v = n; }
network top(in q: request, in k: held) {
    bus others[24] { v: u32; };
    generate i = 0 until 24 { instance f[i] of far(q, others[i]); }
    exposed bus d { v: u32; };
    exposed bus r { v: u32; scaled: f64; };
    instance _ of double(q, d);
    instance s of sum(q, k, d, r);
}
"""
HEADER = "cycle,q.x,q.what,q.gain,k.k\n"
COMPILED = [["./d"], ["./d", "--model", "m1", "--threads", "2"], ["./d", "--model", "m3", "--threads", "3", "--oversubscribe"],
            ["./d", "--threads", "auto"], ["./d", "--threads", "2", "--orchestrate", "profile"]]
INTERPRETED = [os.environ["SMEC"], "run", "--interpret", "-Wno-unread", "d.sme"]
ENGINES = [*COMPILED, INTERPRETED]


def row(cycle, chance):
    return f"{cycle},{chance.randrange(2000)},{chance.choice(['ADD', 'SUB', '0', '1'])},{chance.choice(['1', '-0.5', '1e3'])},{chance.randrange(-128, 128)}\n"


def rows(count, seed=1):
    chance = random.Random(seed)
    return HEADER + "".join(row(i, chance) for i in range(count))


class Checks:
    def __init__(self, folder, tally):
        self.folder, self.tally = folder, tally

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, engine, *options, given=None):
        done = subprocess.run([*engine, "--quiet", *options], cwd=self.folder, input=given, stdin=None if given is not None else subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=100, check=False)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def dialogue(self, engine):
        """Each row depends on the answer to the one before."""
        command = [*engine, "--quiet", "--input", "-", "--trace", "-"]
        with subprocess.Popen(command, cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as process:
            process.stdin.write(HEADER)
            header = process.stdout.readline() if process.stdin.write("0,5,ADD,1,0\n") else ""
            total, x, good = 0, 5, header == "cycle,d.v,k.k,q.gain,q.what,q.x,r.scaled,r.v\n"
            for cycle in range(40):
                shown = process.stdout.readline().split(",")
                said = process.stdout.readline()
                good = good and shown[:2] + shown[-1:] == [str(cycle), str(2 * x), f"{total}\n"]
                total += 2 * x
                good = good and said == f"cycle {cycle} total {total}\n"
                x = (int(said.split()[-1]) * 7 + 1) % 1000
                if cycle < 39:
                    process.stdin.write(f"{cycle + 1},{x},ADD,1,0\n")
            process.stdin.close()
            self.tally.check(good and process.stdout.read() == "" and process.wait() == 0, f"a dialogue with {engine}")

    def files_along(self, engine):
        """While the run waits, what it has traced stands in every file, or comes to stand there."""
        with subprocess.Popen([*engine, "--quiet", "--input", "-", "--trace", "t.csv", "--trace", "t.vcd"], cwd=self.folder, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True, bufsize=1) as process:
            process.stdin.write(HEADER)
            for cycle in range(5):
                process.stdin.write(f"{cycle},{cycle + 7},ADD,1,0\n")
                process.stdout.readline()
                while f"\n{cycle},{2 * cycle + 14}," not in read(self.path("t.csv")) or f"#{10 * cycle}\n" not in read(self.path("t.vcd")):
                    pass
            process.stdin.close()
            self.tally.equal(process.wait(), 0, f"{engine}: files along")

    def same_from_pipes(self):
        """However rows come, a run is the same."""
        text = rows(300)
        write(self.folder, "in.csv", text)
        wanted = self.run(["./d"], "--input", "in.csv", "--trace", "-", "--checksum")
        self.tally.equal((wanted[0], wanted[2], len(wanted[1].splitlines())), (0, "", 602), "from a file")
        end = wanted[1].splitlines()[-1]
        for engine in ENGINES:
            for path, given in (("in.csv", None), ("-", text.encode()), ("/dev/stdin", text.encode())):
                self.tally.equal(self.run(engine, "--input", path, "--trace", "-", "--checksum", given=given), wanted, f"{engine} from {path}")
            with open(self.path("in.csv"), "rb") as file:
                done = subprocess.run([*engine, "--quiet", "--input", "-", "--checksum"], cwd=self.folder, stdin=file, stdout=subprocess.PIPE, check=False)
            self.tally.equal(done.stdout.decode().splitlines()[-1:], [end], f"{engine}, standard input is a file")
            first = self.run(engine, "--input", "-", "--cycles", "120", "--checkpoint", "state:50", given=text.encode())
            rest = self.run(engine, "--input", "-", "--resume", "state", "--checkpoint", "state:7", "--checksum", given=text.encode())
            self.tally.check(first[0] == rest[0] == 0 and rest[1].splitlines()[-1] == end, f"{engine}: kept and resumed, {first[2]} {rest[2]}")
            longer = self.run(engine, "--input", "-", "--cycles", "310", "--trace", "-", given=text.encode())
            self.tally.equal(longer, self.run(["./d"], "--input", "in.csv", "--cycles", "310", "--trace", "-"), f"{engine}: longer than its rows")

    def expectations(self):
        self.run(["./d"], "--input", "in.csv", "--trace", "t.csv")
        expected = read(self.path("t.csv")).encode()
        wrong = expected.replace(b"\n17,", b"\n17,1", 1)
        for engine in ENGINES:
            what = lambda *options, given: self.run(engine, "--input", "in.csv", "--expect", "-", *options, given=given)
            self.tally.equal(what(given=expected)[0], 0, f"{engine}: as expected")
            status, _, err = what(given=wrong)
            self.tally.check(status == 1 and err.startswith("standard input:19: error: cycle 17, d.v: expected 1"), f"{engine}: {err}")
            status, _, err = what("--cycles", "7", given=expected)
            self.tally.check(status == 1 and "the run ended after 7 of 300 cycles" in err, f"{engine}: {err}")
            status, out, err = what(given=expected[:expected.index(b"\n5,")] + b"\n5,x\n")
            self.tally.check(status == 1 and "standard input:7:1: error: 2 values" in err and len(out.splitlines()) == 5, f"{engine}: {err}")

    def bad_rows(self):
        """All cycles before the row are complete."""
        for bad, says in (("3,1\n", ":5:1: error: 2 values, but the header names 5"), ("2,1,ADD,1,0\n", ":5:1: error: cycle '2' where 3 comes next"),
                          ("3,70000,ADD,1,0\n", ":5:3: error: '70000' does not fit into u16 ('q.x')"), ("\n3,1,ADD,1,0\n", ":5:1: error: cycle ''"),
                          ("3,1\0,ADD,1,0\n", ":5:3: error: '1...' is no value of u16"), ('3,"1,ADD,1,0\n', ":5:3: error: this quotation mark")):
            text = (rows(3) + bad).encode()
            for engine in ENGINES:
                status, out, err = self.run(engine, "--input", "-", "--print", "s.total", given=text)
                lines = out.splitlines()
                self.tally.check(status == 1 and err.startswith("standard input" + says) and len(lines) == 4
                                 and lines[3].split()[-1] == lines[2].split()[-1], f"{engine}: {bad!r}: {status} {out} {err}")
                write(self.folder, "bad.csv", text.decode())
                status, out, err = self.run(engine, "--input", "bad.csv")
                self.tally.check(status == 1 and out == "" and err.startswith("bad.csv" + says), f"{engine}: {bad!r} in a file: {out} {err}")

    def changing(self):
        """The run waits for what it expects while the file of its inputs changes."""
        text = rows(30_000)
        spoilt = {"cut": text[:-4000], "in the middle": text.replace("\n29000,", "\n28000,"), "one value": text[:-3] + "8" + text[-2:], "longer": text + "x"}
        for engine in (COMPILED[0], COMPILED[1], INTERPRETED):
            for how, after in spoilt.items():
                write(self.folder, "in.csv", text)
                before = os.stat(self.path("in.csv")).st_mtime_ns
                command = [*engine, "--quiet", "--input", "in.csv", "--expect", "-"]
                with subprocess.Popen(command, cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
                    process.stdin.write(b"cycle\n0\n")
                    process.stdin.flush()
                    process.stdout.readline()  # it has checked the file
                    with open(self.path("in.csv"), "r+b") as file:
                        file.write(after.encode())
                        file.truncate()
                    os.utime(self.path("in.csv"), ns=(before, before + 1_000_000_000))
                    _, err = process.communicate()
                self.tally.check(process.returncode == 3 and b"'in.csv' has changed since the run began" in err,
                                 f"{engine}, {how}: {process.returncode} {err.decode()}")

    def interrupted(self):
        for engine in (COMPILED[0], COMPILED[1], INTERPRETED):
            for number, status, says in ((signal.SIGINT, 130, "interrupted after cycle 2"), (None, 4, "time limit reached")):
                command = [*engine, "--quiet", "--input", "-", *(["--timeout", "0.5"] if number is None else [])]
                with subprocess.Popen(command, cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
                    process.stdin.write(rows(3).encode())
                    process.stdin.flush()
                    for _ in range(3):
                        process.stdout.readline()
                    if number:
                        process.send_signal(number)
                    err = process.stderr.read().decode()
                    self.tally.check(process.wait() == status and says in err, f"{engine}: {process.returncode} {err}")

    def fifos(self):
        os.mkfifo(self.path("fifo"))
        for engine in ENGINES:
            def feed():
                with open(self.path("fifo"), "w", encoding="utf-8") as fifo:
                    fifo.write(rows(3) + "3,9999,ADD,1,0\n" + "4,1,ADD,1,0\n")
            feeder = threading.Thread(target=feed)
            feeder.start()
            self.tally.equal(self.run(engine, "--input", "fifo")[0], 7, f"{engine}: stops, whatever comes later")
            feeder.join()

    def large(self):
        """What is kept of a file does not grow with it; lines have an end."""
        def peak():
            return json.loads(self.run(["./wide"], "--input", "big.csv", "--report", "json")[1])["peakMemoryBytes"]

        write(self.folder, "wide.sme", "type t: bus { x: [16]u64; };\nproc p(in q: t) var s: u64; { s = u64(s + q.x[0]); }\nnetwork top(in q: t) { instance p of p(q); }\n")
        self.tally.equal(smec("compile", "-O0", "-q", "-Wno-unread", "wide.sme", "-o", "wide", cwd=self.folder), (0, "", ""), "wide.sme")
        header = "cycle," + ",".join(f"q.x[{i}]" for i in range(16)) + "\n"
        small = None
        for count in (10, 250_000):
            write(self.folder, "big.csv", header + "".join(f"{i}{',7' * 16}\n" for i in range(count)))
            now = peak()
            self.tally.check(small is None or now < small + 4_000_000, f"{small} bytes with 10 rows, {now} with {count}")
            small = small or now
        endless = self.run(["./d"], "--input", "/dev/zero")
        self.tally.equal(endless, (1, "", "/dev/zero:1:1: error: this line is longer than 64 MiB\n"), "a line without end")
        self.tally.equal(self.run(INTERPRETED, "--input", "/dev/zero"), endless, "interpreted")

    def fuzz(self):
        """Whatever stands in a file, all say the same of it, and from a pipe the same of all rows before."""
        chance = random.Random(19)
        hint = re.compile("; did you mean '[^']*'\\?")  # who guesses more is not the point
        plain = lambda result: (result[0], result[1], hint.sub("", result[2]))
        pieces = [b"\0", b"\n", b"\r", b",", b'"', b'""', b" ", b"\t", b"-", b"9" * 400, b"\xff", b"\xef\xbb\xbf", b"1e999", b"nan", b"true", b"ADD", b"\n\n\n"]
        for number in range(120):
            text = bytearray(rows(chance.randrange(6), number).encode())
            for _ in range(chance.randrange(1, 4)):
                at = chance.randrange(len(text) + 1)
                text[at:at + chance.choice([0, 0, 1, 5, 40])] = chance.choice(pieces)
            with open(self.path("f.csv"), "wb") as file:
                file.write(text)
            wanted = plain(self.run(["./d"], "--input", "f.csv", "--trace", "-"))
            self.tally.check(wanted[0] in (0, 1, 7), f"{bytes(text)!r}: {wanted}")
            self.tally.equal(plain(self.run(INTERPRETED, "--input", "f.csv", "--trace", "-")), wanted, f"interpreted: {bytes(text)!r}")
            for engine in (COMPILED[0], COMPILED[1], INTERPRETED):
                piped = plain(self.run(engine, "--input", "-", "--trace", "-", given=bytes(text)))
                self.tally.check((piped[0], piped[2].replace("standard input", "f.csv")) == (wanted[0], wanted[2]) and piped[1].startswith(wanted[1]),
                                 f"{engine}: {bytes(text)!r}: {piped}, wanted {wanted}")

    def usage(self):
        for engine in (COMPILED[0], INTERPRETED):
            status, _, err = self.run(engine, "--input", "-", "--expect", "-")
            self.tally.check(status == 2 and "cannot both be standard input" in err, err)
        status, _, err = self.run(["./d"], "--input", "-", "--threads", "2", "--report", "factored", given=rows(9).encode())
        self.tally.check(status == 2 and "the rows of a pipe come once" in err, err)


def main():
    tally = Tally()
    with scratch() as folder:
        write(folder, "d.sme", DESIGN)
        tally.equal(smec("compile", "-O0", "-q", "-Wno-unread", "d.sme", "-o", "d", cwd=folder), (0, "", ""), "d.sme")
        checks = Checks(folder, tally)
        for engine in ENGINES:
            checks.dialogue(engine)
            checks.files_along(engine)
        for check in (checks.same_from_pipes, checks.expectations, checks.bad_rows, checks.changing, checks.interrupted, checks.fifos, checks.large,
                      checks.fuzz, checks.usage):
            check()
    tally.end()


if __name__ == "__main__":
    main()
