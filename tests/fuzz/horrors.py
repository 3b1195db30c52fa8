#!/usr/bin/env python3
"""Programs meant to break the compiler: each ends in a clear diagnostic, or is accepted, with bounded time and memory.

    horrors.py [--smec PATH] [--only GLOB] [--table] [--keep DIR]

A horror is a function below that returns what to run and what to expect. It runs under 20 s of processor time and 2 GiB of address space; what
it really takes stands in the table (--table), which is to stay below 2 s and 1 GiB. The exit status is 0, 1 or 4; with 1 and 4 an error is printed.
"""
import argparse
import collections
import fnmatch
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "judge"))
from sample import sampled  # noqa: E402

CPU_SECONDS, ADDRESS_BYTES, OUTPUT_BYTES = 20, 2 << 30, 1 << 20
# `says`: in standard error, or empty: accepted. `commands`: each is run on main.sme. `files`: what stands beside it.
Horror = collections.namedtuple("Horror", "text says commands files", defaults=("", ["check"], {}))
WHOLE = ["compile --no-build"]  # what is checked, and all that follows
Figures = collections.namedtuple("Figures", "status seconds mebibytes errors")


def inProcess(statements, declarations=""):
    return f"proc p()\n{declarations}\n{{\n{statements}\n}}\nnetwork top() {{ instance _ of p(); }}\n"


# ---------------------------------------------------------------- text

def junk(size):
    return random.Random(1).randbytes(size)


def lexical():
    yield "junk", Horror(junk(1 << 20), "[bad-byte]")
    yield "junk_formatted", Horror(junk(1 << 20), "[bad-byte]", ["fmt --check"])
    yield "nul_bytes", Horror(b"\0" * (1 << 20), "[control-character]")
    yield "nul_in_a_string", Horror(b'proc p() { trace("a\0b"); }', "error")
    yield "byte_order_mark", Horror(b"\xef\xbb\xbfconst a: u8 = 1;\n")
    yield "byte_order_mark_later", Horror(b"const a: u8 = \xef\xbb\xbf1;\n", "error")
    yield "utf16", Horror("const a: u8 = 1;\n".encode("utf-16"), "error")
    yield "bad_utf8_in_texts", Horror(b'// \xff\xfe\nproc p() { trace("\xc0\xaf \xed\xa0\x80"); } /* \xf5 */\n', "[bad-byte]")
    yield "empty", Horror(b"")
    yield "line_of_spaces", Horror(b" " * 10_000_000)
    yield "line_of_comment", Horror(b"//" + b"x" * 10_000_000)
    yield "line_of_one_name", Horror(b"const x: u8 = " + b"a" * 10_000_000 + b";", "error")
    yield "line_of_digits", Horror(b"const x = " + b"9" * 10_000_000 + b";", "[integer-too-large]")
    yield "line_of_fraction", Horror(b"const x: f64 = 1." + b"9" * 10_000_000 + b"e-999999999;")
    yield "line_of_exponent", Horror(b"const x: f64 = 1e" + b"9" * 10_000_000 + b";", "error")
    yield "line_of_text", Horror(b'proc p() { trace("' + b"x" * 10_000_000 + b'"); } network top() { instance _ of p(); }', "", WHOLE)
    yield "line_of_tabs_and_an_error", Horror(b"\t" * 1_000_000 + b"@", "error")
    yield "wide_characters_and_an_error", Horror("const a = 1; /* ".encode() + "\u00e9\u4e2d".encode() * 500_000 + b"*/ @", "error")
    yield "unclosed_comment", Horror(b"/*" + b"*" * 10_000_000, "error")
    yield "unclosed_text", Horror(b'const x = "' + b"\\" * 10_000_000, "[unclosed-string]")
    yield "a_million_lines", Horror(b"\n" * 10_000_000 + b"@", "error")


