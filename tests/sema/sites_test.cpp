#include <catch2/catch.hpp>

#include "checked.h"

using namespace smec;
using test::Checked;

namespace {

/// Can an instance with the values `second` share what was checked with `first`?
bool shares(const std::string& params, const std::string& body, const std::vector<int>& first,
            const std::vector<int>& second) {
    Checked checked("proc p(" + params + ") var a: u8; var w: u32; {\n" + body
                    + "\na = a + u8(w); }\n");
    sema::CheckedProcess process = checked.check(0, first);
    CAPTURE(checked.messages());
    REQUIRE(checked.messages().empty());
    auto scope = checked.scopeOf(*checked.processes[0], second);
    std::vector<hir::Value> constants;
    return checked.context->matches(process, *scope, constants);
}

}  // namespace

TEST_CASE("sized constants are free") {
    CHECK(shares("const g: u8", "a = a * g;", {3}, {200}));
    CHECK(shares("const g: u8", "a = (a * g) >> 8;", {3}, {200}));
    CHECK(shares("const g: u8", "a = g;", {3}, {200}));
    CHECK(shares("const g: u8", "if (a == g) { a = 0; }", {3}, {200}));
}

TEST_CASE("unsized constants count by width") {
    CHECK(shares("const g: uint", "w = a + g;", {4}, {7}));
    CHECK_FALSE(shares("const g: uint", "w = a + g;", {4}, {8}));
    CHECK(shares("const g: uint", "a = g;", {4}, {200}));
    CHECK_FALSE(shares("const g: uint", "a = g;", {4}, {256}));
}

TEST_CASE("what the check relied on must hold") {
    CHECK(shares("const g: u8", "a = a / g;", {3}, {3}));
    CHECK(shares("const g: i8", "w = u32(u8(a / g));", {3}, {3}));
    CHECK_FALSE(shares("const g: u8", "w = w / g;", {3}, {0}));
    CHECK_FALSE(shares("const g: u8", "var t: [4]u8; a = t[g];", {3}, {4}));
    CHECK(shares("const g: u8", "var t: [4]u8; a = t[g];", {3}, {0}));
    CHECK_FALSE(shares("const g: u8", "a = 100 / g;", {3}, {0}));
}

TEST_CASE("what shapes the body must be equal") {
    CHECK_FALSE(shares("const g: u8", "for i = 0 until g { a = a + 1; }", {3}, {4}));
    CHECK_FALSE(shares("const g: u8", "var t: [g]u8; a = t[0];", {3}, {4}));
    CHECK_FALSE(shares("const g: u8", "var t: u(g); a = u8(t);", {3}, {4}));
    CHECK_FALSE(shares("const g: u8", "a = u8(w[g:0]);", {3}, {4}));
    CHECK_FALSE(shares("const g: u8", "w = w << g;", {3}, {4}));
}

TEST_CASE("a narrowing is shared where it leads to the same type") {
    CHECK(shares("const g: u8", "a = a % g;", {9}, {16}));
    CHECK_FALSE(shares("const g: u8", "a = a % g;", {9}, {17}));
}

TEST_CASE("one label of a switch may differ") {
    CHECK(shares("const g: u8", "switch a { case g { a = 1; } case 7 { a = 2; } default {} }", {3},
                 {4}));
    CHECK_FALSE(shares("const g: u8", "switch a { case g { a = 1; } case 7 { a = 2; } default {} }",
                       {3}, {7}));
}

TEST_CASE("columns hold the values of the instance") {
    Checked checked("proc p(const g: u8, const h: i8) var a: i32 = h * 2; { a = a * h + g; "
                    "trace(\"{}\", 100 / g); }\n");
    sema::CheckedProcess process = checked.check(0, {5, 7});
    REQUIRE(checked.messages().empty());
    auto scope = checked.scopeOf(*checked.processes[0], {6, -3});
    std::vector<hir::Value> constants;
    REQUIRE(checked.context->matches(process, *scope, constants));
    REQUIRE(constants.size() == process.spec.constants.size());
    REQUIRE(constants.size() == 3);
    CHECK(constants[0] == hir::Value{hir::Integer(-3)});
    CHECK(constants[1] == hir::Value{hir::Integer(6)});
    CHECK(constants[2] == hir::Value{hir::Integer(16)});
    CHECK(checked.context->initialValues(*checked.processes[0], process, *scope).at(0)
          == hir::Value{hir::Integer(-6)});
}

TEST_CASE("functions that use the instance's constants are checked for each value") {
    Checked checked("proc p(const g: u8) func scaled(x: u8): u8 { return x * g; } var a: u8; { a = "
                    "scaled(a); }\n");
    sema::CheckedProcess process = checked.check(0, {3});
    REQUIRE(checked.messages().empty());
    auto scope = checked.scopeOf(*checked.processes[0], {4});
    std::vector<hir::Value> constants;
    CHECK_FALSE(checked.context->matches(process, *scope, constants));
    CHECK(checked.design.functions.size() == 1);
    checked.check(0, {4});
    CHECK(checked.design.functions.size() == 2);
    checked.check(0, {3});
    CHECK(checked.design.functions.size() == 2);
}
