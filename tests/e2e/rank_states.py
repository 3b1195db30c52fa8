#!/usr/bin/env python3
"""States that several ranks keep in shards: any number of ranks goes on from them, and whatever is wrong with them is told and loses nothing."""
import glob
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

from ranks import ENVIRONMENT, LAUNCHERS, LIMIT, SMEC, SOURCE, kinds

# waits, delays, random numbers, memories, structs, objects of extern processes; nothing that ends it
DESIGN = """
extern proc box(in a: w, out b: w, const step: u8) cpp("box.hpp");
type pair: struct { left: u8; right: u32; };
type w: bus { v: u16; };
type p: bus { v: pair; };
proc source(out o: w, const i: u8)
    var n: u32 = 1;
{
    o.v = u16((n + i) % 60000);
    wait n % 3 + 1;
    n = n * 5 + 1;
}
sim proc noise(out o: w) { o.v = u16(random() % 1000); }
proc sum(in a: w, in b: w, in c: w, out o: p)
    var memory: [100]u16;
    var wide: u200 = 1;
    var last: pair;
{
    memory[c.v % 100] = u16((memory[c.v % 100] + a.v) % 65536);
    wide = u200(wide * 3 + a.v);
    last.left = u8(a.v % 256);
    last.right = u32((b.v + last.right) % 4294967296);
    o.v = last;
    cover(b.v % 2 == 0, "even");
}
network top() {
    bus a[12]: w;
    delay 3 bus b[12]: w;
    bus c: w;
    bus d[12]: w;
    exposed bus o[12]: p;
    instance _ of noise(c);
    generate i = 0 until 12 {
        instance first[i] of source(a[i], i: i);
        instance x[i] of box(a[(i + 5) % 12], d[i], step: i + 1);
        instance second[i] of source(b[i], i: i + 50);
        instance s[i] of sum(d[i], b[(i * 7) % 12], c, o[i]);
    }
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


class States:
    def __init__(self, folder):
        self.folder, self.checks, self.failures = folder, 0, []

    def path(self, name):
        return os.path.join(self.folder, name)

    def check(self, is_good, text):
        self.checks += 1
        if not is_good:
            self.failures.append(text)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as f:
            f.write(text)

    def compile(self, name, text):
        self.write(name + ".sme", text)
        subprocess.run([SMEC, "compile", name + ".sme", "-O0", "-q", "-Wno-unread", "-o", name], cwd=self.folder, check=True, timeout=LIMIT,
                       stderr=subprocess.DEVNULL)

    def run(self, program, *options, launcher=(), **more):
        """Status, standard output, standard error."""
        done = subprocess.run([*launcher, self.path(program), "--threads", "1", "--quiet", *options], cwd=self.folder, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=LIMIT, env=ENVIRONMENT, check=False, **more)
        return done.returncode, done.stdout, done.stderr

    def on(self, ranks, program, *options, **more):
        return self.run(program, "--ranks", str(ranks), *options, **more)

    def shards(self, name):
        return sorted(glob.glob(glob.escape(self.path(name)) + ".*.shard"))

    def contents(self, name):
        found = {}
        for path in [self.path(name), *self.shards(name)]:
            with open(path, "rb") as f:
                found[path] = f.read()
        return found

    # ---------------------------------------------------------------- cases

    def goes_on(self):
        """Any number of ranks from any other, and the same state in one file."""
        rest = ["--cycles", "90", "--checksum", "--print", "o[3].v", "--print", "s[11].wide"]
        wanted = self.run("d", *rest, "--seed", "9")
        self.check(wanted[0] == 0, f"one run: {wanted}")
        self.check(self.run("d", "--cycles", "37", "--seed", "9", "--checkpoint", "whole")[0] == 0, "one process keeps its state")
        with open(self.path("whole"), "rb") as f:
            whole = f.read()
        keepers = [(f"{ranks} ranks", ["--ranks", str(ranks)], ()) for ranks in (2, 3, 5, 8)]
        keepers += [(kind, [], [*LAUNCHERS[kind], "3"]) for kind in kinds()]
        for name, options, launcher in keepers:
            kept = self.run("d", "--cycles", "37", "--seed", "9", "--checkpoint", "parts:10", *options, launcher=launcher)
            self.check(kept[0] == 0, f"{name} keep their state: {kept}")
            ranks = int(options[1]) if options else 3
            self.check(len(self.shards("parts")) == ranks, f"{name}: old shards go: {self.shards('parts')}")
            for after in (1, 2, 4):
                got = self.on(after, "d", *rest, "--resume", "parts")
                self.check(got == wanted, f"{after} ranks after {name}: {got}, wanted {wanted}")
            for kind in kinds():
                got = self.run("d", *rest, "--resume", "parts", launcher=[*LAUNCHERS[kind], "2"])
                self.check(got[:2] == wanted[:2], f"{kind} after {name}: {got}, wanted {wanted}")
            self.check(self.run("d", "--cycles", "37", "--resume", "parts", "--checkpoint", "one")[0] == 0, f"one file after {name}")
            with open(self.path("one"), "rb") as f:
                self.check(f.read() == whole, f"{name}: one file has the same bytes")
        got = self.on(3, "d", *rest, "--resume", "whole")
        self.check(got == wanted, f"ranks go on from one file: {got}")
        self.check(self.run("d", "--cycles", "40", "--resume", "parts", "--checkpoint", "parts")[0] == 0 and self.shards("parts") == [],
                   f"one file in the place of shards: {self.shards('parts')}")

    def moved(self):
        """Through a link, and with all files in another folder."""
        wanted = self.run("d", "--cycles", "60", "--checksum", "--seed", "9")
        os.makedirs(self.path("far/away"))
        os.symlink("far/away/state", self.path("link"))
        self.check(self.on(2, "d", "--cycles", "20", "--seed", "9", "--checkpoint", "link")[0] == 0, "a link")
        self.check(len(self.shards("far/away/state")) == 2 and os.path.islink(self.path("link")), "shards are where the link leads")
        self.check(self.on(3, "d", "--cycles", "60", "--checksum", "--resume", "link")[:2] == wanted[:2], "from a link")
        os.rename(self.path("far/away"), self.path("near"))
        os.rename(self.path("near/state"), self.path("near/renamed"))
        self.check(self.on(3, "d", "--cycles", "60", "--checksum", "--resume", "near/renamed")[:2] == wanted[:2], "from another folder")

    def initial(self):
        """Before the first cycle."""
        wanted = self.run("d", "--cycles", "60", "--checksum", "--seed", "9")
        self.check(self.on(3, "d", "--cycles", "0", "--seed", "9", "--checkpoint", "start")[0] == 0, "at the start")
        got = self.on(2, "d", "--cycles", "60", "--checksum", "--resume", "start")
        self.check(got[:2] == wanted[:2], f"from the start: {got}")

    def refused(self, name, says, resume, program="d", status=1):
        before = self.contents(resume)
        for ranks in (1, 3):
            got = self.on(ranks, program, "--cycles", "60", "--resume", resume, "--checkpoint", resume)
            self.check(got[:2] == (status, "") and says in got[2] and got[2].count("\n") == 1,
                       f"{name}, {ranks} ranks: {got}; wanted {status}, '{says}'")
        self.check(self.contents(resume) == before, f"{name}: nothing is lost")

    def damaged(self):
        for name, cycles in (("good", "20"), ("other", "30")):
            self.check(self.on(3, "d", "--cycles", cycles, "--checkpoint", name)[0] == 0, "a state to damage")
        shards = self.shards("good")
        names = [os.path.basename(each) for each in shards]
        kept = self.contents("good")

        def damage(name, says, change):
            for path, data in kept.items():
                with open(path, "wb") as f:
                    f.write(data)
            change()
            self.refused(name, says, "good")

        def put(path, data):
            with open(path, "wb") as f:
                f.write(data)

        flip = lambda data, at: data[:at] + bytes([data[at] ^ 4]) + data[at + 1:]
        first, last, manifest = kept[shards[0]], kept[shards[2]], kept[self.path("good")]
        damage("a missing shard", f"the state lacks its shard '{names[1]}'", lambda: os.unlink(shards[1]))
        damage("a shard that is cut off", f"has a shard '{names[2]}' that is cut off", lambda: put(shards[2], last[:-1]))
        damage("an empty shard", f"has a shard '{names[2]}' that is cut off", lambda: put(shards[2], b""))
        damage("a shard that goes on", f"has a shard '{names[2]}' that is too long", lambda: put(shards[2], last + b"x"))
        damage("a changed value", f"has a shard '{names[0]}' that is damaged", lambda: put(shards[0], flip(first, 40)))
        damage("a changed end", f"has a shard '{names[0]}' that is damaged", lambda: put(shards[0], flip(first, len(first) - 1)))
        damage("a shard of another state", f"has a shard '{names[1]}' that is one of another state",
               lambda: shutil.copy(self.shards("other")[1], shards[1]))
        damage("a shard of another rank", f"has a shard '{names[1]}' that is one of another state", lambda: put(shards[1], last))
        damage("no shard at all", f"has a shard '{names[1]}' that is none", lambda: put(shards[1], b"y" * len(last)))
        def loop():
            os.unlink(shards[1])
            os.symlink(names[1], shards[1])

        for path, data in kept.items():
            put(path, data)
        loop()
        for ranks in (1, 3):
            got = self.on(ranks, "d", "--cycles", "60", "--resume", "good")
            self.check(got[:2] == (3, "") and "--resume 'good': it cannot be read: Too many levels" in got[2], f"an unreadable shard, {ranks} ranks: {got}")
        os.unlink(shards[1])
        damage("a manifest that is cut off", "the state is damaged or cut off", lambda: put(self.path("good"), manifest[:-1]))
        damage("a changed manifest", "the state is damaged or cut off", lambda: put(self.path("good"), flip(manifest, 30)))
        for path, data in kept.items():
            put(path, data)
        self.refused("another design", "'s[0].wide' is gone", "good", program="e")
        got = self.on(3, "e", "--cycles", "60", "--resume", "good", "--resume-edited")
        self.check(got[0] == 0 and "'s[0].wide' is gone" in got[2], f"another design takes over what matches: {got}")

    def full(self):
        """The disk takes a part of a shard, and then no more; or none of the manifest."""
        run = lambda **more: self.on(2, "m", "--cycles", "400", "--checkpoint", "limited", **more)
        self.check(run()[0] == 0, "without a limit")
        before = self.contents("limited")
        largest = max(map(len, before.values()))

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest // 2, resource.RLIM_INFINITY))

        files = sorted(os.listdir(self.folder))
        got = run(preexec_fn=limit)
        self.check(got[0] == 3 and "cannot write the checkpoint 'limited': " in got[2] and "File too large" in got[2], f"a limit: {got}")
        self.check(self.contents("limited") == before, "the state before is there")
        self.check(sorted(os.listdir(self.folder)) == files, "nothing is left")
        self.check(self.on(3, "m", "--cycles", "500", "--resume", "limited")[0] == 0, "and goes on")
        got = self.on(2, "m", "--cycles", "4", "--checkpoint", "/dev/full")
        self.check(got[0] == 2 and "needs a file" in got[2], f"a device: {got}")

    def piped(self):
        """What one process writes into a pipe is not read, and what it reads from one is a state."""
        pipe = self.path("pipe")
        os.mkfifo(pipe)
        with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
            try:
                got = self.run("m", "--cycles", "5", "--checkpoint", "pipe")
                read = reader.communicate(timeout=LIMIT)[0]
            finally:
                reader.kill()
        self.check(self.run("m", "--cycles", "5", "--checkpoint", "unpiped")[0] == 0, "a file")
        with open(self.path("unpiped"), "rb") as f:
            self.check(got[0] == 0 and read == f.read(), f"a pipe: {got}")

    def interpreted(self):
        """The interpreter's state in the place of shards, too, takes them away."""
        self.check(self.on(2, "m", "--cycles", "5", "--checkpoint", "over")[0] == 0 and len(self.shards("over")) == 2, "shards")
        done = subprocess.run([SMEC, "run", "--interpret", "m.sme", "--cycles", "5", "--checkpoint", "over", "--quiet"], cwd=self.folder, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=LIMIT, check=False)
        self.check(done.returncode == 0 and self.shards("over") == [], f"the interpreter's state: {done.stderr} {self.shards('over')}")

    def unsaved(self):
        self.write("box.hpp", BOX.replace("SAVE\n", ""))
        self.compile("n", DESIGN)
        got = self.on(2, "n", "--cycles", "17", "--checkpoint", "none")
        self.check(got[0] == 2 and "'box' cannot be kept in a file" in got[2], f"no save(): {got}")


MEMORY = """
proc cell(in x, out y, const i: u32)
    var memory: [5000]u32;
{
    memory[x.v % 5000] = memory[(x.v * 7) % 5000] * 1664525 + x.v + i;
    y.v = memory[x.v % 5000];
}
network top()
{
    bus link[100] { v: u32; };
    generate i = 0 until 100 { instance c[i] of cell(link[(i + 99) % 100], link[i], i); }
}
"""


def main():
    with tempfile.TemporaryDirectory(prefix="sme states ") as folder:
        test = States(folder)
        test.write("box.hpp", BOX.replace("SAVE\n", SAVE))
        test.compile("d", DESIGN)
        test.compile("e", DESIGN.replace("wide", "broad"))
        test.compile("m", MEMORY)
        for case in (test.goes_on, test.moved, test.initial, test.damaged, test.full, test.piped, test.interpreted, test.unsaved):
            case()
    for text in test.failures[:10]:
        print(text)
    print(f"{test.checks} checks, {' and '.join(kinds()) or 'no MPI found'}: {len(test.failures)} failed")
    return 1 if test.failures else 0


if __name__ == "__main__":
    sys.exit(main())
