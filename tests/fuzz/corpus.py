#!/usr/bin/env python3
"""The fuzzer's corpus: one packed text file here, one file an input for libFuzzer.

    corpus.py pack DIR FILE        every file of DIR as a line of FILE, the shortest first
    corpus.py unpack FILE DIR      the other way round
    corpus.py seeds DIR PATH...    the programs below the paths, and the examples in *.md, without their comments

In a line, \\n is an end of line, \\\\ a backslash and \\x00 any byte that is no printable ASCII.
"""
import hashlib
import os
import re
import sys


def packed(content):
    parts = []
    for byte in content:
        c = chr(byte)
        parts.append("\\n" if c == "\n" else "\\\\" if c == "\\" else c if 32 <= byte < 127 else f"\\x{byte:02x}")
    return "".join(parts)


def unpacked(line):
    def byte(match):
        kind = match.group(1)
        return bytes([10]) if kind == b"n" else b"\\" if kind == b"\\" else bytes([int(kind[1:], 16)])
    return re.sub(rb"\\(n|\\|x[0-9a-f]{2})", byte, line.encode("ascii"))


def files(folder):
    for parent, _, names in os.walk(folder):
        for name in sorted(names):
            yield os.path.join(parent, name)


def read(path):
    with open(path, "rb") as f:
        return f.read()


def store(folder, content):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, hashlib.sha1(content).hexdigest()), "wb") as f:
        f.write(content)


def pack(folder, target):
    lines = sorted({packed(read(path)) for path in files(folder)}, key=lambda line: (len(line), line))
    with open(target, "w", encoding="ascii") as f:
        f.write("".join(line + "\n" for line in lines))
    print(f"{len(lines)} inputs, {os.path.getsize(target)} bytes")


def unpack(source, folder):
    with open(source, encoding="ascii") as f:
        for line in f:
            store(folder, unpacked(line.rstrip("\n")))


def seeds(folder, paths):
    for path in (p for root in paths for p in ([root] if os.path.isfile(root) else files(root))):
        content = read(path)
        if path.endswith(".md"):
            for block in re.findall(rb"^ *```sme\n(.*?)^ *```", content, re.S | re.M):
                store(folder, block)
        elif path.endswith(".sme"):
            store(folder, re.sub(rb"[ \t]*//[^\n]*", b"", content))


def main():
    commands = {"pack": (pack, 2), "unpack": (unpack, 2)}
    if len(sys.argv) > 3 and sys.argv[1] == "seeds":
        seeds(sys.argv[2], sys.argv[3:])
    elif len(sys.argv) == 4 and sys.argv[1] in commands:
        commands[sys.argv[1]][0](*sys.argv[2:])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
