#include <catch2/catch.hpp>

#include "checked.h"

using namespace smec;
using test::Checked;

namespace {

/// The value of `const c: type = text` as trace shows it, or the error.
std::string valueOf(const std::string& type, const std::string& text,
                    const std::string& before = "") {
    Checked checked(before + "const c: " + type + " = " + text + ";\n");
    for (const std::string& message : checked.messages())
        return message;
    const sema::Symbol* symbol = checked.context->moduleScope({0}).find("c");
    const sema::TypedValue& value = std::get<sema::ConstSymbol>(symbol->node).value;
    return hir::toString(checked.design.types, value.type, value.value);
}

}  // namespace

TEST_CASE("integers in constants are exact and unbounded") {
    CHECK(valueOf("uint", "2 * 3 + 4") == "10");
    CHECK(valueOf("uint", "1 << 100") == "1267650600228229401496703205376");
    CHECK(valueOf("int", "-7 / 2") == "-3");
    CHECK(valueOf("int", "-7 % 2") == "-1");
    CHECK(valueOf("int", "-7 >> 1") == "-4");
    CHECK(valueOf("int", "~5") == "-6");
    CHECK(valueOf("u8", "~u8(5)") == "250");
    CHECK(valueOf("uint", "1_000_000_000_000_000_000_000 / 1_000_000_000_000_000_000") == "1000");
    CHECK(valueOf("uint", "-1").find("does not fit") != std::string::npos);
    CHECK(valueOf("uint", "1 << 65536").find("65536 bits") != std::string::npos);
}

TEST_CASE("constants must fit by value") {
    CHECK(valueOf("i4", "7") == "7");
    CHECK(valueOf("i4", "9").find("i4") != std::string::npos);
    CHECK(valueOf("u8", "200 + 55") == "255");
    CHECK(valueOf("u8", "u8(300)") == "44");
    CHECK(valueOf("u4", "a + a", "const a: u8 = 7;\n") == "14");
}

TEST_CASE("casts of floats truncate and saturate") {
    CHECK(valueOf("i16", "i16(-2.75)") == "-2");
    CHECK(valueOf("u8", "u8(300.5)") == "255");
    CHECK(valueOf("u8", "u8(-1.0)") == "0");
    CHECK(valueOf("u8", "u8(0.0 / 0.0)") == "0");
    CHECK(valueOf("f64", "3") == "3.0");
    CHECK(valueOf("f32", "0.1 + 1") == "1.1");
    CHECK(valueOf("bool", "bool(2)") == "true");
}

TEST_CASE("arrays, structs and enums in constants") {
    CHECK(valueOf("[3]u8", "[1, 2, 3]") == "[1, 2, 3]");
    CHECK(valueOf("[2][2]u8", "7") == "[[7, 7], [7, 7]]");
    CHECK(valueOf("u8", "t[1]", "const t: [3]u8 = [4, 5, 6];\n") == "5");
    CHECK(valueOf("uint", "len(t)", "const t: [3]u8 = 0;\n") == "3");
    CHECK(valueOf("e", "B", "enum e { A, B = 4, C };\n") == "B");
    CHECK(valueOf("u8", "u8(e.C)", "enum e { A, B = 4, C };\n") == "5");
    CHECK(valueOf("e", "e(4)", "enum e { A, B = 4, C };\n") == "B");
    CHECK(valueOf("e", "e(3)", "enum e { A, B = 4, C };\n").find("no member") != std::string::npos);
    CHECK(valueOf("t", "t(y: 2, x: 1)", "type t: struct { x: u8; y: u8; };\n") == "(x: 1, y: 2)");
}

TEST_CASE("functions are evaluated") {
    const std::string fib = "func fib(n: u8): u32 { var a: u32 = 0; var b: u32 = 1; for i = 0 "
                            "until n { var t: u32 = a + b; a = b; b = t; } return a; }\n";
    CHECK(valueOf("uint", "fib(30)", fib) == "832040");
    CHECK(valueOf("u8", "f(200)", "func f(x: u8): u8 { return x + 100; }\n") == "44");
    CHECK(valueOf("u8", "f(0)", "func f(x: u8): u8 { return 100 / x; }\n").find("division by zero")
          != std::string::npos);
    CHECK(valueOf("u8", "f(0)", "func f(x: u8): u8 { while (x != 9) { } return 1; }\n")
              .find("10000000 steps")
          != std::string::npos);
    CHECK(valueOf("u8", "f(1)", "func f(x: u8): u8 { trace(\"{}\", x); return 1; }\n").find("trace")
          != std::string::npos);
    CHECK(valueOf("u8", "f(3)",
                  "func f(x: u8): u8 { var t: u8; t[7] = true; t[2:0] = 5; return t; }\n")
          == "133");
}

TEST_CASE("operands that are not needed are not evaluated") {
    CHECK(valueOf("uint", "n == 0 ? 1 : 100 / n", "const n: uint = 0;\n") == "1");
    CHECK(valueOf("bool", "n != 0 && 100 / n > 3", "const n: uint = 0;\n") == "false");
    CHECK(valueOf("bool", "n == 0 || 100 / n > 3", "const n: uint = 0;\n") == "true");
}

TEST_CASE("order of declarations does not matter, but circles are errors") {
    CHECK(valueOf("uint", "later * 2", "const early: uint = c;\nconst later: uint = 21;\n")
          == "42");
    CHECK(valueOf("uint", "d", "const d: uint = c;\n").find("depends on itself")
          != std::string::npos);
}

TEST_CASE("long chains") {
    std::string sum = "1";
    for (int i = 0; i < 50'000; ++i)
        sum += "+1";
    CHECK(valueOf("uint", sum) == "50001");
}
