#!/usr/bin/env python3
"""./sme judge and the parts that the tests run: which part a seed names, what is run again, and how failures are told."""
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from sample import sampled  # noqa: E402

failures = []


def equal(got, wanted, what):
    if got != wanted:
        failures.append(f"{what}: {got!r} instead of {wanted!r}")


def judge(build, *words, seed=None):
    environment = {name: value for name, value in os.environ.items() if name not in ("SMEC_SAMPLE", "SMEC_JUDGE_SEED")}
    if seed is not None:
        environment["SMEC_JUDGE_SEED"] = seed
    p = subprocess.run([sys.executable, os.path.join(HERE, "judge.py"), "--build", build, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                       env=environment, check=False)
    return p.returncode, p.stdout


def add(build, name, script, whole=0, first=1, percent=2):
    """A judgement that writes what it was told into the file `runs` and then does as `script` says."""
    words = [sys.executable, "-c", f"import os, sys\nopen({os.path.join(build, 'runs')!r}, 'a').write(' '.join(sys.argv[1:]) + ' ' + os.environ.get('SMEC_SAMPLE', '-') + '\\n')\n{script}",
             "{count}", "{first}"]
    with open(os.path.join(build, "judgements", name + ".json"), "w", encoding="utf-8") as f:
        json.dump({"name": name, "whole": whole, "first": first, "percent": percent, "command": words}, f)


def runs(build):
    path = os.path.join(build, "runs")
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as f:
        lines = f.read().splitlines()
    os.unlink(path)
    return lines


def parts(build):
    add(build, "numbers", "print('tried')", whole=6000, first=100)
    add(build, "list", "print('tried')", percent=25)
    equal(judge(build, "--sample", "numbers")[0], 0, "a sample")
    equal(runs(build), ["120 100 -"], "that of seed 0 is the first one")
    _, first = judge(build, "--sample", "numbers", seed="7")
    _, second = judge(build, "--sample", "--seed", "7", "numbers")
    equal(first, second, "a seed names a part")
    one, two = runs(build)
    count, start, _ = one.split()
    equal((one, count), (two, "120"), "its numbers")
    equal(100 < int(start) <= 100 + 6000 - 120, True, f"where it starts: {start}")
    equal(f"120 of 6000, from {start} on, by seed 7" in first, True, f"it is told: {first}")
    judge(build, "--sample", "--seed", "3", "list")
    equal(runs(build), ["0 0 25:3"], "a list")
    equal(judge(build, "list", "numbers")[0], 0, "whole")
    equal(runs(build), ["0 1 -", "6000 100 -"], "whole")


def again(build):
    os.makedirs(os.path.join(build, "bin"), exist_ok=True)
    with open(os.path.join(build, "bin", "smec"), "w", encoding="utf-8") as f:
        f.write("1")
    add(build, "bad", "print('what was wrong'); sys.exit(3)", whole=10)
    status, out = judge(build)
    equal((status, len(runs(build))), (1, 3), "one fails")
    for text in ("bad (10 from 1): FAILED (status 3)", "what was wrong", "list (a list): passed", "1 failed"):
        equal(text in out, True, f"{text} in {out}")
    status, out = judge(build)
    equal((status, runs(build)), (1, ["10 1 -"]), "what passed is not run again")
    equal(judge(build, "num*")[0], 0, "a glob")
    equal(runs(build), ["6000 100 -"], "named, it runs again")
    _, out = judge(build, "--list")
    equal("bad" in out and "status 3, 0 s" in out and "passed, 0 s" in out, True, f"--list: {out}")
    os.utime(os.path.join(build, "bin", "smec"), (1, 1))
    judge(build)
    equal(len(runs(build)), 3, "another build runs all")
    equal(judge(build, "nothing"), (2, "sme judge: 'nothing' is no judgement; --list names them\n"), "no such name")
    equal(judge(build, "--sample", "bad")[0], 3, "the status of a sample is that of the test")


def lists():
    items = [f"item {i}" for i in range(200)]
    os.environ.pop("SMEC_SAMPLE", None)
    equal(sampled(items), items, "all of it")
    os.environ["SMEC_SAMPLE"] = "10:5"
    chosen = sampled(items)
    equal((len(chosen), chosen == sorted(chosen, key=items.index), sampled(items) == chosen), (20, True, True), "a part, in its order")
    equal(set(sampled(items + ["another"])) - set(chosen) <= {"another"} | set(items), True, "an item more")
    os.environ["SMEC_SAMPLE"] = "10:6"
    equal(sampled(items) != chosen, True, "another seed")
    equal(len(sampled(["one"])), 1, "never nothing")
    del os.environ["SMEC_SAMPLE"]


with tempfile.TemporaryDirectory(prefix="sme-judge-") as folder:
    equal(judge(folder)[0], 2, "a folder without judgements")
    os.mkdir(os.path.join(folder, "judgements"))
    parts(folder)
    again(folder)
lists()
print("\n".join(failures) or "passed")
sys.exit(1 if failures else 0)
