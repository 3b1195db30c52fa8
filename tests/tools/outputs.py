#!/usr/bin/env python3
"""What smec and its simulators write: never an input, never in place of a device or a pipe, and through links to where they lead."""
import contextlib
import os
import signal
import stat
import subprocess
import threading

from support import SMEC, Tally, read, scratch, smec, write

PROGRAM = """import part as part;
extern func twice(x: u8): u8 from "twice.hpp";
proc p(in x, out y)
    const k: [2]u8 = file("k.hex");
{
    y.v = part.add(twice(x.v), k[1]);
    trace("{}", y.v);
    if (cycle() == 2) { stop; }
}
network top() { exposed bus x { v: u8; }; exposed bus y { v: u8; }; instance _ of p(x, y); }
"""
PLAIN = "proc p(out y) { y.v = 1; }\nnetwork top() { exposed bus y { v: u8; }; instance _ of p(y); }\n"
FILES = {
    "main.sme": PROGRAM,
    "part.sme": "func add(a: u8, b: u8): u8 { return a + b; }\n",
    "twice.hpp": "inline unsigned char twice(unsigned char x) { return x * 2; }\n",
    "k.hex": "1 2\n",
    "in.csv": "cycle,x.v\n0,1\n1,2\n2,3\n",
}
COMPILE = ["compile", "main.sme", "-O0", "-q", "--build-dir", "build"]


def inputs(tally, folder):
    """Each way to name an output, with each input after it."""
    os.symlink("main.sme", os.path.join(folder, "link.csv"))
    os.link(os.path.join(folder, "in.csv"), os.path.join(folder, "second.csv"))
    os.link(os.path.join(folder, "main.sme"), os.path.join(folder, "hard.csv"))
    tried = [(COMPILE, option, name) for option in ("-o", "-MF") for name in (*FILES, "./main.sme", "link.csv", "hard.csv") if name != "in.csv"]
    runs = ["run", "main.sme", "-O0", "-q", "--build-dir", "build", "--input", "in.csv", "--quiet"]
    for run in runs, ["run", "--interpret", "main.sme", "--input", "in.csv", "--quiet"]:
        tried += [(run, "--trace", name) for name in ("link.csv", "hard.csv", "in.csv", "second.csv")]
    for option in "--costs", "--schedule-trace":
        tried += [(runs, option, name) for name in ("part.sme", "twice.hpp", "k.hex")]
    bench = ["bench", "main.sme", "-O0", "--build-dir", "build", "--input", "in.csv"]
    tried += [(bench, "--json", name) for name in ("k.hex", "in.csv")]
    for command, option, name in tried:
        status, _, err = smec(*command, option, name, cwd=folder)
        tally.equal(status, 2, f"{command[0]} {option} {name}: {err}")
        tally.check(f"'{name}'" in err and "input" in err, f"{command[0]} {option} {name} says why: {err}")
    for name, text in FILES.items():
        tally.equal(read(os.path.join(folder, name)), text, f"{name} is what it was")


def defaults(tally, folder):
    write(folder, "plain", FILES["main.sme"])
    status, _, err = smec("compile", "plain", "-O0", "-q", cwd=folder)
    tally.equal(status, 2, f"a source without a suffix is no default output: {err}")
    tally.equal(read(os.path.join(folder, "plain")), FILES["main.sme"], "it is what it was")
    status, _, err = smec(*COMPILE, "-o", "same", "-MF", "./same", cwd=folder)
    tally.equal(status, 2, f"one file for two outputs: {err}")
    status, _, err = smec("run", "main.sme", "-O0", "-q", "--build-dir", "build", "--costs", "same", "--schedule-trace", "./same", "--chunk", "pls", cwd=folder)
    tally.equal((status, "name one file" in err), (2, True), f"the same of a simulator: {err}")