def syntactic():
    deep = "[nesting-too-deep]"
    for name, opening, closing in (("parentheses", "(", ")"), ("brackets", "[", "]"), ("calls", "f(", ")"), ("signs", "-", ""), ("choices", "a ? b : ", ""),
                                   ("indices", "a[", "]")):
        text = f"const x: u8 = {opening * 100_000}1{closing * 100_000};\n"
        yield "nested_" + name, Horror(text, deep, ["check", "fmt --check"])
    yield "nested_ifs", Horror(inProcess("if (true) {" * 100_000 + "}" * 100_000), deep)
    yield "nested_blocks", Horror(inProcess("{" * 100_000 + "}" * 100_000), deep)
    yield "nested_generates", Horror("network top() {" + "generate if (true) {" * 100_000 + "}" * 100_000 + "}", deep)
    yield "nested_arrays", Horror("const x: " + "[1]" * 100_000 + "u8 = 1;", deep)
    yield "deepest_that_is_allowed", Horror(inProcess("x = " + "(1 + " * 240 + "x" + ")" * 240 + " & 255;" + "if (x == 1) {" * 200 + "}" * 200, "var x: u64;"),
                                            "", WHOLE)
    yield "choices_10_000", Horror(inProcess("x = " + "".join(f"x == {i} ? {i + 1} : " for i in range(10_000)) + "0;", "var x: u32;"), deep, WHOLE)
    yield "only_closing", Horror("}" * 1_000_000, "error")
    yield "errors", Horror("const x = ;\n" * 100_000, "error")
    yield "errors_in_json", Horror("const x = ;\n" * 100_000, "error", ["check --diagnostics=json"])
    yield "errors_without_limit", Horror(inProcess("y = 1;\n" * 100_000), "many errors", ["check --error-limit 100000"])
    yield "unknown_names_without_limit", Horror(inProcess("".join(f"y{i} = 1;\n" for i in range(50_000))), "many errors", ["check --error-limit 100000"])
    yield "chain_of_operators", Horror(inProcess("x = x" + " + x" * 100_000 + ";", "var x: u32;"), "", WHOLE)
    yield "chain_of_comparisons", Horror(inProcess("b = b" + " == b" * 50_000 + ";", "var b: bool;"), "", WHOLE)
    yield "chain_of_constants", Horror("const x: uint = 0" + " + 1" * 100_000 + ";\n", "")
    yield "chain_of_elifs", Horror(inProcess("if (x == 0) { x = 1; } " + "elif (x == 1) { x = 2; } " * 20_000, "var x: u32;"), "", WHOLE)
    yield "cases", Horror(inProcess("switch x { " + "".join(f"case {i} {{ x = 1; }} " for i in range(50_000)) + "default { } }", "var x: u32;"), "", WHOLE)
    yield "case_twice", Horror(inProcess("switch x { " + "case 7 { } " * 50_000 + "}", "var x: u32;"), "error")
    yield "statements", Horror(inProcess("x = x + 1;\n" * 100_000, "var x: u32;"), "", WHOLE)
    yield "tokens_without_end", Horror("const x = [" + "1," * 2_100_000 + "1];", "tokens")


# ---------------------------------------------------------------- numbers and types

