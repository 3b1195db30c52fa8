#!/usr/bin/env python3
"""Things that are there twice take turns by one rule: `parityOf` (runtime/src/values/parity.h). Nobody else halves a number of cycles, activations or rounds.

    slots[cycle & 1]          which clock group's count is that? `slotsIn` (engine/slots.h) asks for the group
    words[phase % 2]          parityOf(phase)
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDERS = ["runtime/src", "contract/include"]
RULE = "runtime/src/values/parity.h"
COUNTS = re.compile(r"\b\w*(?:cycle|activation|round|phase|step|turn|count)\w*(?:\s*[+-]\s*1)?\)?\s*(?:&\s*1|%\s*2)\b(?!\s*[<>])", re.IGNORECASE)
SAMPLES = ["cycle & 1", "(worker.slots.cycle & 1) * n", "phase % 2", "(round + 1) & 1", "++round_ & 1", "activation_ % 2"]
OTHERS = ["values.size() % 2", "i % 2", "object & 1", "cycle & 15", "round % 20"]


def lines():
    for folder in FOLDERS:
        for path, _, names in os.walk(os.path.join(ROOT, folder)):
            for name in names:
                full = os.path.join(path, name)
                if os.path.relpath(full, ROOT) == RULE:
                    continue
                with open(full, encoding="utf-8") as f:
                    for number, line in enumerate(f, 1):
                        yield f"{os.path.relpath(full, ROOT)}:{number}", line.split("//")[0]


def main():
    assert all(COUNTS.search(text) for text in SAMPLES) and not any(COUNTS.search(text) for text in OTHERS)
    found = [f"{place}: {line.strip()}" for place, line in lines() if COUNTS.search(line)]
    for each in found:
        print(f"{each}\n    parity is parityOf's (values/parity.h)")
    print(f"{len(found)} other places of parity")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
