#include <catch2/catch.hpp>

#include "../lower/compile.h"
#include "ir/visit.h"

namespace {

/// Whether nothing but assignments and checks is left of a process with `count` instances.
bool isFlat(const std::string& declarations, const std::string& body, int count = 20) {
    const std::string n = std::to_string(count);
    const auto compiled =
        compile("proc p(in x, out y, const k: u8) " + declarations + " { " + body
                    + " }\n"
                      "network top() { bus b["
                    + n + "] { v: u8; w: u100; };\ngenerate i = 0 until " + n
                    + " { instance q[i] of p(b[(i + 1) % " + n + "], b[i], i % 3); } }\n",
                false, true);
    bool flat = true;
    smec::ir::forEachStmt(compiled->cls("p").body.statements, [&](const smec::ir::Stmt& stmt) {
        flat = flat
               && (std::holds_alternative<smec::ir::Set>(stmt.node)
                   || std::holds_alternative<smec::ir::Check>(stmt.node));
    });
    return flat;
}

}  // namespace

TEST_CASE("cheap branches become selects", "[passes][flatten]") {
    CHECK(isFlat("", "if (x.v > k) { y.v = 1; }"));
    CHECK(isFlat("var c: u8;", "if (x.v > c) { c += 1; y.v = c; } elif (c == k) { y.v = 7; }"));
    CHECK(
        isFlat("var c: u8;",
               "switch x.v { case 1, 2 { c = k; } default { if (c < 9) { c += 1; } } } y.v = c;"));
    CHECK(isFlat("var t: u8; var c: u16;",
                 "if (x.v > 9) { t = x.v * 3; if (t > 7) { c += t; } } y.v = u8(c);"));
    CHECK(isFlat("", "if (x.v > k) { assert(x.v < 200); y.v = 1; }"));
    CHECK(isFlat("var c: uint range 0 to 9;",
                 "if (x.v > k) { c = c + 1; } else { c = 0; } y.v = c;"));
}

TEST_CASE("what lanes cannot compute keeps its branches", "[passes][flatten]") {
    CHECK_FALSE(isFlat("", "if (x.v > k) { y.v = 1; }", 5));  // too few instances
    CHECK_FALSE(isFlat("", "if (x.v > k) { y.v = x.v / (k | 1); }"));
    CHECK_FALSE(isFlat("", "if (x.v > k) { trace(\"{}\", k); y.v = 1; }"));
    CHECK_FALSE(isFlat("", "if (x.v > k) { y.w = x.w + 1; }"));
    CHECK_FALSE(isFlat("", "if (x.v > k) { for i = 0 to k { y.v = y.v + 1; } }"));
    std::string sum = "y.v = x.v";
    for (int i = 3; i < 90; ++i)
        sum += " ^ (x.v * " + std::to_string(i) + ")";
    CHECK_FALSE(isFlat("", "if (x.v > k) { " + sum + "; }"));
    std::string cases;
    for (int i = 0; i < 200; ++i)
        cases += "case " + std::to_string(i) + " { y.v = k; } ";
    CHECK_FALSE(isFlat("", "switch x.v { " + cases + "default { } }"));
}
