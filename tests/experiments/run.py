#!/usr/bin/env python3
"""Performs an experiment at smoke size and checks that its tables are complete. That results agree is checked by the experiment itself, and
`run.py lab` checks that it would notice. Nothing here looks at times."""
import argparse
import os
import shutil
import sys
import tempfile

import experiment
import lab

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
    for stem, script in page.pictures.items():
        path = os.path.join(work, stem + ".svg")
        if lab.drawn(script, path) and "</svg>" not in open(path).read():
            yield f"no picture {stem}"


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
    parser.add_argument("name", choices=[*ROWS, "lab"])
    parser.add_argument("--smec", required=True)
    options = parser.parse_args()
    work = tempfile.mkdtemp(prefix="sme_experiment_")
    settings = lab.Settings(options.smec, work, "smoke", (1, 2), 1, 0.002)
    try:
        if options.name == "lab":
            problems = [] if isNoticed(settings) else ["results that differ were not noticed"]
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
