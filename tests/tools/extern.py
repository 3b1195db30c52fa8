#!/usr/bin/env python3
"""`extern`: what matches its header and what does not, with libclang and without; objects and headers that change; what goes wrong at run time."""
import os
import subprocess
import sys
import tempfile

LEVEL = """extern func level(x: u8): u8 from "level.hpp";
proc p() { trace("{}", level(u8(cycle()))); stop; }
network top() { instance _ of p(); }
"""
SERIAL = """extern serial func inside(x: u32): u32 from "serial.hpp";
proc p(out y)
    var clashes: u32;
{
    for i = 1 to 50 { clashes += inside(i); }
    y.clashes = clashes;
}
network top() {
    exposed bus b[8] { clashes: u32; };
    generate i = 0 until 8 { instance s[i] of p(b[i]); }
}
"""
SERIAL_HEADER = """#include <cstdint>
inline volatile int busy = 0;
inline std::uint32_t inside(std::uint32_t rounds) {
    const std::uint32_t clash = busy != 0;
    busy = 1;
    for (volatile std::uint32_t i = 0; i < rounds; i = i + 1) {}
    busy = 0;
    return clash;
}
"""
BOX = """extern proc box(in a: w) cpp("box.hpp");
type w: bus { v: u8; };
network top() { bus b: w; instance _ of box(b); }
"""


def write(name, text):
    with open(name, "w", encoding="utf-8") as f:
        f.write(text)


def smec(*words, libclang=None, path=None):
    environment = dict(os.environ)
    if libclang is not None:
        environment["SMEC_LIBCLANG"] = libclang
    if path is not None:
        environment["PATH"] = path
    done = subprocess.run([os.environ["SMEC"], *words], capture_output=True, text=True, env=environment, timeout=300)
    return done.returncode, done.stdout, done.stderr


