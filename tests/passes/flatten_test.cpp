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
                    + n + "] { v: u8; w: u100; z: u16; };\ngenerate i = 0 until " + n
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

TEST_CASE("what is set before a check stays before it", "[passes][flatten]") {
    const auto order = [](const std::string& body) {
        const auto compiled = compile(
            "proc p(in x, out y, const k: u8) var c: u8; { " + body
                + " }\nnetwork top() { bus b[20] { v: u8; w: u8; };\ngenerate i = 0 until 20 "
                  "{ instance q[i] of p(b[(i + 1) % 20], b[i], i % 3); } }\n",
            false, true);
        const smec::ir::Body& p = compiled->cls("p").body;
        std::string text;
        smec::ir::forEachStmt(p.statements, [&](const smec::ir::Stmt& stmt) {
            if (std::holds_alternative<smec::ir::Check>(stmt.node)) text += "check ";
            const auto* set = std::get_if<smec::ir::Set>(&stmt.node);
            if (set && p.locals[set->local.index].kind != smec::ir::LocalKind::Temp)
                text += p.locals[set->local.index].name + " ";
        });
        return text;
    };
    CHECK(order("if (x.v > k) { c = 1; assert(x.v < 200); } else { c = 2; }") == "c check c ");
    CHECK(order("if (x.v > k) { c = 1; } else { y.v = 2; assert(x.v > 1); c = x.v; }")
          == "y.v check c ");
    CHECK(order("if (x.v > k) { c = 1; if (x.v > 9) { assert(x.v < 200); } } else { c = 2; }")
          == "c check c ");
    CHECK(order("if (x.v > k) { assert(x.v < 200); c = 1; } else { c = 2; }") == "check c ");
    CHECK(order("if (x.v > k) { c = 1; y.v = x.v; } else { c = 2; y.v = 3; }") == "c y.v ");
}

TEST_CASE("branches in long loops become selects", "[passes][flatten]") {
    const auto branches = [](const std::string& body, const std::string& declarations = "") {
        const auto compiled =
            compile("proc p(in x, out y, const k: u8) " + declarations + " { " + body
                        + " }\nnetwork top() { bus b[20] { v: u8; };\ngenerate i = 0 until 20 "
                          "{ instance q[i] of p(b[(i + 1) % 20], b[i], i % 3); } }\n",
                    false, true);
        std::size_t count = 0;
        smec::ir::forEachStmt(compiled->cls("p").body.statements, [&](const smec::ir::Stmt& stmt) {
            count += std::holds_alternative<smec::ir::If>(stmt.node);
        });
        return count;
    };
    const std::string halved = "if (t[0:0] == 1) { t = t * 3 + 1; } else { t = t >> 1; }";
    CHECK(branches("var t: u8 = x.v; for i = 0 until 100 { " + halved + " } y.v = t;") == 0);
    CHECK(branches("var t: u8 = x.v; if (t > 9) { t = 3; } "
                   "for i = 0 until 100 { if (t > k) { t = t - k; y.v = t; } }")
          == 0);
    CHECK(branches("if (x.v > k) { for i = 0 until 100 { y.v = y.v * 3 + k; } }") == 1);
    CHECK(branches("var t: u8; for i = 0 to x.v { " + halved + " } y.v = t;") == 1);
    CHECK(branches("for i = 0 until 100 { if (x.v > i) { break; } y.v = i; }") == 1);
    CHECK(branches("for i = 0 until 100 { if (x.v > i) { trace(\"{}\", i); } y.v = i; }") == 1);
}

TEST_CASE("what a round sets before it reads it is of no other round", "[passes][flatten]") {
    const auto keeps = [](const std::string& round) {
        const auto compiled =
            compile("proc p(in x, out y, const k: u8) { var t: u8 = x.v; var s: u8 = 3;"
                    "for i = 0 until 100 { "
                        + round
                        + " } y.v = t ^ s; }\nnetwork top() { bus b[20] { v: u8; };\ngenerate i = "
                          "0 until 20 "
                          "{ instance q[i] of p(b[(i + 1) % 20], b[i], i % 3); } }\n",
                    false, true);
        const smec::ir::Body& body = compiled->cls("p").body;
        std::size_t count = 0;
        smec::ir::forEachStmt(body.statements, [&](const smec::ir::Stmt& stmt) {
            REQUIRE_FALSE(std::holds_alternative<smec::ir::If>(stmt.node));
            const auto* set = std::get_if<smec::ir::Set>(&stmt.node);
            if (set == nullptr
                || body.locals[set->local.index].type.scalar.kind != smec::ir::ScalarKind::Bool)
                return;
            count += std::holds_alternative<smec::ir::Select>(body[set->value].node);
        });
        return count;
    };
    CHECK(keeps("if (t < k) { if (t[0:0] == 1) { t = t * 3; s = s + t; } else { s = s - 1; } } "
                "else { t = t >> 1; }")
          == 0);
}

