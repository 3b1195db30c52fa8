#!/usr/bin/env python3
"""`smec diff`: traces of any formats against one another, as a user calls it."""
import os
import shutil
import subprocess

from support import ROOT, SMEC, Tally, scratch, smec, write

DESIGN = os.path.join(ROOT, "tests", "tools", "waves.sme")      # every kind of value


def main():
    tally = Tally()
    with scratch() as folder:
        def diff(*arguments, status, says="", tells=""):
            got, out, err = smec("diff", *arguments, cwd=folder)
            where = " ".join(arguments)
            tally.equal(got, status, where + ": status; " + out + err)
            tally.check(says in out, f"{where}: '{says}' in standard output, which is {out!r}")
            tally.check(tells in err, f"{where}: '{tells}' in standard error, which is {err!r}")
            return out

        def trace(*options):
            got, _, err = smec("run", "-O0", "-Wno-unread", DESIGN, "--cycles", "40", "--quiet", "--trace-all", "--trace-elements", "200", *options, cwd=folder)
            tally.equal(got, 0, " ".join(options) + ": " + err)

        trace("--trace", "a.csv", "--trace", "a.vcd", "--trace", "b.csv", "--trace", "a.fst")
        for other in ("a.csv", "a.vcd"):
            diff("a.fst", other, status=0, says="the same in cycles 0 to 39")
        for packing in "4FZc" if shutil.which("vcd2fst") else "":           # lz4, FastLZ, zlib, the whole file
            subprocess.run(["vcd2fst", "-" + packing, "a.vcd", "other.fst"], cwd=folder, stdout=subprocess.DEVNULL, check=True)
            diff("other.fst", "a.csv", status=0, says="the same in cycles 0 to 39")
        trace("--trace", "slow.vcd", "--clock-period", "7", "--no-trace-clock", "--trace-start", "5")
        diff("a.csv", "a.vcd", status=0, says="the same in cycles 0 to 39")
        diff("a.vcd", "a.csv", status=0)
        diff("--clock-period", "7", "slow.vcd", "a.csv", status=0, says="the same in cycles 5 to 39")

        with open(os.path.join(folder, "b.csv"), encoding="utf-8") as f:
            lines = f.read().splitlines()
        names, cells = lines[0].split(","), lines[18].split(",")
        column = next(i for i, cell in enumerate(cells) if i > 0 and cell.isdigit())
        cells[column] = str(1 - int(cells[column]) if cells[column] in "01" else 0)
        lines[18] = ",".join(cells)
        write(folder, "b.csv", "\n".join(lines) + "\n")
        for first, alone in (("a.csv", ""), ("a.vcd", "1 signal is in a.vcd only: s.wait\n")):  # where processes wait is no column
            out = diff(first, "b.csv", status=1, says="differ in cycles 0 to 39, first in cycle 17")
            tally.check(out.startswith(alone + "1 of ") and f"\n{names[column]} " in out and out.count("\n") == 4 + len(alone[:1]), "one signal is listed: " + out)
        write(folder, "short.csv", "\n".join(lines[:11]) + "\n")
        diff("a.csv", "short.csv", status=1, says="short.csv has cycles 0 to 9")

        pipe = subprocess.run(["bash", "-c", f"'{SMEC}' diff <(cat a.csv) a.vcd"], cwd=folder, stdout=subprocess.PIPE, text=True, check=False)
        tally.check(pipe.returncode == 0 and "the same" in pipe.stdout, "a pipe: " + pipe.stdout)
        diff("a.csv", "none.csv", status=3, tells="cannot read 'none.csv': no such file")
        diff("a.csv", ".", status=3, tells="it is a directory")
        diff("a.csv", write(folder, "junk.vcd", "junk"), status=2, tells="junk.vcd:1: error: ")
        diff("a.csv", write(folder, "empty.csv", ""), status=2, tells="the file is empty")
        with open(os.path.join(folder, "a.fst"), "rb") as f:
            fst = f.read()
        with open(os.path.join(folder, "cut.fst"), "wb") as f:
            f.write(fst[:1000])
        diff("cut.fst", "a.csv", status=2, tells="cut.fst: error: at byte ")
        diff(write(folder, "junk.fst", "junk"), "a.csv", status=2, tells="junk.fst: error: at byte 0: it does not start like an FST file")
        diff("a.csv", status=2)
        diff("--clock-period", "0", "a.csv", "a.vcd", status=2)
    tally.end()


if __name__ == "__main__":
    main()