def links(tally, folder):
    os.symlink("behind", os.path.join(folder, "sim"))
    status, _, err = smec(*COMPILE, "-o", "sim", cwd=folder)
    tally.equal(status, 0, f"-o to a link that leads nowhere yet: {err}")
    tally.check(os.path.islink(os.path.join(folder, "sim")), "the link stays")
    tally.check(os.access(os.path.join(folder, "behind"), os.X_OK), "its target is the simulator")
    os.mkdir(os.path.join(folder, "folder"))
    for option in "-o", "-MF":
        status, _, err = smec(*COMPILE, option, "folder", cwd=folder)
        tally.equal((status, "it is a folder" in err), (3, True), f"{option} onto a folder: {err}")
    os.symlink("loop", os.path.join(folder, "loop"))
    status, _, err = smec(*COMPILE, "-o", "loop", cwd=folder)
    tally.equal((status, "symbolic links" in err), (3, True), f"-o onto a loop of links: {err}")


def received(path):
    """A thread that reads a pipe to its end, and what it got."""
    got = []
    thread = threading.Thread(target=lambda: got.append(open(path, "rb").read()))
    thread.start()
    return thread, got


def streams(tally, folder):
    pipe = os.path.join(folder, "pipe")
    os.mkfifo(pipe)
    before = os.stat("/dev/null")
    for option, start in ("-o", b"\x7fELF"), ("-MF", b"main:"):
        thread, got = received(pipe)
        status, _, err = smec(*COMPILE, option, "pipe", cwd=folder)
        thread.join()
        tally.equal((status, got[0][:len(start)]), (0, start), f"{option} into a pipe: {err}")
        tally.check(stat.S_ISFIFO(os.stat(pipe).st_mode), "the pipe stays one")
        tally.equal(smec(*COMPILE, option, "/dev/null", cwd=folder)[0], 0, f"{option} /dev/null")
        status, _, err = smec(*COMPILE, option, "/dev/full", cwd=folder)
        tally.equal((status, "No space left" in err), (3, True), f"{option} /dev/full: {err}")
    status, out, _ = smec(*COMPILE, "--no-build", "-MF", "/dev/stdout", cwd=folder)
    tally.equal((status, out[:5]), (0, "main:"), "-MF /dev/stdout into a pipe")
    with open(os.path.join(folder, "out.txt"), "w", encoding="utf-8") as out:
        subprocess.run([SMEC, *COMPILE, "--no-build", "-MF", "/dev/stdout"], cwd=folder, stdout=out, check=True)
        out.write("# after it\n")
    text = read(os.path.join(folder, "out.txt"))
    tally.check("main.sme" in text and "# after it" in text, f"-MF /dev/stdout into a file: {text}")
    after = os.stat("/dev/null")
    tally.equal((after.st_ino, after.st_mode), (before.st_ino, before.st_mode), "/dev/null is what it was")


def traces(tally, folder):
    """Rows on standard output stand in front of what their cycle prints; a pipe is read along."""
    pipe = os.path.join(folder, "trace")
    os.mkfifo(pipe)
    wanted = "cycle,x.v,y.v\n0,1,0\n0\n1,2,4\n4\n2,3,6\n6\n"
    for words in ["--interpret"], ["-O0", "--build-dir", "build"], ["-O0", "--build-dir", "build", "--threads", "2"]:
        run = ["run", "main.sme", "-q", "--input", "in.csv", "--quiet", *words]
        for name in "-", "/dev/stdout":
            tally.equal(smec(*run, "--trace", name, cwd=folder), (0, wanted, ""), f"{words} --trace {name}")
        thread, got = received(pipe)
        status, out, err = smec(*run, "--trace", "trace", cwd=folder)
        thread.join()
        tally.equal((status, out, err), (0, "0\n4\n6\n", ""), f"{words} --trace into a pipe")
        tally.equal(got[0].decode(), "cycle,x.v,y.v\n0,1,0\n1,2,4\n2,3,6\n", f"{words}: what came through it")
        status, _, err = smec(*run, "--trace", "folder", cwd=folder)
        tally.check(status in (2, 3), f"{words} --trace of a folder without a suffix: {err}")
        os.makedirs(os.path.join(folder, "folder.csv"), exist_ok=True)
        status, _, err = smec(*run, "--trace", "folder.csv", cwd=folder)
        tally.equal((status, "it is a folder" in err), (3, True), f"{words} --trace of a folder: {err}")
        status, _, err = smec(*run, "--trace", "/dev/full", cwd=folder)
        tally.equal((status, "No space left" in err), (3, True), f"{words} --trace /dev/full: {err}")
        write(folder, "one.csv", "before\n")
        for names, says in ((("one.csv", "./one.csv"), "two of --trace name one file, './one.csv'"), (("new.vcd", "new.vcd"), "two of --trace name one file, 'new.vcd'"),
                            (("-", "/dev/stdout"), "two of --trace name standard output")):
            status, out, err = smec(*run, "--trace", names[0], "--trace", names[1], cwd=folder)
            tally.equal((status, out, says in err), (2, "", True), f"{words}, two traces {names}: {err}")
        status, _, err = smec(*run, "--checkpoint", "one.csv", "--trace", "one.csv", cwd=folder)
        tally.equal((status, "--trace and --checkpoint name one file" in err), (2, True), f"{words}: {err}")
        tally.equal((read(os.path.join(folder, "one.csv")), os.path.exists(os.path.join(folder, "new.vcd"))), ("before\n", False), "nothing is lost")
        os.remove(os.path.join(folder, "one.csv"))


