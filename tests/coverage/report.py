#!/usr/bin/env python3
"""Line coverage by folder, from a tracefile of lcov.

    report.py TRACEFILE ROOT UNCOVERED      prints a table of ROOT/compiler's folders; writes the lines that never ran to UNCOVERED
"""
import collections
import os
import sys


def counts(tracefile):
    """The runs of each line of each source, as {path: {line: count}}."""
    found, lines = {}, {}
    with open(tracefile, encoding="utf-8") as f:
        for record in f:
            key, _, value = record.rstrip("\n").partition(":")
            if key == "SF":
                lines = found.setdefault(value, {})
            elif key == "DA":
                line, count = value.split(",")[:2]
                lines[int(line)] = lines.get(int(line), 0) + int(count)
    return found


def uncovered(path, lines):
    """The lines of one source that never ran, with their text."""
    with open(path, encoding="utf-8") as f:
        text = f.read().split("\n")
    return [f"  {line:5}  {text[line - 1].strip()}" for line, count in sorted(lines.items()) if count == 0]


def share(covered, total):
    return f"{100 * covered / total:6.1f} %" if total else "     - "


def main():
    tracefile, root, listing = sys.argv[1:]
    compiler = os.path.join(root, "compiler")
    folders, parts = collections.defaultdict(lambda: [0, 0]), []
    for path, lines in sorted(counts(tracefile).items()):
        missing = uncovered(path, lines)
        folder = os.path.relpath(path, compiler).split(os.sep)[0]
        for tally in folders[folder], folders["compiler"]:
            tally[0] += len(lines) - len(missing)
            tally[1] += len(lines)
        if missing:
            parts.append(f"{os.path.relpath(path, root)}: {len(missing)} of {len(lines)}\n" + "\n".join(missing) + "\n")
    with open(listing, "w", encoding="utf-8") as f:
        f.write("\n".join(parts))
    total = folders.pop("compiler", [0, 0])
    print(f"{'folder':10} {'lines':>6} {'covered':>8}")
    for name, (covered, lines) in [*sorted(folders.items()), ("compiler", total)]:
        print(f"{name:10} {lines:6} {share(covered, lines)}")
    return 0 if total[1] else 1


if __name__ == "__main__":
    sys.exit(main())
