"""What the programs that try seeds have in common: their options, a scratch folder, and batch after batch until there are enough findings."""
import argparse
import os
import shutil
import sys
import tempfile


def parser(description, *, count, batch, most=5, things="programs"):
    """One with the options that all have; `count` and `batch` may be None, which the program fills in."""
    sys.setrecursionlimit(10000)  # programs are trees
    made = argparse.ArgumentParser(description=description)
    made.add_argument("--smec", default=os.environ.get("SMEC", "smec"))
    made.add_argument("--seed", type=int, default=1, help="first seed; each of the " + things + " has its own")
    made.add_argument("--count", type=int, default=count, help=things + " to try")
    made.add_argument("--batch", type=int, default=batch, help=things + " in one build")
    made.add_argument("--most", type=int, default=most, help="stop after so many findings")
    made.add_argument("--keep", default="findings", metavar="DIR", help="where findings are written")
    made.add_argument("-v", "--verbose", action="store_true")
    return made


def inScratch(options, name, use):
    """use(folder) with an empty folder, which goes afterwards. The paths of the options are absolute from here on."""
    options.smec, options.keep = os.path.abspath(shutil.which(options.smec) or options.smec), os.path.abspath(options.keep)
    if not os.path.exists(options.smec):
        sys.exit(f"no compiler at '{options.smec}'; give --smec PATH")
    scratch = tempfile.mkdtemp(prefix=f"sme-{name}-")
    try:
        return use(scratch)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def batches(options, isOver, batch, progress):
    """Batches of seeds from the first one on, `count` of them or without an end, until `isOver`. Returns the next seed."""
    seed, end = options.seed, None if options.count is None else options.seed + options.count
    while not isOver() and (end is None or seed < end):
        size = options.batch if end is None else min(options.batch, end - seed)
        batch(range(seed, seed + size))
        seed += size
        if options.verbose:
            print(progress(), flush=True)
    return seed