def numeric():
    for name, width in (("999999999", "u999999999"), ("0", "u0"), ("30_digits", "i" + "9" * 30)):
        yield "width_" + name, Horror(f"const x: {width} = 0;\n", "error")
    yield "width_computed", Horror("const x: u(1 << 60) = 0;\n", "error")
    yield "widest", Horror(inProcess("x = x * x + ~x; x = (x * x * x) >> 7; x[65535:1] = x[65534:0]; trace(\"{} {:x} {:b}\", x, x, x);", "var x: u65536 = 3;"), "error", WHOLE)
    yield "widest_that_runs", Horror(inProcess("x = x + 1; trace(\"{:x}\", x);", "var x: u65536 = 3;"), "", WHOLE)
    yield "shift_constant", Horror("const x: uint = 1 << 1000000000;\n", "error")
    yield "shift_by_huge", Horror("const x: uint = 1 << (1 << 64);\n", "error")
    yield "shift_back_by_huge", Horror("const x: uint = 1 >> (1 << 64);\n")
    yield "shift_in_process", Horror(inProcess("x = x << 1000000000000; x = x >> (1 << 70); y = (x << y) >> y;", "var x: u32; var y: u64;"), "error", WHOLE)
    yield "squares", Horror("const a0: uint = 3;\n" + "".join(f"const a{i}: uint = a{i - 1} * a{i - 1};\n" for i in range(1, 60)), "error")
    yield "repeated", Horror(inProcess("x = rep(x, 1000000000000);", "var x: u32;"), "error")
    yield "repeated_again", Horror(inProcess("x = rep(rep(rep(x, 2000), 2000), 2000);", "var x: u32;"), "error")
    yield "joined", Horror(inProcess("x = u32(cat(" + "x, " * 60_000 + "x));", "var x: u1;"), "error")
    yield "slice_outside", Horror(inProcess("x = x[1000000000000:0];", "var x: u32;"), "error")
    yield "index_outside", Horror(inProcess("x = a[1 << 200];", "var x: u32; var a: [4]u32;"), "error")
    yield "placeholder_width", Horror(inProcess('trace("{:99999999999999999999d}", 1);'), "error")
    yield "placeholders", Horror(inProcess('trace("' + "{}" * 50_000 + '"' + ", 1" * 50_000 + ");"), "", WHOLE)
    yield "array_of_10_12", Horror(inProcess("", "var x: [1000000000000]u8;"), "[array-too-large]")
    yield "array_of_arrays", Horror(inProcess("", "var x: [100000][100000][100000]u8;"), "[array-too-large]")
    yield "array_of_a_million", Horror(inProcess("x[i] = x[i + 1]; i += 1;", "var x: [1000000]u32 = 7; var i: u32;"), "", WHOLE)
    yield "largest_array", Horror(inProcess("x[i] = 1; i += 1;", "var x: [16777216]u8; var i: u32;"), "any", WHOLE)
    yield "largest_arrays", Horror(inProcess("x[i] = 1; i += 1;", "".join(f"var x{k}: [16777216]u8 = {k};" for k in range(20)) + "var x: [16777216]u8; var i: u32;"),
                                   "any", WHOLE)
    yield "largest_words", Horror(inProcess("x0[i] = 1; i += 1;", "".join(f"var x{k}: [16777216]u64;" for k in range(20)) + "var i: u32;"), "any", WHOLE)
    constants = "".join(f"const c{k}: [16777216]u64 = {k};\n" for k in range(3))
    yield "largest_constants", Horror(constants + inProcess("s += c0[i] + c1[i] + c2[i]; i += 1;", "var s: u64; var i: u32;"), "", WHOLE)
    yield "largest_structs", Horror("type t: struct { a: [8388608]u64; b: [524288][16]bool; };\n" +
                                    inProcess("x = y; x.a[i] = 1; y = x; i += 1;", "var x: t; var y: t; var i: u32;"), "", WHOLE)
    yield "largest_fields", Horror("proc p(out o) { o.x[3] = 1; }\nproc q(in i) { trace(\"{}\", i.x[3]); }\n"
                                   "network top() { bus b { x: [16777216]u64; }; instance a of p(b); instance c of q(b); }\n", "",
                                   WHOLE + ["run --interpret --cycles 2"])
    yield "largest_argument", Horror("func f(a: [16777216]u64): [16777216]u64\nvar r: [16777216]u64;\n{ r = a; r[2] = a[1] + 1; return r; }\n" +
                                     inProcess("x = f(x);", "var x: [16777216]u64;"), "", WHOLE + ["run --interpret --cycles 2 --quiet"])
    words = "".join(f"{i:x}\n" for i in range(4_194_304))
    yield "data_of_many_words", Horror('const c: [16777216]u64 = file("d.hex");\n' + inProcess("x += c[i]; i += 1;", "var x: u64; var i: u32;"), "", WHOLE,
                                       {"d.hex": words[:len(words) // 4]})
    yield "data_of_too_many_words", Horror('const c: [16777216]u64 = file("d.hex");\n', "more than 4194304 words", ["check"], {"d.hex": words + "0\n"})
    yield "function_that_fills_a_table", Horror("const n: uint = 1000000;\nfunc f(): [n]u32\nvar r: [n]u32;\n{ for i = 0 to n - 1 { r[i] = u32(i) * 3; } return r; }\n"
                                                "const c: [n]u32 = f();\n" + inProcess("x = c[i]; i += 1;", "var x: u32; var i: u32;"), "any", WHOLE)
    memory = "proc p() var m: [1000000]u8; var i: u32; { m[i] = 1; i = i + 1000; }\n"
    yield "memories_that_nobody_touches", Horror(memory + "network top() { generate k = 0 until 3000 { instance s[k] of p(); } }\n", "",
                                                 ["run --interpret --quiet --cycles 3"])
    yield "literal_of_a_million", Horror("const x: [1000000]u32 = [" + "7, " * 999_999 + "7];\n")
    yield "struct_doubling", Horror("type s0: struct { x: u8; };\n" + "".join(f"type s{i}: struct {{ a: s{i - 1}; b: s{i - 1}; }};\n" for i in range(1, 80)) +
                                    inProcess("", "var v: s79;"), "error")
    yield "struct_in_itself", Horror("type a: struct { x: b; };\ntype b: struct { x: [2]a; };\n", "error")
    yield "aliases", Horror("type a0: u8;\n" + "".join(f"type a{i}: a{i - 1};\n" for i in range(1, 20_000)) + inProcess("", "var v: a19999;"))
    yield "aliases_backwards", Horror("".join(f"type a{i}: a{i + 1};\n" for i in range(20_000)) + "type a20000: u8;\n" + inProcess("", "var v: a0;"), "any")
    yield "alias_of_itself", Horror("type a: b;\ntype b: a;\n", "error")
    yield "constants_backwards", Horror("".join(f"const a{i}: uint = a{i + 1} + 1;\n" for i in range(20_000)) + "const a20000: uint = 1;\n", "any")
    yield "constant_of_itself", Horror("const a: uint = b + 1;\nconst b: uint = a + 1;\n", "error")
    yield "members", Horror("enum e { " + "".join(f"m{i}, " for i in range(100_000)) + "last };\n" + inProcess("x = m5;", "var x: e;"), "", WHOLE)
    yield "member_twice", Horror("enum e { " + "m, " * 50_000 + "m };\n", "error")
    yield "delay", Horror("proc p(in x, out y) { y.v = x.v; }\nnetwork top() { delay 1000000000000 bus b { v: u8; }; instance _ of p(b, b); }\n", "error")
    yield "wait", Horror(inProcess("wait 1000000000000000000000000;"), "any", WHOLE)


# ---------------------------------------------------------------- constant evaluation and functions

def evaluated():
    def function(body, declarations="", type_="u64"):
        return f"func f(x: {type_}): {type_} {{ {declarations} {body} return x; }}\n"
    endless = "var n: u8 = 0; while (n != 1) { n = n + 2; "
    yield "endless_loop", Horror(function(endless + "}") + "const x: u64 = f(1);\n", "[constant-steps]")
    yield "endless_wide_loop", Horror(function("var n: u8 = 0; var y: u32768; while (n != 1) { n = n + 2; x = x * 3 + 1; y = x * x / (x / 7 + 1); }", type_="u32768") +
                                      "const x: u32768 = f(1);\n", "[constant-steps]")
    yield "endless_copies", Horror(function("var a: [1000000]u8; var b: [1000000]u8; var n: u8 = 0; while (n != 1) { n = n + 2; a = b; b = a; }") +
                                   "const x: u64 = f(1);\n", "[constant-steps]")
    yield "endless_declarations", Horror(function("var n: u8 = 0; while (n != 1) { n = n + 2; var a: [2000000]u8; }") + "const x: u64 = f(1);\n", "[constant-steps]")
    yield "endless_constants", Horror(function(endless + "}") + "".join(f"const x{i}: u64 = f({i});\n" for i in range(200)), "[constant-steps]")
    yield "endless_calls", Horror(function(endless + "}") + inProcess("".join(f"v = f({i});\n" for i in range(2_000)), "var v: u64;"), "any")
    yield "calls_doubling", Horror("func call_0(x: u8): u8 { return x + 1; }\n" + "".join(f"func call_{i}(x: u8): u8 {{ return call_{i - 1}(x) + call_{i - 1}(x + 1); }}\n"
                                   for i in range(1, 60)) + "const x: u8 = call_59(1);\n", "[constant-steps]")
    yield "calls_doubling_in_process", Horror("func call_0(x: u8): u8 { return x + 1; }\n" + "".join(f"func call_{i}(x: u8): u8 {{ return call_{i - 1}(x) + call_{i - 1}(x + 1); }}\n"
                                              for i in range(1, 60)) + inProcess("v = call_59(v);", "var v: u8;"), "any", WHOLE)
    yield "calls_nested", Horror("func call_0(x: u8): u8 { return x + 1; }\n" + "".join(f"func call_{i}(x: u8): u8 {{ return call_{i - 1}(x); }}\n"
                                 for i in range(1, 5000)) + "const c: u8 = call_4999(1);\n" + inProcess("v = call_4999(v);", "var v: u8;"), "any", WHOLE)
    yield "calls_nested_backwards", Horror("".join(f"func call_{i}(x: u8): u8 {{ return call_{i + 1}(x); }}\n" for i in range(5000)) +
                                           "func call_5000(x: u8): u8 { return x; }\n" + inProcess("v = call_0(v);", "var v: u8;"), "any", WHOLE)
    yield "function_of_itself", Horror("func f(x: u8): u8 { return g(x); }\nfunc g(x: u8): u8 { return f(x); }\nconst x: u8 = f(1);\n", "error")
    yield "loop_of_10_18", Horror(inProcess("for i = 0 to 1000000000000000000 { x = x + i; }", "var x: u64;"), "", WHOLE)
    yield "loops_over_array_port", Horror("proc p([] out y) { for i = 0 to 1000000000 { y[i].v = 1; } }\nnetwork top() { bus b[4] { v: u8; }; instance _ of p(b); }\n",
                                          "any", WHOLE)
    yield "loops_over_array_port_often", Horror("proc p([] out y) { for i = 0 until 90000 {" + "y[i].v = 1;" * 2000 +
                                                "} }\nnetwork top() { bus b[90000] { v: u8; }; instance _ of p(b); }\n", "any", WHOLE)
    yield "loops_nested", Horror(inProcess("".join(f"for at_{k} = 0 to 1000 {{ " for k in range(100)) + "x = x + 1;" + "}" * 100, "var x: u64;"), "", WHOLE)
    yield "while_true", Horror(inProcess("while (true) { x = x + 1; }", "var x: u64;"), "error")
    yield "waits", Horror(inProcess("x = x + 1; wait; if (x > 3) { wait until (x == 1); }\n" * 3000, "var x: u64;"), "", WHOLE)


# ---------------------------------------------------------------- networks

EMPTY = "proc q() { }\n"


def structural():
    yield "generate_10_12", Horror(EMPTY + "network top() { generate i = 0 to 1000000000000 { instance s[i] of q(); } }\n", "[generate-too-large]")
    yield "generate_10_100", Horror(EMPTY + f"network top() {{ generate i = {10 ** 100} to {10 ** 100 + 3} {{ instance s[i] of q(); }} }}\n", "error")
    yield "generate_squared", Horror(EMPTY + "network top() { generate i = 0 to 1000000 { generate k = 0 to 1000000 { instance _ of q(); } } }\n", "error")
    yield "generate_empty_squared", Horror(EMPTY + "network top() { generate i = 0 to 100000 { generate k = 0 to 100000 { } } }\n", "any")
    yield "instances", Horror(EMPTY + "network top() { generate i = 0 until 1000000 { instance s[i] of q(); } }\n", "", WHOLE)
    yield "instances_declared", Horror(EMPTY + "network top() { " + "instance _ of q();\n" * 100_000 + "}\n", "", WHOLE)
    yield "networks_doubling", Horror(EMPTY + "network n0() { instance _ of q(); }\n" + "".join(f"network n{i}() {{ instance _ of n{i - 1}(); instance _ of n{i - 1}(); }}\n"
                                      for i in range(1, 60)), "any")
    yield "networks_nested", Horror(EMPTY + "network n0(in a, out b) { instance _ of r(a, b); }\nproc r(in x, out y) { y.v = x.v; }\n" +
                                    "".join(f"network n{i}(in a, out b) {{ instance _ of n{i - 1}(a, b); }}\n" for i in range(1, 20_000)) +
                                    "network top() { bus a { v: u8; }; bus b { v: u8; }; instance _ of n19999(a, b); }\n", "", WHOLE)
    yield "network_of_itself", Horror("network a() { instance _ of b(); }\nnetwork b() { instance _ of a(); }\n", "error")
    yield "network_of_itself_by_parameter", Horror("network top(const n: uint = 0) { instance _ of top(n + 1); instance _ of top(n + 2); }\n", "error")
    yield "specialisations", Horror("proc p(const n: uint) var x: u(n); { x = x + 1; }\nnetwork top() { generate i = 1 to 20000 { instance s[i] of p(i); } }\n", "")
    yield "specialisations_too_wide", Horror("proc p(const n: uint) var x: u(n * n); { x = x + 1; }\nnetwork top() { generate i = 1 to 2000 { instance s[i] of p(i); } }\n",
                                             "error")
    yield "errors_in_instances", Horror("proc p(const n: uint) var x: u(n); { x = u65000(7); y = 1; }\nnetwork top() { generate i = 1 to 5000 { instance s[i] of p(i); } }\n", "error")
    yield "bus_of_10_12", Horror("proc p(in x) { }\nnetwork top() { bus b[1000000000000] { v: u8; }; instance _ of p(b[0]); }\n", "error")
    yield "bus_of_a_million", Horror("proc p([] in x) { }\nnetwork top() { bus b[1000000] { v: u8; }; instance _ of p(b); }\n", "any", WHOLE)
    yield "fields", Horror("proc p(out y) { y.f_7 = 1; }\nnetwork top() { bus b { " + "".join(f"f_{i}: u8; " for i in range(50_000)) + "}; instance _ of p(b); }\n", "warning", WHOLE)
    yield "field_twice", Horror("network top() { bus b { " + "f: u8; " * 50_000 + "}; }\n", "error")
    yield "parameters", Horror("proc p(" + ", ".join(f"const c{i}: u8" for i in range(20_000)) + ") { }\nnetwork top() { instance _ of p(" + ", ".join(["1"] * 20_000) +
                               "); }\n", "warning", WHOLE)
    yield "processes", Horror("".join(f"proc p{i}(in x, out y) {{ y.v = x.v + {i}; }}\n" for i in range(5_000)) + "network top() { bus b[5001] { v: u32; };\n" +
                              "".join(f"instance _ of p{i}(b[{i}], b[{i + 1}]);\n" for i in range(5_000)) + "}\n", "", WHOLE)
    asynchronous = "async proc a(in x, out y) { y.v = x.v + 1; }\n"
    yield "combinational_chain", Horror(asynchronous + "network top() { bus b[100001] { v: u32; }; generate i = 0 until 100000 { instance s[i] of a(b[i], b[i + 1]); } }\n",
                                        "", WHOLE)
    yield "combinational_loop", Horror(asynchronous + "network top() { bus b[100001] { v: u32; }; generate i = 0 to 100000 { instance s[i] of a(b[i], b[(i + 1) % 100001]); } }\n",
                                       "error")
    yield "drivers_of_one_field", Horror("proc p(out y) { y.v = 1; }\nnetwork top() { bus b { v: u8; }; generate i = 0 until 100000 { instance s[i] of p(b); } }\n", "error")
    yield "parameter_of_100_digits", Horror("proc p() { }\nnetwork top(const n: uint = 1) { instance _ of p(); }\n", "any", [f"check -G n={10 ** 100}"])
    yield "parameter_that_is_none", Horror("proc p() { }\nnetwork top(const n: uint = 1) { instance _ of p(); }\n", "error", ["check -G n=((((", "check -G m=1"])


# ---------------------------------------------------------------- names

def named():
    names = "".join(f"const name_{i}: u8 = 1;\n" for i in range(20_000))
    yield "unknown_names", Horror(names + inProcess("".join(f"x = nome_{i}{i};\n" for i in range(20_000)), "var x: u8;"), "[unknown-name]")
    yield "unknown_entities", Horror("".join(f"proc name_{i}() {{ }}\n" for i in range(10_000)) + "network top() {" +
                                     "".join(f"instance _ of nome_{i}{i}();\n" for i in range(10_000)) + "}", "error", ["check -Wno-uninstantiated"])
    yield "unknown_buses", Horror("proc p(in x) { }\nnetwork top() {" + "".join(f"bus name_{i} {{ v: u8; }};\n" for i in range(5_000)) +
                                  "".join(f"instance _ of p(nome_{i}{i});\n" for i in range(5_000)) + "}", "error")
    yield "unknown_types", Horror("".join(f"type name_{i}: u8;\n" for i in range(10_000)) + "".join(f"const x{i}: nome_{i}{i} = 1;\n" for i in range(10_000)), "error")
    yield "long_unknown_names", Horror("".join(f"const {chr(97 + i) * 100_000}: u8 = 1;\n" for i in range(20)) + inProcess("x = " + "b" * 99_999 + ";", "var x: u8;"), "error")
    yield "one_name_often", Horror("const x: u8 = 1;\n" * 100_000, "[duplicate-name]")
    yield "warnings", Horror(inProcess("", "".join(f"var x{i}: u8;\n" for i in range(50_000))), "warning")


# ---------------------------------------------------------------- files

def stored():
    yield "import_loop", Horror("import a;\n", "[import-loop]", files={"a.sme": "import b;\n", "b.sme": "import main;\n"})
    yield "import_of_itself", Horror("import main;\n", "[import-loop]")
    yield "imports_nested", Horror("import m0;\n", "any", files={f"m{i}.sme": f"import m{i + 1};\n" for i in range(2_000)} | {"m2000.sme": ""})
    yield "imports_of_one_file", Horror("".join(f"import a as a{i};\n" for i in range(5_000)), "any", files={"a.sme": "const x: u8 = 1;\n"})
    yield "imports_diamond", Horror("import m0;\n", "any", files={f"m{i}.sme": f"import m{i + 1} as a;\nimport m{i + 1} as b;\n" for i in range(200)} | {"m200.sme": ""})
    yield "import_of_a_long_path", Horror("import " + ".".join(["a"] * 10_000) + ";\n", "error")
    yield "import_of_a_directory", Horror("import folder;\n", "error", files={"folder.sme/x.txt": ""})
    yield "import_of_junk", Horror("import a;\n", "[bad-byte]", files={"a.sme": junk(1 << 20)})
    yield "directory", Horror("", "[cannot-read]", ["check ."])
    yield "endless_device", Horror("", "[cannot-read]", ["check /dev/zero"])
    yield "sparse_file", Horror("", "[cannot-read]", ["check sparse.sme"], {"sparse.sme": 3 << 30})
    table = inProcess("x = t[0];", 'var x: u32; var t: [16]u32 = file("t.hex");')
    yield "data_of_junk", Horror(table, "error", files={"t.hex": junk(1 << 20)})
    yield "data_address", Horror(table, "error", files={"t.hex": "@" + "F" * 10_000 + " 1\n"})
    yield "data_word", Horror(table, "error", files={"t.hex": "F" * 10_000_000})
    yield "data_addresses", Horror(table, "any", files={"t.hex": "@0 1\n" * 500_000})
    yield "data_sparse", Horror(table, "error", files={"t.hex": 3 << 30})
    yield "data_directory", Horror(table, "error", files={"t.hex/x": ""})
    yield "data_large", Horror(inProcess("x = t[0];", 'var x: u32; var t: [1000000]u32 = file("t.hex");'), "", WHOLE, {"t.hex": "1234abcd\n" * 1_000_000})


def horrors():
    for group in (lexical, syntactic, numeric, evaluated, structural, named, stored):
        yield from group()


# ---------------------------------------------------------------- running

def write(path, content):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        if isinstance(content, int):
            f.truncate(content)
        else:
            f.write(content if isinstance(content, bytes) else content.encode())


def limits():
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_BYTES, ADDRESS_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def measure(smec, command, folder):
    words = command.split()
    if not any(word.startswith("/") or word in (".", "sparse.sme") for word in words[1:]):
        words.append("main.sme")
    errors = os.path.join(folder, "stderr")
    with open(errors, "wb") as err:
        process = subprocess.Popen([smec] + words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=err, preexec_fn=limits)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    with open(errors, "rb") as err:
        text = err.read()
    return Figures(process.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, text)


def problem(horror, figures):
    """What is wrong with this answer, or an empty text."""
    head = figures.errors[:300].decode("utf-8", "replace")
    if figures.status < 0:
        return f"signal {-figures.status}; {head}"
    if figures.status not in (0, 1, 4):
        return f"status {figures.status}; {head}"
    if figures.status and b"error" not in figures.errors:
        return f"status {figures.status} without an error"
    if len(figures.errors) > OUTPUT_BYTES and horror.says not in ("many errors", "warning"):
        return "more than a mebibyte of diagnostics"
    if horror.says == "any":
        return ""
    if not horror.says or horror.says == "warning":
        return f"status {figures.status} for a good program; {head}" if figures.status else ""
    wanted = horror.says.split()[-1].rstrip("s") if horror.says == "many errors" else horror.says
    return "" if figures.status and wanted.encode() in figures.errors else f"status {figures.status}, no '{horror.says}'; {head}"


def main():
    parser = argparse.ArgumentParser(description="check that hostile programs are answered in bounded time and memory")
    parser.add_argument("--smec", default=os.environ.get("SMEC", "smec"))
    parser.add_argument("--only", default="*", metavar="GLOB")
    parser.add_argument("--table", action="store_true", help="print what each takes")
    parser.add_argument("--keep", metavar="DIR", help="write the programs there")
    options = parser.parse_args()
    smec = os.path.abspath(shutil.which(options.smec) or options.smec)
    runs, failed = 0, 0
    for name, horror in sampled(horrors(), name=lambda each: each[0]):
        if not fnmatch.fnmatch(name, options.only):
            continue
        folder = os.path.join(options.keep, name) if options.keep else tempfile.mkdtemp(prefix="sme-horror-")
        try:
            write(os.path.join(folder, "main.sme"), horror.text)
            for file, content in horror.files.items():
                write(os.path.join(folder, file), content)
            for command in horror.commands:
                figures = measure(smec, command, folder)
                wrong = problem(horror, figures)
                runs, failed = runs + 1, failed + bool(wrong)
                if options.table:
                    print(f"{name + ' (' + command[:20] + ')':52} {figures.seconds:6.2f} s {figures.mebibytes:6.0f} MiB  status {figures.status}", flush=True)
                if wrong:
                    print(f"FAILED: {name} ({command[:40]}): {wrong}", flush=True)
        finally:
            if not options.keep:
                shutil.rmtree(folder, ignore_errors=True)
    print(f"{runs - failed} passed, {failed} failed")
    return 1 if failed or not runs else 0


if __name__ == "__main__":
    sys.exit(main())
