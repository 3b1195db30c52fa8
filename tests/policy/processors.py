#!/usr/bin/env python3
"""What code says that it may use of a processor (runtime/include/sme/processor.h), the runtime knows how to ask that processor for
(runtime/src/cli/processor.cpp): else a program refuses to start where it could run. Asked is clang, for each architecture, with much and little."""
import os
import re
import subprocess
import sys

ROOT = os.environ["SMEC_SOURCE_DIR"]
COMPILED = {
    "x86_64": ("--target=x86_64-linux-gnu", ["-march=x86-64"], ["-march=x86-64-v2"], ["-march=sapphirerapids"], ["-march=znver4"]),
    "aarch64": ("--target=aarch64-linux-gnu", ["-march=armv8-a"], ["-march=armv8.2-a+fp16+dotprod"], ["-mcpu=neoverse-v1"], ["-march=armv9-a"],
                ["-D__GCC_HAVE_SYNC_COMPARE_AND_SWAP_16=1"]),  # as clang from 20 on has it
}


def known():
    """By architecture, the names in the table of the runtime."""
    with open(os.path.join(ROOT, "runtime", "src", "cli", "processor.cpp"), encoding="utf-8") as file:
        tables = re.findall(r"kFeatures\[\] = \{(.*?)\};", file.read(), re.S)
    return dict(zip(COMPILED, (set(re.findall(r'\{"(\w+)"', table)) for table in tables)))


def said(*words):
    header = os.path.join(ROOT, "runtime", "include", "sme", "processor.h")
    shown = subprocess.run(["clang++-16", *words, "-E", "-P", header], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout
    text = "".join(re.findall(r'"([^"]*)"', shown))
    assert text.startswith("sme-processor:"), text
    return set(text.split()[1:])


def main():
    failed = 0
    tables = known()
    for name, (target, *flags) in COMPILED.items():
        counts = []
        for words in flags:
            names = said(target, *words)
            counts.append(len(names))
            if names - tables[name]:
                failed += 1
                print(f"FAILED: for {name} with {' '.join(words)} code may use {sorted(names - tables[name])}, which nobody can ask for")
        if max(counts) < 5:
            failed += 1
            print(f"FAILED: for {name} code names {counts} features")
    sys.exit(1 if failed else 0)


main()
