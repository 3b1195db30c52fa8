#include <catch2/catch.hpp>

#include "../lower/compile.h"
#include "passes/passes.h"

namespace {

std::size_t checksLeft(const std::string& declarations, const std::string& body) {
    return compile(process(declarations, body), false, true)->cls("p").body.fails.size();
}

}  // namespace

TEST_CASE("conditions around a check prove it", "[passes]") {
    CHECK(checksLeft("var d: uint range 0 to 9;", "if (d == 9) { d = 0; } else { d = d + 1; }")
          == 0);
    CHECK(checksLeft("var a: [4]u8; var i: u8; var z: u8;",
                     "if (i < 4) { a[i] = 1; z = i == 0 ? 1 : 2; }")
          == 0);
    CHECK(checksLeft("var z: u8; var x: u8;", "if (z != 0) { x = x / z; }") == 0);
    CHECK(checksLeft("var z: u8; var x: u8;", "x = z == 0 ? 1 : x / z;") == 0);
    CHECK(checksLeft("var a: [4]u8; var i: u8;", "if (i < 4 && a[i] == 0) { a[i] = 1; }") == 0);
    CHECK(checksLeft("var n: i8; var x: u8;", "if (n < 0) { n = 0; } x = x << n;") == 0);
    CHECK(
        checksLeft("var t: int = -3 range -3 to 3;", "if (t == 3) { t = -3; } else { t = t + 1; }")
        == 0);
}

TEST_CASE("a check is not repeated until what it reads changes", "[passes]") {
    CHECK(checksLeft("var a: [4]u8; var i: u8;", "a[i] = a[i] + 1; a[i] = a[i] * 2;") == 1);
    CHECK(checksLeft("var a: [4]u8; var i: u8;", "a[i] = 1; i = i + 1; a[i] = 2;") == 2);
    CHECK(checksLeft("var a: [4]u8; var i: u8;", "if (i < 4) { i = i + 1; a[i] = 2; }") == 1);
    CHECK(checksLeft("var a: [4]u8; var i: u8;", "if (i < 3) { i = i + 1; a[i] = 2; }") == 0);
    CHECK(checksLeft("var a: [4]u8; var i: u8;",
                     "if (i < 4) { for k = 0 to 9 { a[i] = 2; i = i + 1; } }")
          == 1);
    CHECK(checksLeft("var a: [4]u8; var i: u8;",
                     "if (i < 4) { while (a[i] < 9) { a[i] = a[i] + 1; } }")
          == 1);  // the loop's own limit
}

TEST_CASE("dead code goes, its temporaries too", "[passes]") {
    const auto c =
        compile("func f(x: u8): u8 { return x + 1; }\n"
                    + process("var a: u8;",
                              "var t: u8 = f(a); if (a > 255) { trace(\"never\"); } a = a + 1;"),
                false, true);
    CHECK(c->ir.functions.empty());
    CHECK(c->cls("p").body.statements.size() == 1);
    CHECK(c->cls("p").body.traces.empty());
    CHECK(c->cls("p").body.locals.size() == 1);
}

TEST_CASE("inputs nobody reads are dropped", "[passes]") {
    const auto c =
        compile("type t: struct { x: u8; y: u8; };\nproc a(in i, out o) { o.v = i.s.x; }\n"
                "network top() { bus b { s: t; }; bus d { v: u8; }; instance p of a(b, d); }\n",
                false, true);
    CHECK(c->cls("a").inputs.size() == 1);
    CHECK(c->cls("a").inputs[0].name == "i.s.x");
}

TEST_CASE("equal processes become one class", "[passes]") {
    const std::string text =
        "proc a(in x, out y) var s: u8 = 1; { y.v = x.v + s; s = s * 3; }\n"
        "proc b(in input, out output) var state: u8 = 2; { output.v = input.v + state; state = "
        "state * 3; }\n"
        "proc c(in x, out y) var s: u8 = 1; { y.v = x.v + s; s = s * 5; }\n"
        "proc r(in x) { trace(\"{}\", x.v); }\n"
        "network top() { bus k[4] { v: u8; }; instance p of a(k[0], k[1]); instance q of b(k[1], "
        "k[2]); instance t of c(k[2], k[3]);\n"
        "instance u of a(k[3], k[0]); generate i = 0 until 4 { instance z[i] of r(k[i]); } }\n";
    const auto c = compile(text, false, true);
    for (const std::string& complaint : smec::ir::verify(c->ir))
        FAIL_CHECK(complaint);
    CHECK(c->ir.classes.size() == 3);
    CHECK(c->cls("a").instances == 3);
    CHECK(c->cls("a").runs.back().prefix == "q");
    CHECK(runBoth(text, 6).find("passes changed") == std::string::npos);
}

TEST_CASE("processes that say something stay apart", "[passes]") {
    const auto c = compile("proc a() { trace(\"a\"); }\nproc b() { trace(\"b\"); }\nnetwork top() "
                           "{ instance p of a(); instance q of b(); }\n",
                           false, true);
    CHECK(c->ir.classes.size() == 2);
}