def check(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


def expect(result, status, *texts):
    check(result[0] == status, f"status {result[0]} instead of {status}: {result[1]}{result[2]}")
    for text in texts:
        check(text in result[1] + result[2], f"no '{text}' in {result[1]}{result[2]}")


def mismatches():
    """Wrong number of parameters, wrong type, wrong sign, wrong result, no such function."""
    write("good.hpp", "#include <cstdint>\n"
                      "namespace other { inline int hidden(int x) { return x; } }\n"
                      "inline int one(int x) { return x; }\n"
                      "inline void nothing(int) {}\n"
                      "inline std::uint16_t bytes(std::uint8_t* data) { return data[0]; }\n"
                      "extern \"C\" { inline unsigned long flag(bool b) { return b; } }\n"
                      "template <typename T> T same(T x) { return x; }\n")
    wrong = ["one(a: i32, b: i32): i32", "one(a: u32): i32", "one(a: i64): i32", "one(a: i32): bool", "nothing(a: i32): i32", "hidden(a: i32): i32",
             "absent(a: i32): i32", "bytes(data: [4]u8): u16", "flag(b: u8): u64"]
    right = ["one(a: i32): i32", "flag(b: bool): u64", "one(a: i20): i30", "same(x: u16): u16"]
    hasLibclang = os.path.exists(os.path.join(os.path.dirname(os.path.dirname(os.environ["SMEC"])), "lib", "smec", "libsmec-signatures.so"))
    for declaration in wrong + right:
        name = declaration.split("(")[0]
        values = ", ".join(["false" if "bool" in p else "[1, 2, 3, 4]" if "[4]" in p else "1" for p in declaration.split(")")[0].split(",")])
        write("use.sme", f'extern func {declaration} from "good.hpp";\nproc p() {{ trace("{{}}", {name}({values})); stop; }}\n'
                         "network top() { instance _ of p(); }\n")
        good = declaration in right
        if hasLibclang:
            expect(smec("check", "use.sme"), 0 if good else 1, *([] if good else ["use.sme:1:13: error: '" + name + "' does not match", "[extern-mismatch]"]))
        expect(smec("run", "use.sme", "--quiet", "-O0", libclang="off"), 0 if good else 1, *([] if good else ["use.sme:1", "'extern'"]))
        expect(smec("check", "use.sme", libclang="off"), 0)
    print("with libclang" if hasLibclang else "without libclang")
    write("use.sme", LEVEL.replace("level.hpp", "absent.hpp"))
    if hasLibclang:
        expect(smec("check", "use.sme"), 1, "use.sme:1:35: error: C++ cannot read 'absent.hpp'", "[extern-read]")
    expect(smec("run", "use.sme", libclang="off"), 1, "use.sme:1", "absent.hpp")


def changes():
    """A header that changes is compiled again, by the simulator and by the interpreter; so is an object file."""
    write("level.sme", LEVEL)
    for number in (1, 2):
        write("level.hpp", f"inline unsigned char level(unsigned char x) {{ return x + {number}; }}\n")
        for words in ([], ["--interpret"]):
            expect(smec("run", "level.sme", "--quiet", *words), 0, f"{number}\n")
    write("level.hpp", '#include "more.hpp"\nunsigned char level(unsigned char x);\n')
    write("more.hpp", "")
    for words in ([], ["--interpret"]):
        expect(smec("run", "level.sme", "--quiet", *words), 1, "--link")
    for number in (3, 4):
        write("level.cpp", f"unsigned char level(unsigned char x) {{ return x + {number}; }}\n")
        subprocess.run(["g++", "-fPIC", "-c", "level.cpp", "-o", "level object.o"], check=True)
        for words in ([], ["--interpret"]):
            expect(smec("run", "level.sme", "--quiet", "--link", "level object.o", *words), 0, f"{number}\n")
    os.mkdir("headers")
    os.rename("level.hpp", "headers/level.hpp")
    expect(smec("run", "level.sme", "--quiet", "--link", "level object.o", "-I", "headers"), 1, "more.hpp")
    os.rename("more.hpp", "headers/more.hpp")
    expect(smec("run", "level.sme", "--quiet", "--link", "level object.o", "-I", "headers"), 0, "4\n")


def runs():
    write("serial.sme", SERIAL)
    write("serial.hpp", SERIAL_HEADER)
    prints = [word for i in range(8) for word in ("--print", f"b[{i}].clashes")]
    result = smec("run", "serial.sme", "--quiet", "--cycles", "200", "--threads", "4", "--model", "m1", *prints)
    expect(result, 0)
    check(result[1] == "".join(f"b[{i}].clashes: 0\n" for i in range(8)), f"serial calls never meet: {result[1]}")
    write("level.sme", LEVEL)
    write("level.hpp", '#include <stdexcept>\ninline unsigned char level(unsigned char) { throw std::runtime_error("no level"); }\n')
    for words in ([], ["--interpret"]):
        expect(smec("run", "level.sme", *words), 1, "level.sme:1:13: error: extern 'level' threw an exception: no level")
    expect(smec("run", "--interpret", "level.sme", path="/nowhere"), 3, "even the interpreter needs a compiler")


def boxes():
    """Classes that are missing or do not fit; a process without C++."""
    write("box.sme", BOX)
    cases = [("", "declares no such class"), ("struct box {};", "has no operator()"), ("struct box { void operator()(int) {} };", "has no operator()"),
             ("struct box { explicit box(int) {} void operator()(auto&) {} };", "cannot be made without arguments")]
    for text, message in cases:
        write("box.hpp", text + "\n")
        expect(smec("run", "box.sme", "--cycles", "1", "-O0", libclang="off"), 1, "box.sme:1", "'extern'" if not text else message)
    write("box.sme", BOX.replace('cpp("box.hpp")', 'vhdl("box.vhd")'))
    expect(smec("check", "box.sme"), 0)
    expect(smec("run", "box.sme", "--cycles", "1"), 1, "box.sme:1:13: error: extern process 'box' has no cpp", "[extern-body]")
    expect(smec("run", "--interpret", "box.sme", "--cycles", "1"), 1, "has no cpp")
    write("box.sme", BOX)
    write("box.hpp", '#include <cstdio>\nstruct box { ~box() { std::puts("deleted"); } void operator()(const auto&) {} };\n')
    for words in ([], ["--interpret"]):
        result = smec("run", "box.sme", "--cycles", "3", "--quiet", *words)
        check(result[0] == 0 and result[1] == "deleted\n", f"one object, deleted once: {result}")


def main():
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        mismatches()
        changes()
        runs()
        boxes()
    print("passed")


main()
