#!/usr/bin/env python3
"""The FuseSoC core of an export: fusesoc runs its targets, and sees a bench that fails.

fusesoc comes from PyPI into a virtual environment in the build tree. Where that cannot be had the test is skipped (77) and says so."""
import os
import sys

from judges import ROOT, Tally, exported, run, scratch

VERSION = "2.4.7"
TREE = os.path.join(os.environ.get("SMEC_BINARY_DIR", os.path.join(ROOT, "build")), "fusesoc")
PROGRAM = os.path.join(ROOT, "tests", "hdl", "programs", "names.sme")


def program():
    """fusesoc, installed where it is missing."""
    path = os.path.join(TREE, "bin", "fusesoc")
    if os.path.exists(path):
        return path
    for command in ([sys.executable, "-m", "venv", TREE],
                    [os.path.join(TREE, "bin", "pip"), "install", "--quiet", "--disable-pip-version-check", "--timeout", "15", "--retries", "1",
                     f"fusesoc=={VERSION}"]):
        status, out = run(command, ROOT, 200)
        if status != 0:
            print(f"skipped: fusesoc {VERSION} cannot be installed from PyPI, so no core was run: {out.strip().splitlines()[-1:]}")
            sys.exit(77)
    return path


def target(fusesoc, folder, core, name):
    """Status and output of one target."""
    return run([fusesoc, "--cores-root", "rtl", "run", "--work-root", os.path.join(folder, name), "--target", name, f"::{core}:0"], folder)


def main():
    fusesoc = program()
    tally = Tally()
    for languages, names in ((["--verilog", "--vhdl"], ("sim", "sim_vhdl", "lint")), (["--verilog", "--std", "v2005"], ("sim", "lint")), (["--vhdl"], ("sim",))):
        with scratch() as folder:
            status, out = exported(PROGRAM, folder, *languages, cycles=20, languages=())
            tally.equal(status, 0, f"export {languages}: {out}")
            for name in names:
                status, out = target(fusesoc, folder, "top", name)
                tally.check(status == 0 and ("PASSED: 20 cycles" in out or name == "lint"), f"{languages}, {name}: {status}: {out[-600:]}")
                tally.check("WARNING" not in out, f"{languages}, {name}: {out[-600:]}")
    with scratch() as folder:
        exported(PROGRAM, folder, cycles=20)
        path = os.path.join(folder, "rtl", "tb_top.hex")
        with open(path, encoding="utf-8") as f:
            lines = f.readlines()
        lines[9] = "".join("1" if c == "0" else "0" for c in lines[9].strip()) + "\n"
        with open(path, "w", encoding="utf-8") as f:
            f.writelines(lines)
        for name in ("sim", "sim_vhdl"):
            status, out = target(fusesoc, folder, "top", name)
            tally.check(status != 0 and "FAILED in cycle" in out, f"{name} of another run: {status}: {out[-600:]}")
    tally.end()


if __name__ == "__main__":
    main()