def schedules(tally, folder):
    run = ["run", "main.sme", "-O0", "-q", "--build-dir", "build", "--input", "in.csv", "--quiet", "--schedule-trace"]
    os.symlink("events.json", os.path.join(folder, "events"))
    tally.equal(smec(*run, "events", cwd=folder)[0], 0, "--schedule-trace behind a link")
    tally.check(os.path.islink(os.path.join(folder, "events")) and read(os.path.join(folder, "events.json")).startswith("{"), "which stays")
    for name, status in ("/dev/null", 0), ("/dev/full", 3), ("folder", 3):
        tally.equal(smec(*run, name, cwd=folder)[0], status, f"--schedule-trace {name}")


def nobodyReads(tally, folder):
    """What a reader leaves behind ends in silence, with the status of a broken pipe."""
    simulator = [os.path.join(folder, "behind")]
    for command in simulator + ["--list"], simulator + ["--help"], [SMEC, "run", "--interpret", "main.sme", "--list"], [SMEC, "explain"], [SMEC, "check", "--help"], [SMEC, "--version"]:
        ends = os.pipe()
        os.close(ends[0])
        for before in None, lambda: signal.signal(signal.SIGPIPE, signal.SIG_IGN):
            run = subprocess.run(command, cwd=folder, stdout=ends[1], stderr=subprocess.PIPE, check=False, preexec_fn=before)
            tally.check(run.returncode in (141, -13), f"{command[1:]}: status {run.returncode}")
            tally.equal(run.stderr, b"", f"{command[1:]} says nothing")
        os.close(ends[1])
        with open("/dev/full", "wb") as full:
            run = subprocess.run(command, cwd=folder, stdout=full, stderr=subprocess.PIPE, check=False)
        tally.equal((run.returncode, b"No space left" in run.stderr), (3, True), f"{command[1:]} onto a full disk: {run.stderr}")


