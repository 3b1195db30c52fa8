#!/usr/bin/env python3
"""Broken programs: `smec check` must answer them with diagnostics, whatever they are.

    mangle.py [--smec PATH] [--seed N] [--count N] [--minutes M] [--keep DIR] FILE_OR_FOLDER...

Each seed takes one of the programs and damages it: tokens dropped, doubled, swapped or taken from another program, literals made huge, the
end cut off, bytes replaced, brackets nested deeply. The check must end within 10 s and 1 GiB with status 0, 1 or 4, never by a signal,
and with status 1 or 4 it must print an error. A finding is made smaller (lines, then tokens) and written to --keep.
"""
import argparse
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

SECONDS, BYTES = 10, 1 << 30
TOKEN = re.compile(rb"\s+|//[^\n]*|/\*.*?\*/|[A-Za-z_][A-Za-z_0-9]*|\d[\w.]*|\"[^\"\n]*\"|<<=|>>=|[-+*&|^<>=!]=|&&|\|\||<<|>>|.", re.S)
HUGE = [b"0", b"1", b"-1", b"18446744073709551616", b"999999999999999999999999999", b"0x" + b"F" * 40, b"1e999", b"65536", b"65537",
        b"4294967295", b"9" * 5000, b"u999999999", b"i0", b"u0", b"1_", b"0b2", b"1000000000000"]
WORDS = [b"(", b")", b"[", b"]", b"{", b"}", b";", b":", b",", b".", b"=", b"?", b"'U", b"_", b"in", b"out", b"const", b"proc", b"network", b"bus",
         b"generate", b"if", b"else", b"for", b"while", b"switch", b"case", b"default", b"wait", b"until", b"to", b"type", b"struct", b"enum",
         b"func", b"var", b"hold", b"delay", b"flip", b"exposed", b"extern", b"import", b"from", b"instance", b"of", b"return", b"break",
         b"trace", b"assert", b"true", b"async", b"sim", b"sync", b"u8", b"i4", b"bool", b"f32", b"uint", b"range", b"cycle", b"len", b"cat",
         b"rep", b"type(", b"x[*]", b"<<", b">>", b"/", b"%", b"~", b"-", b"!", b"\"", b"/*", b"*/", b"__", b"\\"]


