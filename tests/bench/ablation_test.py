#!/usr/bin/env python3
"""ablation.py: programs that differ are found, equal ones are built once, and a state that differs is told; its table."""
import argparse
import json
import os
import subprocess
import sys
import tempfile

import ablation_table

HERE = os.path.dirname(os.path.abspath(__file__))
# A compiler that makes another design where it leaves a rule out.
WRONG = """#!/usr/bin/env python3
import sys, subprocess
words = sys.argv[1:]
if "paired-cycles" in words:
    for k, word in enumerate(words):
        if word.endswith(".sme"):
            text = open(word).read().replace("+ 3;", "+ 4;")
            words[k] = word + ".wrong.sme"
            open(words[k], "w").write(text)
sys.exit(subprocess.run([{smec!r}, *words]).returncode)
"""
DESIGN = "two clocked processes"
RESULTS = {"variations": ["one", "two", "three"], "designs": {
    "a": {"whole": {"time": 10, "code": 100}, "again": {"time": 10.1, "code": 100}, "others": [{"without": ["one", "two"], "time": 15, "code": 50}]},
    "b": {"whole": {"time": 10, "code": 100}, "again": {"time": 9.9, "code": 100}, "others": [{"without": ["one"], "time": 9, "code": 101}]},
    "c": {"whole": {"time": 10, "code": 100}, "others": []}}}
failures = []


def equal(found, wanted, text):
    if found != wanted:
        failures.append(text)
        print(f"FAILED: {text}: {found}, not {wanted}")


def ablation(smec, folder, *words):
    """(status, figures of the design, standard error)"""
    path = os.path.join(folder, "figures.json")
    ran = subprocess.run([sys.executable, os.path.join(HERE, "ablation.py"), "--smec", smec, "--smoke", "--of", DESIGN, "--json", path, *words],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
    with open(path, encoding="utf-8") as file:
        return ran.returncode, json.load(file)["designs"], ran.stderr


def check_table():
    rows = [row.split(" | ") for row in ablation_table.markdown(RESULTS).splitlines()[2:]]
    equal([row[1] for row in rows], ["2", "2", "1", "0"], "designs that differ")
    equal([row[2] for row in rows], ["1.01 (a) … 0.99 (b)", "1.50 (a) … 0.90 (b)", "1.50 (a)", ""], "times")
    equal([row[-1] for row in rows], [" |", "time |", "time |", "not there |"], "what is gained")
    numbers = {"variations": ["n=1"], "designs": {"a": {"whole": {"code": 100}, "others": [{"without": ["n=1"], "code": 50}], "tables": {}}}}
    equal(ablation_table.markdown(numbers).splitlines()[-1].split(" | ")[-1], "bytes of code |", "what another number gains")


def check_runs(smec, folder):
    rules = ["--only", "mirrors,unobserved-cycles,paired-cycles,lanes,packed-fields"]
    status, designs, _ = ablation(smec, folder, *rules)
    equal((status, list(designs)), (0, [DESIGN]), "status and designs")
    groups = sorted(sorted(other["without"]) for other in designs[DESIGN]["others"])
    equal(sum(groups, []).count("mirrors"), 1, "mirrors do something to the design")
    equal([group for group in groups if "lanes" in group and len(group) > 1], [], "lanes do not what others do")
    wrong = os.path.join(folder, "wrong")
    with open(wrong, "w", encoding="utf-8") as file:
        file.write(WRONG.format(smec=smec))
    os.chmod(wrong, 0o755)
    status, designs, told = ablation(wrong, folder, "--only", "paired-cycles")
    equal((status, "another state without paired-cycles" in told), (1, True), "another state is told")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smec", required=True)
    smec = os.path.abspath(parser.parse_args().smec)
    check_table()
    with tempfile.TemporaryDirectory() as folder:
        check_runs(smec, folder)
    sys.exit(1 if failures else 0)


main()