TEST_CASE("what lanes cannot compute keeps its branches", "[passes][flatten]") {
    CHECK_FALSE(isFlat("", "if (x.v > k) { y.v = 1; }", 5));  // too few instances
    CHECK_FALSE(isFlat("", "if (x.v > k) { y.v = x.v / (k | 1); }"));
    CHECK_FALSE(isFlat("", "if (x.v > k) { trace(\"{}\", k); y.v = 1; }"));
    CHECK_FALSE(isFlat("", "if (x.v > k) { y.w = x.w + 1; }"));
    CHECK_FALSE(isFlat("", "if (x.v > k) { y.v = u8(x.w); }"));
    CHECK(isFlat("", "if (x.v > k) { y.v = u8((x.z * x.z * x.z * x.z * x.z) ^ k); }"));
    CHECK_FALSE(isFlat("", "if (x.v > k) { for i = 0 to k { y.v = y.v + 1; } }"));
    std::string sum = "y.z = x.z";
    for (int i = 3; i < 900; ++i)
        sum += " ^ u16(x.z * " + std::to_string(i) + ")";
    CHECK_FALSE(isFlat("", "if (x.v > k) { " + sum + "; }"));
    std::string cases;
    for (int i = 0; i < 2500; ++i)
        cases += "case " + std::to_string(i) + " { y.v = k; } ";
    CHECK_FALSE(isFlat("", "switch x.z { " + cases + "default { } }"));
}

TEST_CASE("what both sides of a branch set at last is set once", "[passes][flatten]") {
    const auto usesOf = [](const std::string& name, const std::string& body) {
        const auto compiled = compile(
            "proc p(in x, out y) var c: u8; { " + body
                + " }\nnetwork top() { bus b[20] { v: u8; };\n"
                  "generate i = 0 until 20 { instance q[i] of p(b[(i + 1) % 20], b[i]); } }\n",
            false, true);
        std::size_t sets = 0, reads = 0;
        const smec::ir::Body& left = compiled->cls("p").body;
        const auto isIt = [&](smec::ir::LocalId id) { return left.locals[id.index].name == name; };
        smec::ir::forEachStmt(left.statements, [&](const smec::ir::Stmt& stmt) {
            const auto* set = std::get_if<smec::ir::Set>(&stmt.node);
            sets += set != nullptr && isIt(set->local);
        });
        for (const smec::ir::Expr& expr : left.exprs) {
            const auto* read = std::get_if<smec::ir::ReadLocal>(&expr.node);
            reads += read != nullptr && isIt(read->local);
        }
        return std::pair{sets, reads};
    };
    using Counts = std::pair<std::size_t, std::size_t>;
    CHECK(usesOf("y.v", "if (x.v > 3) { y.v = x.v * 3; } else { c = x.v; y.v = c + 1; }")
          == Counts{1, 0});
    CHECK(usesOf("y.v",
                 "if (x.v > 3) { y.v = 1; } elif (c > 3) { y.v = c; } else { c = 7; y.v = 2; }")
          == Counts{1, 0});
    // one side sets it or leaves it as it was
    CHECK(usesOf("c", "if (x.v > 3) { c = x.v * 3; } elif (x.v > 1) { c = 7; }") == Counts{1, 1});
    CHECK(usesOf("c", "if (x.v > 3) { if (x.v > 9) { c = 7; } } else { c = x.v * 3; }")
          == Counts{1, 1});
    CHECK(usesOf(
              "y.v",
              "if (x.v > 3) { y.v = 1; } else { c = 5; if (x.v < 2) { c = 7; } else { y.v = 2; } }")
              .first
          == 2);
    // not last, or computed from what changes after it
    CHECK(usesOf("c", "if (x.v > 3) { c = x.v * 3; y.v = c + 1; } else { c = 2; }").first == 2);
    CHECK(usesOf("y.v", "if (x.v > 3) { y.v = c; c = x.v; } else { y.v = 2; }").first == 2);
}
