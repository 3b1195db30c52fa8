"""Asks the C++ compiler which loops of the homogeneous workloads it made vector code of.

A loop over instances is a function SME_LOOP, SME_LANES, SME_LONG_LANES or SME_CHECKS in a unit; the compiler's report names lines. Needs g++, whose report it reads.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

import workloads

# Designs, parameters, and the loops that are to be vector code. Others (where segments meet, bodies with loops of their own) are not.
EXPECTED = (
    (workloads.RING, {"n": 1000}, ("add_instances",)),
    (workloads.MESH, {"n": 32}, ("cell_instances",)),
    (workloads.SYSTOLIC, {"k": 16}, ("feed_instances", "mac_instances")),
    (workloads.COMB, {"n": 100, "depth": 10}, ("link_instances", "register_v_instances")),
    (workloads.MEMORY, {"n": 100, "m": 16}, ("mixer_instances",)),
    (workloads.IDLE, {"n": 100, "every": 2}, ("source_instances", "stage_instances")),
    (workloads.NOC, {"r": 8}, ("node_instances", "router_instances")),
    (workloads.WAITING, {"n": 100, "nap": 2}, ("sleeper_instances",)),
)
# The same of programs in bodies/, whose lanes go through branches, queues and states.
BODIES = (
    ("dma", {"n": 32}, ("engine_sure",)),
    ("lfsr", {"n": 512}, ("runs_instances",)),
    ("queues", {"n": 32}, ("node_sure",)),
)


def loopsOf(text):
    """Line of the loop -> name of the function. Of stages those that compute."""
    loops, name, before = {}, None, ""
    for number, line in enumerate(text.splitlines(), 1):
        if head := re.match(r"SME_(?:LOOP|LANES|LONG_LANES|CHECKS) \w+ (\w+)\(", line):
            name = head.group(1)
        if name and line.startswith("    for (u64 i = 0"):
            loops[number], name = name, None
        if name and line.startswith("        for (u64 i = first") and before.startswith("#pragma"):
            loops[number] = name
        before = line
    return loops


def vectorLines(unit, flags, folder):
    report = subprocess.run(f"g++ {flags} -fopt-info-vec-optimized -c {unit} -o unit.o", shell=True, cwd=folder, check=True,
                            capture_output=True, text=True).stderr
    return {int(line) for line in re.findall(r":(\d+):\d+: optimized: loop vectorized", report)}


def vectorised(smec, source, parameters):
    with tempfile.TemporaryDirectory() as folder:
        arguments = [word for name, value in parameters.items() for word in ("-G", f"{name}={value}")]
        subprocess.run([smec, "compile", source, "-q", "-o", "program", "--build-dir", "build", *arguments],
                       cwd=folder, check=True)
        build = os.path.join(folder, "build")
        with open(os.path.join(build, "build.ninja")) as file:
            flags = " ".join(line.split("=", 1)[1].strip() for line in file if line.startswith(("flags =", "own =")))
        found = set()
        for unit in sorted(os.listdir(build)):
            if not re.fullmatch(r"unit_.*\.cpp", unit):
                continue
            with open(os.path.join(build, unit)) as file:
                loops = loopsOf(file.read())
            vector = vectorLines(unit, flags, build)
            found |= set(loops.values()) - {name for line, name in loops.items() if line not in vector}
        return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--smec", required=True)
    options = parser.parse_args()
    bodies = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bodies")
    programs = [(design.name, workloads.sourceOf(design, "sme"), *rest) for design, *rest in EXPECTED]
    programs += [(name, os.path.join(bodies, name + ".sme"), *rest) for name, *rest in BODIES]
    missing = 0
    for name, source, parameters, expected in programs:
        found = vectorised(options.smec, source, parameters)
        for loop in expected:
            print(f"{name}: {loop}: {'vector code' if loop in found else 'NOT vector code'}")
            missing += loop not in found
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
