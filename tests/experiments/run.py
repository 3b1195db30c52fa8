#!/usr/bin/env python3
"""Performs an experiment at smoke size and checks that its tables are complete. That results agree is checked by the experiment itself, and
`run.py lab` checks that it would notice. `run.py redraw` draws the pictures of the pages from the data beside them. Nothing here looks at times."""
import argparse
import io
import json
import os
import re
import shutil
import sys
import tempfile

import experiment
import lab
import pictures

ROWS = {  # experiment -> the rows of its tables, in their order, on threads 1,2
    "thesis": [12, 12, 12, 18, 4, 6, 2, 10],
    "daphne": [14, 36],
    "mltp": [12, 28],
    "inflation": [12],
    "waiting": [8, 8, 4],
    "adapt": [9, 9],
}


def problemsOf(name, page):
    tables = list(page.tables.items())
    if len(tables) != len(ROWS[name]):
        yield f"{len(tables)} tables, not {len(ROWS[name])}: {[heading for heading, _ in tables]}"
    for (heading, (head, rows)), expected in zip(tables, ROWS[name]):
        if len(rows) != expected:
            yield f"'{heading}' has {len(rows)} rows, not {expected}"
        for row in rows:
            if len(row) != len(head) or any(str(cell).strip() in ("", "None", "nan") for cell in row):
                yield f"'{heading}' has the row {row} below {head}"
    if not page.answer or not page.checked:
        yield "no answer, or nothing was compared"


def pictureProblems(page, work):
    """Draws what would be kept of the run."""
    kept = json.loads(lab.stored(page, "./sme experiment"))
    if len(kept["tables"]) != len(page.tables) or not kept["runs"]:
        yield "not all of the run would be kept"
    for stem, picture in kept["pictures"].items():
        path = os.path.join(work, stem + ".svg")
        if pictures.drawn(picture, path) and "</svg>" not in open(path).read():
            yield f"no picture {stem}"


def contentOf(path):
    """A picture without the name of the program that drew it, and that name."""
    with open(path) as file:
        text = file.read()
    maker = re.search(r"<desc>(.*?)</desc>", text)
    return text, maker and maker.group(1)


def redrawProblems(work):
    """Are the pictures of all pages those that their data gives? Another gnuplot may draw them a little otherwise."""
    for name in experiment.EXPERIMENTS:
        if not experiment.redraw(name, work):
            return
        with open(os.path.join(lab.PAGES, name + ".md")) as file:
            stems = re.findall(r"\]\((\w+)\.svg\)", file.read())
        with open(os.path.join(lab.PAGES, name + ".json")) as file:
            kept = list(json.load(file)["pictures"])
        if stems != kept:
            yield f"{name}.md shows {stems}, its data has {kept}"
        for stem in kept:
            (new, newMaker), (old, oldMaker) = (contentOf(os.path.join(folder, stem + ".svg")) for folder in (work, lab.PAGES))
            if "</svg>" not in new or (newMaker == oldMaker and new != old):
                yield f"{stem}.svg is not what its data gives; ./sme experiment {name} --redraw draws it"


def progressProblems():
    """What is told on a terminal and elsewhere, by a clock that stands still between steps."""

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    for stream, expected in ((io.StringIO(), "e: runs, 2 of 4, 12 s left\ne: runs, 4 of 4, 0 s left\n"),
                             (Terminal(), "".join(f"\re: runs, {k} of 4, {24 - 6 * k} s left\033[K" for k in (1, 2, 3, 4)) + "\r\033[K")):
        now = [0.0]
        progress = lab.Progress("e", stream, lambda: now[0])
        progress.start("runs", 4)
        for _ in range(4):
            now[0] += 6
            progress.step()
        progress.clear()
        if stream.getvalue() != expected:
            yield f"progress tells {stream.getvalue()!r}, not {expected!r}"
    lab.Progress().step()  # tells nobody
    if [lab.duration(seconds) for seconds in (4, 150, 12000)] != ["4 s", "2 min 30 s", "3 h 20 min"]:
        yield "durations"


def isNoticed(settings):
    """Whether results that differ are refused."""
    source = "proc p(out y, const k: uint) { y.v = k; }\nnetwork top(const k: uint = 1) { exposed bus b { v: u8; }; instance _ of p(b, k); }\n"
    programs = [lab.compiled(settings, source, f"const{k}", {"k": k}) for k in (1, 2)]
    try:
        lab.agree({program: lab.Config(program, alike="same") for program in programs}, 3)
    except lab.Wrong:
        return True
    return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("name", choices=[*ROWS, "lab", "redraw"])
    parser.add_argument("--smec", required=True)
    options = parser.parse_args()
    work = tempfile.mkdtemp(prefix="sme_experiment_")
    settings = lab.Settings(options.smec, work, "smoke", (1, 2), 1, 0.002)
    try:
        if options.name == "lab":
            problems = [*progressProblems(), *([] if isNoticed(settings) else ["results that differ were not noticed"])]
        elif options.name == "redraw":
            problems = list(redrawProblems(work))
        else:
            page = experiment.performed(options.name, settings)
            problems = [*problemsOf(options.name, page), *pictureProblems(page, work)]
    finally:
        shutil.rmtree(work, ignore_errors=True)
    for problem in problems:
        lab.say(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
