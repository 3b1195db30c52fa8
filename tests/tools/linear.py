#!/usr/bin/env python3
"""Large sources take time in proportion to their size: families of programs, each of one construct many times over.

Each is of a size at which time that grows with the square of it would be half a minute and more, and has 8 seconds of processor time and 2 GiB. What is
compared is work, not speed: all of them take about a second."""
import os
import resource
import subprocess

from support import SMEC, Tally, scratch, write

SECONDS, BYTES = 8, 2 << 30
SHOWN = "network top() { exposed bus b { v: u32; }; instance i of p(b); }\n"
N = 32_000


def process(variables, body, before=""):
    return f"{before}proc p(out o)\n{variables}\n{{\n{body}\n    if (cycle() == 3) {{ stop; }}\n}}\n{SHOWN}"


def lines(text, n=N):
    """`text` for each number: # is the number, ## the next one, round about."""
    return "\n".join(text.replace("##", str((i + 1) % n)).replace("#", str(i)) for i in range(n))


def nested(depth, bound):
    return ("const N: uint = 2;\nproc p(out o) { o.v = 1; }\nnetwork top() {\n    bus b { v: u8; };\n    instance q of p(b);\n"
            + "".join(f"generate g_{i} = 0 until {bound} {{\n" for i in range(depth)) + "}" * depth + "}\n")


STRUCTS = "type t0: struct { a: u8; b: u8; };\n" + "".join(f"type t{i}: struct {{ a: t{i - 1}; b: t{i - 1}; }};\n" for i in range(1, 16))
FAMILIES = {
    "variables": process(lines("    var v#: u32 = #;"), lines("    v# = v## + 1;") + "\n    o.v = v0;"),
    "local variables": process("", "    var t0: u32 = cycle()[31:0];\n" + "\n".join(f"    var t{i}: u32 = t{i - 1} + 1;" for i in range(1, N)) + f"\n    o.v = t{N - 1};"),
    "conditions": process(lines("    var v#: u32;", N // 2), lines("    if (v# < #) { v# += 1; } else { v## = 3; }", N // 2) + "\n    o.v = v0;"),
    "elif": process("    var x: u32;", "    x = x * 5 + 1;\n    if (x == 0) { o.v = 1; }\n" + lines("    elif (x == # * 3 + 1) { o.v = #; }")),
    "members of an enum": process("    var s: e;", "    switch (s) {\n" + lines("    case M# { s = M##; o.v = #; }") + "\n    }",
                                  "enum e { " + lines("M#,").rstrip(",") + " };\n"),
    "members of a struct": process("    var s: t;", lines("    s.m# = s.m## + 1;") + "\n    o.v = s.m0;", "type t: struct {\n" + lines("    m#: u8;") + "\n};\n"),
    "leaves": process("    var s: t15; var r: t15;", f"    s{'.a' * 16} = s{'.b' * 16} + 1;\n    r = s;\n    o.v = r{'.a' * 16};", STRUCTS),
    "fields": ("proc p(out o) var n: u8;\n{\n    n += 1;\n" + lines("    o.x# = n;") + "\n}\nproc q(in o) var s: u8;\n{\n" + lines("    s = s + o.x#;")
               + "\n    if (cycle() == 3) { stop; }\n}\nnetwork top() {\n    bus b {\n" + lines("        x#: u8;") + "\n    };\n    instance i of p(b);\n    instance j of q(b);\n}\n"),
}
REFUSED = {
    "rounds of generates between literals": (nested(30, "2"), "source.sme:6:10: error: this generate has 2147483646 rounds, after 0 others; at most 100000000 are allowed"),
    "rounds of generates between constants": (nested(30, "N"), "source.sme:6:10: error: this generate has 2147483646 rounds, after 0 others; at most 100000000 are allowed"),
    "rounds behind an error": ("proc p(out o) { o.v = 1; }\nnetwork top() {\n    bus b { v: u8; };\n    generate g = 0 until 100000000 { instance q of p(b); }\n}\n",
                               "source.sme:4:47: error: instance 'q' is declared twice"),
    "rounds that depend on a round": (nested(30, "2").replace("g_29 = 0 until 2", "g_29 = 0 until g_28 + 1"), "this generate has 1073741822 rounds, after 0 others"),
}


def limited():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))


def compiled(folder, text):
    """Status and what was said; C++ is generated and not compiled."""
    write(folder, "source.sme", text)
    run = subprocess.run([SMEC, "compile", "--no-build", "--build-dir", os.path.join(folder, "build"), "source.sme"], cwd=folder, preexec_fn=limited,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", timeout=600, check=False)
    return run.returncode, run.stderr


def main():
    tally = Tally()
    for name, text in FAMILIES.items():
        with scratch() as folder:
            status, said = compiled(folder, text)
            tally.check(status == 0, f"{name}: {status} {said[-300:]}")
    for name, (text, wanted) in REFUSED.items():
        with scratch() as folder:
            status, said = compiled(folder, text)
            tally.check(status == 1 and wanted in said, f"{name}: {status} {said[-300:]}")
    # Rounds without an instance leave nothing behind.
    with scratch() as folder:
        status, said = compiled(folder, nested(21, "2") )
        tally.check(status == 0, f"2^21 rounds without an instance: {status} {said[-300:]}")
    tally.end()


main()
