#!/usr/bin/env python3
"""The experiments of the literature on scheduling, repeated with our simulators. `./sme experiment` calls this; README.md says what there is."""
import argparse
import importlib
import json
import os
import shutil
import sys
import tempfile

import lab
import pictures

EXPERIMENTS = {  # module -> one line
    "thesis": "C++SME's benchmarks and open questions: rings, weak scaling, uneven work, order, when m1 wins, branch prediction",
    "daphne": "DAPHNE's chunk schemes, queue layouts and victims on label propagation over a power-law graph",
    "mltp": "MLTP's pi, matrix multiply and ocean, with more threads than processors",
    "inflation": "factored speedups of processes whose arrays fit a cache level or do not",
    "waiting": "wait modes with more threads than processors, beside other programs, and when stopped",
    "adapt": "a load that moves: plans made once, again and again, and work taken on demand",
}


def numbers(text):
    try:
        found = tuple(sorted({int(word) for word in text.split(",")}))
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is no list of numbers, such as 1,2,4")
    if not found or found[0] < 1:
        raise argparse.ArgumentTypeError("threads are at least 1")
    return found


def arguments():
    parser = argparse.ArgumentParser(prog="./sme experiment", description=__doc__.splitlines()[0])
    parser.add_argument("name", nargs="?", choices=[*EXPERIMENTS, "all"], metavar="NAME")
    parser.add_argument("--list", action="store_true", help="name the experiments and end")
    parser.add_argument("--full", action="store_true", help="the sizes of the literature; takes from minutes to hours")
    parser.add_argument("--smoke", action="store_true", help="sizes of a few seconds: is everything there, do results agree?")
    parser.add_argument("--threads", type=numbers, default=(1, 2), metavar="LIST", help="default 1,2")
    parser.add_argument("--repeat", type=int, default=0, metavar="N", help="runs of each configuration; default 5")
    parser.add_argument("--aim", type=float, default=0, metavar="SECONDS", help="of a timed run whose cycles are not fixed; default 0.05")
    parser.add_argument("--patience", type=float, default=-1, metavar="SECONDS", help="for each table, to run again what other programs disturbed; default 15")
    parser.add_argument("--write", action="store_true", help="write docs/experiments/NAME.md and its pictures")
    parser.add_argument("--redraw", action="store_true", help="draw the pictures of docs/experiments again from the data beside them; measures nothing")
    parser.add_argument("--work", help="folder for simulators (default: a temporary one)")
    parser.add_argument("--smec", required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not options.list and not options.name:
        parser.error("which one? --list names them")
    if options.smoke and (options.full or options.write):
        parser.error("--smoke goes alone")
    if options.redraw and (options.full or options.write or options.smoke):
        parser.error("--redraw goes alone")
    return options


def settingsOf(options, work):
    size = "full" if options.full else "smoke" if options.smoke else "small"
    repeat = options.repeat or (1 if options.smoke else 5)
    aim = options.aim or {"smoke": 0.002, "small": 0.05, "full": 2.0}[size]
    patience = options.patience if options.patience >= 0 else 0 if options.smoke else 15
    return lab.Settings(os.path.abspath(options.smec), work, size, options.threads, repeat, aim, patience, lab.Progress(stream=sys.stderr))


def commandOf(name, options):
    given = [word for word, isGiven in (("--full", options.full), (f"--threads {','.join(map(str, options.threads))}", options.threads != (1, 2)),
                                        (f"--repeat {options.repeat}", options.repeat), (f"--aim {options.aim:g}", options.aim),
                                        (f"--patience {options.patience:g}", options.patience >= 0)) if isGiven]
    return " ".join(["./sme experiment", name, *given])


def write(name, page, options, settings):
    os.makedirs(lab.PAGES, exist_ok=True)
    command = commandOf(name, options)
    with open(os.path.join(lab.PAGES, name + ".json"), "w") as file:
        file.write(lab.stored(page, command))
    redraw(name, lab.PAGES)
    with open(os.path.join(lab.PAGES, name + ".md"), "w") as file:
        file.write(lab.markdown(page, name, command, settings, page.pictures))


def redraw(name, folder):
    """Draws the pictures of a page into a folder, from the data beside the page. False where gnuplot is missing."""
    with open(os.path.join(lab.PAGES, name + ".json")) as file:
        found = json.load(file)["pictures"]
    return all([pictures.drawn(picture, os.path.join(folder, stem + ".svg")) for stem, picture in found.items()])


def performed(name, settings):
    settings.progress.name = name
    page = importlib.import_module(name).experiment(settings)
    settings.progress.clear()
    return page


def redrawn(names):
    for name in names:
        if not redraw(name, lab.PAGES):
            lab.say("experiment: gnuplot is not installed")
            return 1
    return 0


def main():
    options = arguments()
    if options.list:
        print("\n".join(f"{name:10} {words}" for name, words in EXPERIMENTS.items()))
        return 0
    names = list(EXPERIMENTS) if options.name == "all" else [options.name]
    if options.redraw:
        return redrawn(names)
    work = os.path.abspath(options.work) if options.work else tempfile.mkdtemp(prefix="sme_experiment_")
    os.makedirs(work, exist_ok=True)
    settings = settingsOf(options, work)
    try:
        for name in names:
            page = performed(name, settings)
            print(lab.markdown(page, name, commandOf(name, options), settings, []), end="", flush=True)
            if options.write:
                write(name, page, options, settings)
    except lab.Wrong as problem:
        lab.say(f"experiment: {problem}")
        return 1
    finally:
        if not options.work:
            shutil.rmtree(work, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
