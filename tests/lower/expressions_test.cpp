#include <catch2/catch.hpp>

#include "compile.h"

namespace {

std::string shown(const std::string& declarations, const std::string& arguments, int count) {
    std::string format;
    for (int i = 0; i < count; ++i)
        format += i ? " {}" : "{}";
    return runBoth(process(declarations, "trace(\"" + format + "\", " + arguments + ");"));
}

}  // namespace

TEST_CASE("integers are exact", "[lower]") {
    CHECK(shown("var a: u8 = 250; var b: u8 = 255;", "(a + b) >> 1, a - b, a * b, -a, a - b < 0", 5)
          == "252 -5 63750 -250 true");
    CHECK(shown("var a: u64 = 0xFFFF_FFFF_FFFF_FFFF; var r: u64;",
                "(a * a) >> 64, a + a, a - (a + a)", 3)
          == "18446744073709551614 36893488147419103230 -18446744073709551615");
}

TEST_CASE("division truncates, shifts floor", "[lower]") {
    CHECK(shown("var a: i8 = -7; var b: i8 = 2;", "a / b, a % b, a >> 1, a << 3, b % a", 5)
          == "-3 -1 -4 -56 2");
}

TEST_CASE("complement is of the operand type", "[lower]") {
    CHECK(shown("var a: u4 = 12; var i: i8 = -2;", "~a, ~i, ~(a + a), a & ~1", 4) == "3 1 7 12");
}

TEST_CASE("bits, slices and builtins", "[lower]") {
    const std::string variables =
        "var a: u4 = 9; var c: u8 = 0xE5; var s: i8 = -128; var k: u3 = 2; var t: bool = true;";
    CHECK(shown(variables, "c[k], c[7:4], s[7], s[7:6], cat(a, c), rep(a[1:0], 3)", 6)
          == "true 14 true 2 2533 21");
    CHECK(shown(variables,
                "min(s, c), max(a, c), abs(s), popcount(c), any(a), all(a), parity(c), cat(t, a)",
                8)
          == "-128 229 128 5 true false true 25");
}

TEST_CASE("casts", "[lower]") {
    CHECK(shown("var a: u16 = 300; var f: f64 = -2.9; var g: f64 = 1e30; var b: bool = true; var "
                "n: f64 = 0.0;",
                "u8(a), i8(a + 100), u1(b), bool(a), i8(f), u8(f), i16(g), u8(n / n), f32(a)", 9)
          == "44 -112 1 true -2 0 32767 0 300.0");
    CHECK(shown("enum e { A, B = 4 } var a: u8 = 4; var v: e = B;",
                "e(a), u8(v), v == B, e(a) != A", 4)
          == "B 4 true true");
}

TEST_CASE("what is not needed is not evaluated", "[lower]") {
    const std::string variables = "var a: [4]u8 = [1, 2, 3, 4]; var i: u8 = 9; var z: u8 = 0;";
    CHECK(shown(variables, "i < 4 && a[i] == 1, i >= 4 || a[i] == 1, z == 0 ? 7 : i / z", 3)
          == "false true 7");
    CHECK(runBoth(process(variables, "trace(\"{}\", z == 0 ? a[i] : 1);"))
          == "failure: index out of range");
    CHECK(runBoth(process(variables, "trace(\"{}\", i == 0 ? 1 : i == 9 ? i % z : 2);"))
          == "failure: division by zero");
}

TEST_CASE("functions wrap their arguments and results", "[lower]") {
    const std::string functions = "func plus(x: u8): u8 { return x + 250; } func deep(x: u8): u16 "
                                  "{ if (x > 3) { return 1; } return plus(x) * 2; }";
    CHECK(shown(functions + "var a: u8 = 3; var w: u16 = 259;",
                "plus(a), plus(u8(w)), deep(a), deep(200), plus(a) + plus(a)", 5)
          == "253 253 506 1 506");
    CHECK(runBoth(process(
              "func bad(x: u8): u8 { assert(x < 3, \"x is {}\", x); return x; } var a: u8 = 5;",
              "trace(\"{}\", bad(a));"))
          == "failure: assertion failed: x is 5");
}

TEST_CASE("run-time errors", "[lower]") {
    CHECK(runBoth(process("var a: i8 = -1;", "trace(\"{}\", 1 << a);"))
          == "failure: negative shift");
    CHECK(runBoth(process("enum e { A, B, C } var a: u8 = 7; var v: e;", "v = e(a);"))
          == "failure: enum value");
    CHECK(runBoth(process("var d: uint = 8 range 0 to 9;", "trace(\"{}\", d); d = d + 1;"), 5)
          == "8|9|failure: range violation");
    CHECK(runBoth(process("var x: u8 = 1; var i: u8 = 8;", "x[i] = true;"))
          == "failure: index out of range");
    CHECK(runBoth(process("var n: u8 = 1;", "while (n > 0) { n = n + 2; if (n == 0) { break; } }"))
          == "failure: loop limit");
}

TEST_CASE("unchecked is never undefined", "[lower]") {
    const std::string variables = "var a: [4]u8 = [1, 2, 3, 4]; var i: u8 = 9; var z: u8 = 0; var "
                                  "n: i4 = -3; var d: uint = 9 range 0 to 9;"
                                  "enum e { A, B } var v: e;";
    CHECK(runBoth(
              process(variables, "trace(\"{} {} {} {} {}\", a[i], i / z, i % z, i << n, i >> n);"),
              1, true)
          == "0 0 9 9 9");
    CHECK(runBoth(process(variables, "a[i] = 7; i[n] = false; d = d + 10; v = e(i); trace(\"{} {} "
                                     "{} {}\", a, i, d, u8(v));"),
                  1, true)
          == "[1, 2, 3, 4] 9 3 1");
    CHECK(
        runBoth(process("var x: u8 = 255; var i: u8 = 12;", "trace(\"{}\", x[i]); assert(x == 1);"),
                1, true)
        == "false|failure: assertion failed");
}

TEST_CASE("constant parts of a text are written out", "[lower]") {
    const auto c =
        compile(process("const k: u8 = 10; var a: u8 = 3;", "trace(\"{{{:04x}}} {:b}\", k, a);"));
    CHECK(c->cls("p").body.traces[0].format == "{{000a}} {:b}");
    CHECK(c->cls("p").body.traces[0].args.size() == 1);
}
