#!/usr/bin/env python3
"""Local arrays in any number, in bodies and in functions that call one another, take little of a thread's stack."""
import os
import subprocess

from support import Tally, scratch, smec, write

STACK = 512  # KiB
WORDS = 15_000
ARRAYS = 12


def arrays(seed, inner):
    """Statements that fill arrays of 60,000 bytes each and add up an element of each; `inner`: what else is added."""
    lines = [f"    var x{k}: [{WORDS}]u32;" for k in range(ARRAYS)]
    lines += [f"    x{k}[({seed} + {k}) % {WORDS}] = {seed} * {2 * k + 1};" for k in range(ARRAYS)]
    return "\n".join(lines), " + ".join([f"x{k}[{seed} % {WORDS}]" for k in range(ARRAYS)] + inner)


def design():
    text, inner = "", []
    for name in ("deepest", "deeper", "deep"):
        body, total = arrays("a", inner)
        text += f"func {name}(a: u32): u32\n{{\n{body}\n    return u32({total});\n}}\n"
        inner = [f"{name}(u32(a + 1))"]
    body, total = arrays("s", ["deep(s)"])
    return text + f"""proc p(in a, out o)
    var s: u32 = 1;
{{
{body}
    s = u32({total} + a.v);
    o.v = s;
}}
network top()
{{
    bus b[2] {{ v: u32 = 1; }};
    instance p0 of p(b[1], b[0]);
    instance p1 of p(b[0], b[1]);
}}
"""


def main():
    tally = Tally()
    with scratch() as folder:
        write(folder, "arrays.sme", design())
        words = ["--cycles", "20", "--print", "p0.s", "--print", "p1.s", "--quiet"]
        _, expected, _ = smec("run", "--interpret", "arrays.sme", *words, cwd=folder)
        tally.check(len(expected.splitlines()) == 2, f"interpreted: {expected!r}")
        status, _, err = smec("compile", "arrays.sme", "-O1", "-o", "arrays", cwd=folder)
        tally.equal(status, 0, f"it compiles: {err}")
        for threads in ("1", "2"):
            run = subprocess.run(["sh", "-c", f'ulimit -s {STACK}; exec "$@"', "sh", os.path.join(folder, "arrays"), *words, "--threads", threads, "--oversubscribe"],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", check=False)
            tally.equal((run.returncode, run.stdout, run.stderr), (0, expected, ""), f"{threads} threads with stacks of {STACK} KiB")
    tally.end()


if __name__ == "__main__":
    main()
