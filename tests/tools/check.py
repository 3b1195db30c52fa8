#!/usr/bin/env python3
"""smec check of several files: each is a program of its own, and one that fails does not hide the others."""
from support import Tally, scratch, smec, write

GOOD = "proc p(out y) { y.v = 1; }\nnetwork top() { bus b { v: u8; }; instance _ of p(b); }\n"
LIBRARY = "func twice(x: u8): u9 { return x + x; }\n"
BAD_NAME = "network top() { bus b { v: u8; }; instance _ of nope(b); }\n"
BAD_SYNTAX = "network top( { }\n"


def main():
    tally = Tally()
    with scratch() as folder:
        for name, text in (("good", GOOD), ("library", LIBRARY), ("name", BAD_NAME), ("syntax", BAD_SYNTAX)):
            write(folder, name + ".sme", text)
        status, out, err = smec("check", "good.sme", "library.sme", "-Wno-unread", cwd=folder)
        tally.equal((status, out, err), (0, "", ""), "good files and libraries pass in silence")
        status, _, err = smec("check", "name.sme", "good.sme", "syntax.sme", "absent.sme", cwd=folder)
        tally.equal(status, 1, "one bad file is enough")
        for part in ("name.sme:1:", "[unknown-entity]", "syntax.sme:1:14", "[syntax]", "absent.sme", "[cannot-read]"):
            tally.check(part in err, f"'{part}' is reported")
        status, _, _ = smec("check", "name.sme", "good.sme", cwd=folder)
        tally.equal(status, 1, "the last file being good does not make it good")
        # The same declarations in two files do not clash.
        write(folder, "again.sme", GOOD)
        tally.equal(smec("check", "good.sme", "again.sme", "good.sme", cwd=folder)[0], 0, "files are independent")
        tally.equal(smec("check", cwd=folder)[0], 2, "no file is wrong usage")
        tally.equal(smec("compile", "good.sme", "again.sme", cwd=folder)[0], 2, "compile takes one file")
        # What an import has wrong is said once, however many files import it.
        write(folder, "shared.sme", "const k: u8 = 300;\n")
        for name in ("one", "two"):
            write(folder, name + ".sme", "import shared;\nproc p() { trace(\"{}\", shared.k); }\nnetwork top() { instance _ of p(); }\n")
        status, _, err = smec("check", "one.sme", "shared.sme", "two.sme", "library.sme", cwd=folder)
        tally.equal((status, err.count("[constant-fit]")), (1, 1), "an error in a shared import")
        status, _, err = smec("check", "--diagnostics=json", "name.sme", "syntax.sme", cwd=folder)
        tally.equal(sum(line.startswith("{") for line in err.splitlines()), 2, "a JSON line per message")
    tally.end()


main()
