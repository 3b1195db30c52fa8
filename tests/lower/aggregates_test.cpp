#include <catch2/catch.hpp>

#include "compile.h"

namespace {

const std::string kPoint = "type point: struct { x: i8; y: i8; };\n";

std::string inPoint(const std::string& declarations, const std::string& body,
                    std::uint64_t cycles = 1) {
    return runBoth(kPoint + process(declarations, body), cycles);
}

}  // namespace

TEST_CASE("structs are split into leaves", "[lower]") {
    const auto c = compile(
        kPoint
        + process("var p: point = point(x: 1, y: -2); var trail: [3]point;", "trail[1] = p;"));
    std::vector<std::string> names;
    for (const auto& plane : c->ir.planes)
        names.push_back(plane.name);
    CHECK(names == std::vector<std::string>{"p.x", "p.y", "trail.x", "trail.y"});
    CHECK(c->ir.planes[2].type.length == 3);
    CHECK(inPoint("var p: point = point(x: 1, y: -2); var trail: [3]point;",
                  "trail[1] = p; trace(\"{} {}\", p, trail);")
          == "(x: 1, y: -2) [(x: 0, y: 0), (x: 1, y: -2), (x: 0, y: 0)]");
}

TEST_CASE("a literal that reads its target takes the old values", "[lower]") {
    CHECK(
        inPoint("var p: point = point(x: 1, y: 2);", "p = point(x: p.y, y: p.x); trace(\"{}\", p);")
        == "(x: 2, y: 1)");
    CHECK(inPoint("var a: [3]u8 = [1, 2, 3];", "a = [a[2], a[0], a[1]]; trace(\"{}\", a);")
          == "[3, 1, 2]");
}

TEST_CASE("a literal that fails stores nothing", "[lower]") {
    CHECK(inPoint("var a: [2]u8 = [1, 2]; var z: u8 = 0; var n: u8 = 0;",
                  "trace(\"{}\", a); n = n + 1; if (n == 1) { a = [9, n / z]; }", 2)
          == "[1, 2]|failure: division by zero");
}

TEST_CASE("arrays of any shape", "[lower]") {
    const std::string variables = "var m: [2][3]u8 = [[1, 2, 3], [4, 5, 6]]; var low: [3]u8; var "
                                  "k: u2 = 1; var s: [3]u8 = 9;";
    CHECK(inPoint(variables,
                  "low = m[0]; m[0][k] = m[1][2 - k]; m[1] = low; trace(\"{} {} {}\", m, low, s);")
          == "[[1, 5, 3], [1, 2, 3]] [1, 2, 3] [9, 9, 9]");
    CHECK(inPoint(variables, "m[k] = [k, k + 1, k + 2]; trace(\"{}\", m);")
          == "[[1, 2, 3], [1, 2, 3]]");
    CHECK(inPoint(variables, "low = k == 1 ? m[1] : s; trace(\"{}\", low);") == "[4, 5, 6]");
    CHECK(inPoint(variables + "var i: u2 = 2;", "m[i] = low;") == "failure: index out of range");
}

TEST_CASE("indices are taken before the copy changes them", "[lower]") {
    CHECK(runBoth(
              "type t: struct { next: u2; v: u8; };\n"
              + process("var s: [3]t = [t(next: 1, v: 10), t(next: 2, v: 11), t(next: 0, v: 12)];",
                        "s[s[0].next] = s[2]; s[0] = s[s[0].next]; trace(\"{}\", s);"))
          == "[(next: 0, v: 12), (next: 0, v: 12), (next: 0, v: 12)]");
}

TEST_CASE("constant arrays are tables", "[lower]") {
    const auto c = compile(process("const w: [4]i16 = [3, -1, 4, 1500]; var k: u2; var x: i16;",
                                   "x = w[k]; k = k + 1;"));
    REQUIRE(c->ir.tables.size() == 1);
    CHECK(c->ir.tables[0].values.size() == 4);
    CHECK(c->cls("p").body.fails.empty());
    CHECK(inPoint("const w: [4]i16 = [3, -1, 4, 1500]; var k: u2;",
                  "trace(\"{} {}\", w[k], w[3]); k = k + 1;", 4)
          == "3 1500|-1 1500|4 1500|1500 1500");
}

TEST_CASE("parts of fields go to the pending write", "[lower]") {
    const std::string text =
        kPoint
        + "proc w(out o) var n: u8 = 0; { n = n + 1; if (n == 1) { o.a[1] = n; o.p.y = 5; o.b[3] = "
          "true; } if (n == 2) { o.p = point(x: 1, y: 2); } }\n"
          "proc r(in i) { trace(\"{} {} {}\", i.a, i.p, i.b); }\n"
          "network top() { bus b { a: [2]u8 = 7; p: point; b: u8 = 1; }; instance w0 of w(b); "
          "instance r0 of r(b); }\n";
    CHECK(runBoth(text, 4)
          == "[7, 7] (x: 0, y: 0) 1|[7, 1] (x: 0, y: 5) 9|[7, 7] (x: 1, y: 2) 1|[7, 7] (x: 0, y: "
             "0) 1");
}

TEST_CASE("struct arguments of functions", "[lower]") {
    CHECK(inPoint("func sum(p: point): i16 { return i16(p.x) + p.y; } var q: point = point(x: 100, "
                  "y: 100);",
                  "trace(\"{}\", sum(q));")
          == "200");
}