def fullDisk(tally, folder):
    """What cannot grow, here by a limit of each file's size, is named, and is no failure of the design or of the C++ compiler."""
    def limited(blocks, *words):
        run = subprocess.run(["sh", "-c", f'ulimit -f {blocks}; exec "$@"', "sh", *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", check=False,
                             env=dict(os.environ, CCACHE_DISABLE="1"))
        tally.check(run.returncode == 3, f"{words} in {blocks} blocks: {run.returncode} {run.stderr}")
        return run.stderr

    write(folder, "small.sme", PLAIN)
    interpreter = [SMEC, "run", "--interpret", "small.sme", "--cycles", "3", "--quiet"]
    simulator = [os.path.join(folder, "behind"), "--input", "in.csv", "--quiet"]
    for run in interpreter, simulator:
        words = [["--trace", "big.csv"], ["--trace", "big.vcd"], ["--trace", "big.fst"], ["--checkpoint", "big.state"]]
        if run is simulator:
            words += [["--schedule-trace", "big.json"], ["--checkpoint", "bigger.state", "--ranks", "2"]]
        for words in words:
            tally.check("File too large" in (err := limited(0, *run, *words)) and words[1] in err, f"{run[1:]} {words}: {err}")
    for words in ["export", "--verilog", "small.sme", "-o", "big"], ["compile", "--no-build", "--build-dir", "big", "main.sme"], ["compile", "-MMD", "--no-build", "--build-dir", "bigs", "main.sme"], \
            ["verify", "small.sme", "--cycles", "3", "--engines", "cpp"], ["compile", "-q", "--lib", "small.sme", "-o", "big"]:
        tally.check("File too large" in (err := limited(0, SMEC, *words)) and "cannot write '" in err, f"{words}: {err}")
    for blocks in 16, 200:
        err = limited(blocks, SMEC, "compile", "-O0", "-q", "--build-dir", f"big{blocks}", "-o", "grown", "main.sme")
        tally.check("no space left in" in err or "File too large" in err, f"a build of {blocks} blocks: {err}")
    tally.check(not os.path.exists(os.path.join(folder, "grown")), "no simulator of half a build")
    with open("/dev/full", "wb") as nowhere:  # nobody can be told
        for words, status in (["--nonsense"], 2), (["fmt", "--nonsense"], 2), (["run", "small.sme", "-q", "--nonsense"], 2):
            run = subprocess.run([SMEC, *words], cwd=folder, stdout=subprocess.DEVNULL, stderr=nowhere, check=False)
            tally.equal(run.returncode, status, f"{words}, standard error is full")


def fullPipe(tally, folder):
    """A pipe that takes no more, and whoever made it does not let anybody wait."""
    for command in [os.path.join(folder, "behind")], [SMEC, "run", "--interpret", "main.sme"]:
        ends = os.pipe()
        os.set_blocking(ends[1], False)
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(ends[1], b"x" * 4096)
        run = subprocess.run([*command, "--input", "in.csv", "--quiet", "--trace", "-"], cwd=folder, stdout=ends[1], stderr=subprocess.PIPE, text=True, check=False)
        tally.equal((run.returncode, "cannot write standard output" in run.stderr), (3, True), f"{command}: {run.stderr}")
        for end in ends:
            os.close(end)


def buildFolder(tally, folder):
    """A folder of the user's is not taken over."""
    for name in "main.cpp", "build.ninja":
        busy = os.path.join(folder, "busy_" + name)
        os.mkdir(busy)
        write(busy, name, "of the user\n")
        status, _, err = smec("compile", "main.sme", "--no-build", "--build-dir", busy, cwd=folder)
        tally.equal((status, name in err), (2, True), f"--build-dir with a {name}: {err}")
        tally.equal(read(os.path.join(busy, name)), "of the user\n", f"{name} is what it was")
    write(os.path.join(folder, "build"), "own.hpp", "// mine\n")
    write(os.path.join(folder, "build"), "own.h", "// mine\n")
    write(os.path.join(folder, "build"), "unit_gone.cpp", "// Generated by smec from network top. Do not edit.\n")
    write(folder, "main.sme", PROGRAM + "// changed\n")
    tally.equal(smec(*COMPILE, "--no-build", cwd=folder)[0], 0, "a build folder with a file of the user's")
    tally.check(os.path.exists(os.path.join(folder, "build", "own.h")), "which stays")
    tally.check(not os.path.exists(os.path.join(folder, "build", "unit_gone.cpp")), "what smec wrote before goes")


def exported(tally, folder):
    write(folder, "plain.sme", PLAIN)
    os.mkdir(os.path.join(folder, "rtl"))
    os.symlink("../plain.sme", os.path.join(folder, "rtl", "files.f"))
    status, _, err = smec("export", "plain.sme", "--verilog", "-o", "rtl", "--cycles", "0", cwd=folder)
    tally.equal((status, "input" in err), (2, True), f"a file of an export that leads to the source: {err}")
    tally.check(read(os.path.join(folder, "plain.sme")).startswith("proc p"), "which is what it was")


def main():
    tally = Tally()
    with scratch() as folder:
        for name, text in FILES.items():
            write(folder, name, text)
        for test in inputs, defaults, links, streams, traces, schedules, nobodyReads, fullDisk, fullPipe, buildFolder, exported:
            test(tally, folder)
    tally.end()


main()
