#!/usr/bin/env python3
"""smec fmt as a command: files in place, standard input, --check, errors, links and permissions."""
import glob
import os
import stat
import subprocess

from support import ROOT, SMEC, Tally, read, scratch, smec, write

BEFORE = "network   top(){instance _ of p(b);bus b{v:u8;};}\nproc p(out y){y.v=1;}// one\n"
AFTER = "network top() { instance _ of p(b); bus b { v: u8; }; }\nproc p(out y) { y.v = 1; }  // one\n"
BROKEN = "proc p( {\n    x  =  1;\n}\n"


def main():
    tally = Tally()
    with scratch() as folder:
        one = write(folder, "one.sme", BEFORE)
        tally.equal(smec("fmt", "one.sme", cwd=folder), (0, "", ""), "formats in silence")
        tally.equal(read(one), AFTER, "in place")
        before = os.stat(one)
        tally.equal(smec("fmt", "one.sme", cwd=folder)[0], 0, "formatted already")
        tally.equal((os.stat(one).st_ino, os.stat(one).st_mtime_ns), (before.st_ino, before.st_mtime_ns),
                    "a file that does not change is not written")

        tally.equal(smec("fmt", "-", text=BEFORE), (0, AFTER, ""), "standard input to standard output")

        two = write(folder, "two.sme", BEFORE)
        status, out, err = smec("fmt", "--check", "one.sme", "two.sme", cwd=folder)
        tally.equal((status, err), (1, ""), "--check tells")
        tally.check(out.startswith("--- two.sme\n+++ two.sme\n@@ -1,2 +1,2 @@\n-network   top"), f"a diff: {out}")
        tally.check("one.sme" not in out, "of what would change only")
        tally.equal(read(two), BEFORE, "--check writes nothing")
        patched = subprocess.run(["patch", "-s", "-p0"], cwd=folder, input=out, encoding="utf-8", check=False)
        tally.equal((patched.returncode, read(two)), (0, AFTER), "patch takes the diff")
        tally.equal(smec("fmt", "--check", "one.sme", "two.sme", cwd=folder), (0, "", ""), "nothing to change")
        tally.equal(smec("fmt", "--check", "-", text=BEFORE)[0], 1, "--check of standard input")

        bad, good = write(folder, "bad.sme", BROKEN), write(folder, "good.sme", BEFORE)
        status, _, err = smec("fmt", "bad.sme", "absent.sme", ".", "good.sme", cwd=folder)
        tally.equal(status, 1, "a file with errors")
        tally.check("bad.sme:1:9: error: " in err and "[syntax]" in err, f"is reported with its place: {err}")
        tally.check("cannot read 'absent.sme'" in err and "it is a directory" in err, "so are files that cannot be read")
        tally.equal(read(bad), BROKEN, "and stays as it is")
        tally.equal(read(good), AFTER, "others are formatted all the same")
        tally.equal(smec("fmt", "-", text=BROKEN)[:2], (1, ""), "nothing is printed for an input with errors")

        target = write(folder, "target.sme", BEFORE)
        os.chmod(target, 0o640)
        os.symlink("target.sme", os.path.join(folder, "link.sme"))
        tally.equal(smec("fmt", "link.sme", cwd=folder)[0], 0, "through a link")
        tally.check(os.path.islink(os.path.join(folder, "link.sme")), "which stays one")
        tally.equal((read(target), stat.S_IMODE(os.stat(target).st_mode)), (AFTER, 0o640), "the file keeps its permissions")
        tally.equal(sorted(n for n in os.listdir(folder) if n.endswith("tmp")), [], "no temporary file is left")

        if os.geteuid() != 0:
            guarded = write(folder, "guarded.sme", BEFORE)
            os.chmod(guarded, 0o440)
            tally.equal((smec("fmt", "guarded.sme", cwd=folder)[0], read(guarded)), (3, BEFORE), "no right to write")
        full = subprocess.run([SMEC, "fmt", "-"], input=BEFORE.encode(), stdout=open("/dev/full", "wb"),
                              stderr=subprocess.PIPE, check=False)
        tally.equal(full.returncode, 3, "standard output that is full")
        ours = [f for d in ("examples", "stdlib") for f in glob.glob(os.path.join(ROOT, d, "**", "*.sme"), recursive=True)]
        status, out, _ = smec("fmt", "--check", *ours)
        tally.check(len(ours) > 10 and status == 0, f"examples and the standard library are formatted: {out}")
        tally.equal(smec("fmt")[0], 2, "no file is wrong usage")

        # Every kind of change in a diff: lines that go, come and stay, far apart and side by side, and no newline at the end.
        lines = [f"const c{i}: u8 = {i};" for i in range(60)]
        odd = list(lines)
        for i in (0, 1, 20, 23, 40, 59):
            odd[i] = odd[i].replace(": ", "  :")
        odd[30] += "\n\n\n"
        many = write(folder, "many.sme", "\n".join(odd))
        status, out, _ = smec("fmt", "--check", "many.sme", cwd=folder)
        tally.equal(out.count("@@ -"), 5, f"hunks: {out}")
        subprocess.run(["patch", "-s", "-p0"], cwd=folder, input=out, encoding="utf-8", check=False)
        wanted = "\n".join(lines) + "\n"
        tally.equal(read(many).replace("\n\n", "\n"), wanted, "patch makes the formatted file of it")
        tally.equal(smec("fmt", "--check", "many.sme", cwd=folder)[0], 0, "which is formatted")
    tally.end()


main()
