#!/usr/bin/env python3
"""A million small processors (designs/cpu.sme) on four ranks: what the design takes to build, and whether all runs end with one checksum.

    cores_on_ranks.py [--smec PATH] [--cores 1048576] [--cycles 1000] [--ranks 4] [--smoke]

Runs one process, ranks of one process, and ranks of each MPI that smec was built with and that has a launcher here; writes a table. Exit
status 1: a run failed, or its checksum is another.
"""
import argparse
import os
import re
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass

import commands

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
# more ranks than processors, and as root in containers
ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
# where nobody measures: what Open MPI comes to on one machine, after it has tried others for as long as all the rest of a start takes; and turns
SOON = {"OMPI_MCA_pml": "ob1", "OMPI_MCA_mpi_yield_when_idle": "1"}
LAUNCHERS = {"openmpi": ["mpirun.openmpi", "--quiet", "--oversubscribe", "-np"], "mpich": ["mpirun.mpich", "-np"]}
LIMIT = 1800  # seconds, of one command


@dataclass
class Ran:
    checksum: str
    seconds: float  # of all cycles
    whole: float  # with what is before and after them
    memory: float  # MiB of the largest process


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--smec", default=os.path.join(ROOT, "build", "release", "bin", "smec"))
    parser.add_argument("--cores", type=int, default=1 << 20)
    parser.add_argument("--cycles", type=int, default=1000)
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--smoke", action="store_true", help="some cores, only their checksum")
    options = parser.parse_args()
    if options.smoke:
        options.cores, options.cycles = 50, 300
        ENVIRONMENT.update(SOON)
    return options


def kinds(smec):
    libraries = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(smec))), "lib")
    return [kind for kind, words in LAUNCHERS.items()
            if os.path.exists(os.path.join(libraries, f"libsme_mpi_{kind}.so")) and shutil.which(words[0])]


def ended(command, folder):
    """What it wrote and used, and its seconds."""
    start = time.monotonic()
    try:
        return commands.run(command, folder, LIMIT, environment=ENVIRONMENT), time.monotonic() - start
    except (commands.Failed, commands.Unfinished) as problem:
        sys.exit(f"{' '.join(command)}: {problem}")


def ran(command, options, folder):
    done, whole = ended([*command, "--cycles", str(options.cycles), "--threads", "1", "--checksum"], folder)
    checksum = re.search(r"^[0-9a-f]{16}$", done.out, re.M)
    seconds = re.search(r"^wall time +(\S+) s$", done.err, re.M)
    if not checksum or not seconds:
        sys.exit(f"{' '.join(command)}: no checksum or no time\n{done.out}{done.err}")
    return Ran(checksum.group(), float(seconds.group(1)), whole, done.peakMiB)


def main():
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="sme_cores_") as folder:
        built, seconds = ended([os.path.abspath(options.smec), "compile", os.path.join(HERE, "designs", "cpu.sme"), "-G",
                                       f"c={options.cores}", "-q", "-o", "cores", "--build-dir", "build", *(["-O1"] if options.smoke else [])], folder)
        print(f"{options.cores:,} cores: built in {seconds:.1f} s, {built.peakMiB:,.0f} MiB; {options.cycles:,} cycles\n")
        program, count = os.path.join(folder, "cores"), str(options.ranks)
        runs = {"one process": [program], f"--ranks {count}": [program, "--ranks", count]}
        runs |= {f"{LAUNCHERS[kind][0]} -np {count}": [*LAUNCHERS[kind], count, program] for kind in kinds(options.smec)}
        print("| | checksum | cycles/s | s, all in all | MiB, the largest process |\n|---|---|---|---|---|")
        sums = set()
        for name, command in runs.items():
            done = ran(command, options, folder)
            sums.add(done.checksum)
            print(f"| {name} | {done.checksum} | {options.cycles / done.seconds:.1f} | {done.whole:.1f} | {done.memory:,.1f} |", flush=True)
    if len(sums) > 1:
        print("checksums differ")
    return 0 if len(sums) == 1 else 1


if __name__ == "__main__":
    sys.exit(main())
