#include <catch2/catch.hpp>

#include "checked.h"

using namespace smec;
using test::Checked;

namespace {

/// The operand type of an expression over these variables, by what `type(...)` says.
std::string typeOf(const std::string& expr) {
    Checked checked("proc p(const g: u8 = 4, const n: uint = 5)\n"
                    "    var a: u8; var b: u8; var w: u16; var i: i8; var k: u3; var x: u1; var d: "
                    "uint range 0 to 9; var z: uint; var f: bool;\n"
                    "    var t: [4]u12;\n{\n    var r: type("
                    + expr + ");\n    r = r;\n}\n");
    checked.all();
    for (const std::string& message : checked.messages())
        return message;
    sema::CheckedProcess process = checked.check();
    return checked.design.types.name(process.spec.body.vars.back().type);
}

}  // namespace

TEST_CASE("widths do not grow with operators") {
    CHECK(typeOf("a + b") == "u8");
    CHECK(typeOf("a * b") == "u8");
    CHECK(typeOf("a + w") == "u16");
    CHECK(typeOf("a + 1") == "u8");
    CHECK(typeOf("a + 256") == "u9");
    CHECK(typeOf("-a") == "u8");
    CHECK(typeOf("~a") == "u8");
}

TEST_CASE("mixed signs make a signed type that holds both") {
    CHECK(typeOf("a + i") == "i9");
    CHECK(typeOf("i + 200") == "i9");
    CHECK(typeOf("i + 100") == "i8");
    CHECK(typeOf("a + -1") == "i9");
    CHECK(typeOf("x + -1") == "i2");
}

TEST_CASE("a constant right operand narrows") {
    CHECK(typeOf("(x + 1) % 2") == "u1");
    CHECK(typeOf("a % 10") == "u4");
    CHECK(typeOf("a % 300") == "u8");
    CHECK(typeOf("a / 2") == "u7");
    CHECK(typeOf("(a + b) / 2") == "u8");
    CHECK(typeOf("(a + b) >> 1") == "u8");
    CHECK(typeOf("(a * b) >> 8") == "u8");
    CHECK(typeOf("w >> 12") == "u4");
    CHECK(typeOf("w & 15") == "u4");
    CHECK(typeOf("(a + b) & 0x1FF") == "u9");
    CHECK(typeOf("i % 10") == "i8");
    CHECK(typeOf("i >> 4") == "i8");
    CHECK(typeOf("a % g") == "u2");
    CHECK(typeOf("a / n") == "u6");
}

TEST_CASE("shift counts and conditions are no leaves") {
    CHECK(typeOf("a << 8") == "u8");
    CHECK(typeOf("a << w") == "u8");
    CHECK(typeOf("a >> w") == "u8");
    CHECK(typeOf("w > 3 ? a : b") == "u8");
    CHECK(typeOf("f ? 1 : 2") == "u2");
}

TEST_CASE("patterns take the type of the sized operand") {
    CHECK(typeOf("a & ~1") == "u8");
    CHECK(typeOf("a | ~1") == "u8");
    CHECK(typeOf("a | 256") == "u9");
    CHECK(typeOf("i & 0xFF") == "i8");
    CHECK(typeOf("i | -1") == "i8");
    CHECK(typeOf("i ^ 0x1FF") == "i10");
}

TEST_CASE("slices, elements, casts and calls are leaves of their own type") {
    CHECK(typeOf("w[7:4]") == "u4");
    CHECK(typeOf("t[k]") == "u12");
    CHECK(typeOf("u4(w) + 1") == "u4");
    CHECK(typeOf("cat(a, k, f)") == "u12");
    CHECK(typeOf("rep(k, 3)") == "u9");
    CHECK(typeOf("popcount(a)") == "u4");
    CHECK(typeOf("min(a, w)") == "u16");
    CHECK(typeOf("a[3]") == "bool");
    CHECK(typeOf("cycle()") == "u64");
}

TEST_CASE("declared types are kept") {
    CHECK(typeOf("d") == "u4 (range 0 to 9)");
    CHECK(typeOf("d + 1") == "u4");
    CHECK(typeOf("z") == "uint");
    CHECK(typeOf("z + 1") == "u64");
}
