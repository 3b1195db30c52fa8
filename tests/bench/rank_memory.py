#!/usr/bin/env python3
"""Memory of ranks: a ring of 10^7 processes and a mesh of 10^7 cells on 1, 2 and 4 ranks of MPI, cut into rows and into blocks.

    rank_memory.py [--smec PATH] [--ring 10000000] [--mesh 3164] [--ranks 1,2,4] [--keep FOLDER] [--smoke]

A rank may have 1.15 times its part of the whole, beside what MPI takes itself, which a ring of 100 processes tells, and what it reads of
others. Exit status 1: one has more, or a checksum is another. Blocks are forced there, which ranks leave out where they waste memory: they are
not judged.
"""
import argparse
import os
import re
import shutil
import sys
import tempfile

from cores_on_ranks import ENVIRONMENT, LAUNCHERS, SOON, kinds
import commands
from two_ranks import HERE, RING, ROOT, run

MOST = 1.15


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--smec", default=os.path.join(ROOT, "build", "release", "bin", "smec"))
    parser.add_argument("--ring", type=int, default=10**7)
    parser.add_argument("--mesh", type=int, default=3164)
    parser.add_argument("--ranks", default="1,2,4")
    parser.add_argument("--keep", metavar="FOLDER")
    parser.add_argument("--smoke", action="store_true", help="small networks: only their checksums")
    options = parser.parse_args()
    if options.smoke:
        options.ring, options.mesh = 1000, 40
        ENVIRONMENT.update(SOON)
    return options


def built(name, source, size, options, folder):
    program = os.path.join(folder, f"{name}{size}")
    if not os.path.exists(program):
        run([os.path.abspath(options.smec), "compile", source, "-G", f"n={size}", "-q", "-o", program, "--build-dir", program + ".build",
             *(["-O1"] if options.smoke else [])], folder)
    return program


def ran(command, cut, folder):
    """Checksum, MiB of the largest rank, and bytes that the one with most sends in a cycle."""
    environment = dict(ENVIRONMENT, **({"SME_RANKS_CUT": cut} if cut else {}))
    try:
        done = commands.run([*command, "--cycles", "20", "--threads", "1", "--checksum", "--report", "text"], folder, 1800, environment=environment)
    except (commands.Failed, commands.Unfinished) as problem:
        sys.exit(f"{' '.join(command)}: {problem}")
    checksum = re.search(r"^[0-9a-f]{16}$", done.out, re.M)
    ranks = re.findall(r"^ +\d+ +\d+ +[\d.]+% +(\d+) +\d+ .* ([\d.]+) MiB$", done.out + done.err, re.M)
    alone = re.search(r"^peak memory +([\d.]+) MiB", done.out + done.err, re.M)
    if not checksum or not (ranks or alone):
        sys.exit(f"{' '.join(command)}: no checksum or no memory\n{done.out}{done.err}")
    if not ranks:
        return checksum.group(), float(alone.group(1)), 0
    return checksum.group(), max(float(memory) for _, memory in ranks), max(int(sent) for sent, _ in ranks)


def main():
    options = arguments()
    launchers = kinds(options.smec)
    if not launchers:
        print("no MPI")
        return 0
    launcher = LAUNCHERS[launchers[0]]
    folder = options.keep or tempfile.mkdtemp(prefix="sme_rank_memory_")
    os.makedirs(folder, exist_ok=True)
    isGood, itself = True, {}  # what MPI takes, by ranks
    print(f"MiB of the largest rank, {launcher[0]}\n\n| | ranks | bytes a cycle | MiB | MPI itself | by its part of the whole |\n|---|---|---|---|---|---|")
    try:
        small = built("ring", RING, 100, options, folder)
        for name, source, size in (("ring", RING, options.ring), ("mesh", os.path.join(HERE, "designs", "mesh.sme"), options.mesh)):
            program = built(name, source, size, options, folder)
            whole, sums = 0, set()
            for cut in ("", "blocks") if name == "mesh" else ("",):
                for ranks in map(int, options.ranks.split(",")):
                    if ranks == 1 and cut:
                        continue
                    started = [*launcher, str(ranks)]
                    own = itself[ranks] = itself.get(ranks) or ran([*started, small], "", folder)[1]
                    checksum, memory, sent = ran([*started, program], cut, folder)
                    sums.add(checksum)
                    whole = memory - own if ranks == 1 else whole
                    part = (memory - own) / (whole / ranks) if whole > 0 else 0
                    isGood = isGood and (options.smoke or cut != "" or part <= MOST)
                    print(f"| {name} {size:,}{' ' + cut if cut else ''} | {ranks} | {sent:,} | {memory:.1f} | {own:.1f} | {part:.2f} |", flush=True)
            isGood = isGood and len(sums) == 1
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    if not isGood:
        print("too much memory, or checksums that differ")
    return 0 if isGood else 1


if __name__ == "__main__":
    sys.exit(main())