class Mangler:
    def __init__(self, rng, programs):
        self.rng, self.programs = rng, programs

    def make(self):
        text = self.rng.choice(self.programs)
        for _ in range(self.rng.choice((1, 1, 1, 2, 3, 8))):
            text = self.rng.choice((self.drop, self.drop, self.double, self.swap, self.replace, self.replace, self.insert, self.number, self.number,
                                    self.splice, self.cut, self.junk, self.nest, self.lines, self.rename))(text)
            if len(text) > 200000:
                text = text[:200000]
        return text

    def tokens(self, text):
        return TOKEN.findall(text) or [b" "]

    def span(self, tokens):
        start = self.rng.randrange(len(tokens))
        return start, min(len(tokens), start + self.rng.choice((1, 1, 1, 2, 3, 10, 40)))

    def drop(self, text):
        tokens = self.tokens(text)
        start, end = self.span(tokens)
        return b"".join(tokens[:start] + tokens[end:])

    def double(self, text):
        tokens = self.tokens(text)
        start, end = self.span(tokens)
        times = self.rng.choice((2, 2, 3, 50, 1000))
        return b"".join(tokens[:start] + tokens[start:end] * times + tokens[end:])

    def swap(self, text):
        tokens = self.tokens(text)
        i, j = self.rng.randrange(len(tokens)), self.rng.randrange(len(tokens))
        tokens[i], tokens[j] = tokens[j], tokens[i]
        return b"".join(tokens)

    def replace(self, text):
        tokens = self.tokens(text)
        i = self.rng.randrange(len(tokens))
        tokens[i] = self.rng.choice(WORDS) if self.rng.random() < 0.5 else self.rng.choice(tokens)
        return b"".join(tokens)

    def insert(self, text):
        tokens = self.tokens(text)
        tokens.insert(self.rng.randrange(len(tokens) + 1), b" " + self.rng.choice(WORDS) + b" ")
        return b"".join(tokens)

    def number(self, text):
        """A number anywhere becomes a nasty one."""
        tokens = self.tokens(text)
        numbers = [i for i, t in enumerate(tokens) if t[:1].isdigit() or re.fullmatch(rb"[ui]\d+", t)]
        if not numbers:
            return self.insert(text)
        tokens[self.rng.choice(numbers)] = self.rng.choice(HUGE)
        return b"".join(tokens)

    def rename(self, text):
        """One name becomes another of the same program, everywhere."""
        names = sorted(set(re.findall(rb"\b[A-Za-z_]\w*\b", text)))
        if len(names) < 2:
            return text
        old, new = self.rng.sample(names, 2)
        return re.sub(rb"\b" + old + rb"\b", new, text)

    def splice(self, text):
        other = self.tokens(self.rng.choice(self.programs))
        start, end = self.span(other)
        tokens = self.tokens(text)
        i = self.rng.randrange(len(tokens))
        return b"".join(tokens[:i] + other[start:end] + tokens[i:])

    def cut(self, text):
        at = self.rng.randrange(len(text) + 1)
        return text[:at] if self.rng.random() < 0.7 else text[at:]

    def junk(self, text):
        data = bytearray(text or b" ")
        for _ in range(self.rng.choice((1, 4, 50))):
            data[self.rng.randrange(len(data))] = self.rng.randrange(256)
        return bytes(data)

    def nest(self, text):
        tokens = self.tokens(text)
        i = self.rng.randrange(len(tokens))
        depth = self.rng.choice((10, 300, 5000, 30000))
        opening, closing = self.rng.choice(((b"(", b")"), (b"[", b"]"), (b"{", b"}"), (b"-", b""), (b"!", b""), (b"1 + ", b""), (b"a[", b"]"),
                                            (b"if (true) {", b"}"), (b"c ? a : ", b"")))
        tokens[i] = opening * depth + tokens[i] + closing * (depth if self.rng.random() < 0.8 else depth // 2)
        return b"".join(tokens)

    def lines(self, text):
        lines = text.split(b"\n")
        self.rng.shuffle(lines)
        return b"\n".join(lines)


def limits():
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def problem(smec, text, scratch):
    """What is wrong with the answer to this program, or an empty text."""
    path = os.path.join(scratch, "mangled.sme")
    with open(path, "wb") as f:
        f.write(text)
    try:
        p = subprocess.run([smec, "check", "mangled.sme"], cwd=scratch, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                           timeout=SECONDS, preexec_fn=limits)
    except subprocess.TimeoutExpired:
        return f"no answer within {SECONDS} s"
    if p.returncode < 0:
        return f"signal {-p.returncode}"
    if p.returncode not in (0, 1, 4):
        found = re.search(rb"error: ([^\n]*)", p.stderr)
        text = re.sub(r"'[^']*'|\d+", "_", found.group(1).decode("utf-8", "replace")) if found else ""
        return f"status {p.returncode} {text}".strip()
    if p.returncode and b"error" not in p.stderr:
        return f"status {p.returncode} without an error"
    return ""


def smaller(text, fails, seconds):
    """Drops lines, then tokens, while fails(text) holds."""
    end = time.time() + seconds
    for split in (lambda t: re.split(rb"(?<=\n)", t), TOKEN.findall):
        parts = split(text)
        run = max(len(parts) // 2, 1)
        while run and time.time() < end:
            i = 0
            while i < len(parts) and time.time() < end:
                rest = parts[:i] + parts[i + run:]
                if fails(b"".join(rest)):
                    parts = rest
                else:
                    i += run
            run //= 2
        text = b"".join(parts)
    return text


def programs(paths):
    found = []
    for path in paths:
        names = [path] if os.path.isfile(path) else sorted(os.path.join(folder, n) for folder, _, files in os.walk(path) for n in files
                                                           if n.endswith(".sme"))
        for name in names:
            with open(name, "rb") as f:
                found.append(f.read())
    return found


def main():
    parser = argparse.ArgumentParser(description="check that broken programs are answered with diagnostics")
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--smec", default=os.environ.get("SMEC", "smec"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int)
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--keep", default="findings", metavar="DIR")
    parser.add_argument("--shrink", type=float, default=60, metavar="SECONDS")
    options = parser.parse_args()
    if options.count is None and options.minutes is None:
        options.count = 1000
    smec, keep = shutil.which(options.smec) or os.path.abspath(options.smec), os.path.abspath(options.keep)
    corpus = programs(options.paths)
    if not corpus or not os.path.exists(smec):
        parser.error("no program to damage" if not corpus else f"no compiler at '{smec}'")
    scratch = tempfile.mkdtemp(prefix="sme-mangle-")
    start, seed, kinds = time.time(), options.seed, {}
    try:
        while (options.count is None or seed < options.seed + options.count) and \
                (options.minutes is None or time.time() - start < options.minutes * 60):
            text = Mangler(random.Random(seed), corpus).make()
            found = problem(smec, text, scratch)
            if found:
                kinds[found] = kinds.get(found, 0) + 1
            if found and kinds[found] <= 2:
                text = smaller(text, lambda t: problem(smec, t, scratch) == found, options.shrink)
                os.makedirs(keep, exist_ok=True)
                name = os.path.join(keep, f"mangled_{seed}.sme")
                with open(name, "wb") as f:
                    f.write(text)
                print(f"FINDING {name}: {found}", flush=True)
            seed += 1
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    print(f"{seed - options.seed} programs, {sum(kinds.values())} findings; next seed {seed}; {time.time() - start:.0f} s")
    return 1 if kinds else 0


if __name__ == "__main__":
    sys.exit(main())
