#include <catch2/catch.hpp>

#include "compile.h"

using smec::ir::PlaneKind;

TEST_CASE("a ring is one class with two runs", "[lower]") {
    const auto c = compile(
        "proc inc(in x, out y, const start: u32 = 0) var s: u32 = start; { y.v = x.v + 1; s = x.v; "
        "}\n"
        "network top() { bus link[1000] { v: u32; };\n"
        "generate i = 0 until 1000 { instance p[i] of inc(link[i], link[(i + 1) % 1000]); } }\n");
    REQUIRE(smec::ir::verify(c->ir).empty());
    REQUIRE(c->ir.classes.size() == 1);
    const auto& cls = c->ir.classes[0];
    CHECK(cls.instances == 1000);
    REQUIRE(cls.runs.size() == 1);
    CHECK(cls.runs[0].prefix == "p[");
    CHECK(*cls.runs[0].suffix == "]");
    CHECK(cls.inputs[0].elements[0].runs.size() == 2);
    CHECK(c->ir.names.size() == 3);  // link[0].v, link[1..999].v, p[..].s
    CHECK(c->ir.planes.size() == 2);
    CHECK_FALSE(c->ir.planes[0].initial.perInstance);
}

TEST_CASE("constants that differ are columns, others are folded", "[lower]") {
    const auto c = compile("proc k(in x, out y, const gain: i16, const off: u8, const w: [2]u8) { "
                           "y.v = u16(x.v * gain + off + w[x.v % 2]); }\n"
                           "network top() { bus b[4] { v: u16; };\n"
                           "generate i = 0 until 3 { instance p[i] of k(b[i], b[i + 1], gain: i - "
                           "1, off: 7, w: [i % 2, 5]); } }\n");
    for (const std::string& text : smec::ir::verify(c->ir))
        FAIL_CHECK(text);
    const auto& cls = c->cls("k");
    REQUIRE(cls.columns.size() == 2);
    CHECK(cls.columns[0].range == smec::ir::Interval{-1, 1});
    REQUIRE(c->ir.tables.size() == 1);
    CHECK(c->ir.tables[0].values.size() == 4);  // [0, 5] and [1, 5]
}

TEST_CASE("defaults and initialisers may differ between instances", "[lower]") {
    const auto c = compile("proc a(out y, const n: u8) var s: u8 = n; { y.v = s; }\n"
                           "proc r(in x) { trace(\"{}\", x.v); }\n"
                           "network top() { bus b { v: u8 = 3; }; bus d { v: u8 = 4; };\n"
                           "instance p of a(b, 1); instance q of a(d, 2); instance rb of r(b); "
                           "instance rd of r(d); }\n");
    const auto& cls = c->cls("a");
    CHECK(c->ir.planes[cls.outputs[0].plane.index].initial.perInstance);
    CHECK(c->ir.planes[cls.state[0].index].initial.perInstance);
    CHECK(cls.runs.size() == 2);
    CHECK(simulation::Simulator(c->ir).run(2) == std::vector<std::string>{"3", "4", "1", "2"});
}

TEST_CASE("fields that nobody drives", "[lower]") {
    const auto c = compile("proc r(in x, in e) { trace(\"{} {} {}\", x.v, x.w, e.v); }\n"
                           "network top() { bus b { v: u8 = 3; w: u8 = 3; z: u8; }; exposed bus "
                           "e[2] { v: u8 = 5; }; instance p of r(b, e[1]); }\n");
    std::size_t undriven = 0, inputs = 0;
    for (const auto& plane : c->ir.planes) {
        undriven += plane.kind == PlaneKind::Undriven ? 1 : 0;
        inputs += plane.kind == PlaneKind::Input ? plane.instances : 0;
    }
    CHECK(undriven == 2);  // 3 and 0
    CHECK(inputs == 2);
    CHECK(simulation::Simulator(c->ir).run(1) == std::vector<std::string>{"3 3 5"});
}

TEST_CASE("names are runs around the index that varies last", "[lower]") {
    const auto c = compile("proc q(out o) var n: u8; { o.v = n; o.w = n; }\n"
                           "network cell() { bus b { v: u8; w: u8; }; instance s of q(b); }\n"
                           "network top() { generate i = 0 until 2 { generate j = 0 until 3 { "
                           "instance c[i][j] of cell(); } } }\n");
    REQUIRE(smec::ir::verify(c->ir).empty());
    const auto& runs = c->cls("q").runs;
    REQUIRE(runs.size() == 2);
    CHECK(runs[0].prefix == "c[0][");
    CHECK(*runs[0].suffix == "].s");
    CHECK(runs[1].first == 3);
    std::vector<std::string> names;
    for (const auto& run : c->ir.names)
        names.push_back(run.prefix + "*" + *run.suffix);
    CHECK(names
          == std::vector<std::string>{"c[0][*].b.v", "c[0][*].b.w", "c[0][*].s.n", "c[1][*].b.v",
                                      "c[1][*].b.w", "c[1][*].s.n"});
}

TEST_CASE("a process sees last cycle's value of what it drives", "[lower]") {
    CHECK(runBoth("proc a(out y) { trace(\"{}\", y.v); y.v = y.v + 1; y.v = y.v + 2; }\nnetwork "
                  "top() { bus b { v: u8; }; instance p of a(b); }\n",
                  3)
          == "0|2|4");
}

TEST_CASE("a field through two ports", "[lower]") {
    const auto shifted =
        compile("proc p([][] out y, [2] out x) { y[u1(cycle())][1].v = 6; x[u1(cycle())].v = 7; }\n"
                "network top() { bus o[2][2] { v: u8; }; instance _ of p(o, o[1]); }\n");
    CHECK(shifted->messages().find("[not-supported]") == std::string::npos);
    CHECK(shifted->cls("p").outputs.size() == 1);  // all of x is a part of y
    const auto same = compile("proc p([2] out y, [2] out x) { y[u1(cycle())].v = 6; x[1].v = 7; }\n"
                              "network top() { bus o[2] { v: u8; }; instance _ of p(o, o); }\n");
    CHECK(same->cls("p").outputs.size() == 1);
    const auto mixed = compile("proc p(out y, out x) { y.v = 6; x.v = 7; }\n"
                               "network top() { bus a { v: u8; }; bus b[2] { v: u8; };\n"
                               "instance _ of p(b[0], b[1]); instance _ of p(a, a); }\n");
    CHECK(mixed->ir.classes.size() == 2);
    CHECK(mixed->ir.classes[0].outputs.size() + mixed->ir.classes[1].outputs.size() == 3);
}

TEST_CASE("hold keeps what was not written", "[lower]") {
    CHECK(runBoth("proc a(out y) var n: u8; { n = n + 1; if (n == 1) { y.v[1] = 5; } trace(\"{}\", "
                  "y.v); }\n"
                  "network top() { hold bus b { v: [2]u8 = 1; }; instance p of a(b); }\n",
                  3)
          == "[1, 1]|[1, 5]|[1, 5]");
}

TEST_CASE("control flow", "[lower]") {
    CHECK(runBoth(process(
              "var n: u4 = 2;",
              "for i = 0 to 2 { trace(\"{}\", i); } for i = 3 to n { trace(\"{}\", i); } for i = 0 "
              "until n { trace(\"{}\", i); }"
              "for i = 2 downto 1 { trace(\"{}\", i); } for i = n downto 3 { trace(\"no\"); }"))
          == "0|1|2|3|2|0|1|2|1");
    CHECK(
        runBoth(process("var n: u8 = 0;", "while (n < 9) { n = n + 1; if (n % 2 == 0) { continue; "
                                          "} if (n > 6) { break; } trace(\"{}\", n); }"))
        == "1|3|5");
    CHECK(runBoth(process("var n: u4 = 0; var b: bool;",
                          "switch n { case 1, 3 { trace(\"odd\"); } case 0 { trace(\"zero\"); } "
                          "default { trace(\"-\"); } }"
                          "switch b { case true { trace(\"t\"); } case false { trace(\"f\"); } } n "
                          "= n + 1; b = !b;"),
                  3)
          == "zero|f|odd|t|-|f");
    CHECK(runBoth(process("", "stop(3); trace(\"after\");"), 5) == "after");
}

TEST_CASE("labels that differ between instances", "[lower]") {
    CHECK(runBoth("proc a(const k: u8) var n: u8 = 1; { switch n { case k { trace(\"k\"); } case 2 "
                  "{ trace(\"2\"); } default { trace(\"-\"); } } n = n + 1; }\n"
                  "network top() { instance p of a(1); instance q of a(3); instance r of a(4); }\n",
                  3)
          == "k|-|-|2|2|2|-|k|-");
}

TEST_CASE("indices that cannot leave need no check", "[lower]") {
    const auto c = compile(
        process("var a: [16]u8; var k: u4; var s: u8; var x: u32; var d: uint range 0 to 15;",
                "for i = 0 until len(a) { s = s + a[i]; } a[k] = a[x % 16] + a[x & 15] + a[d]; d = "
                "s % 16;"),
        false, true);
    CHECK(c->cls("p").body.fails.empty());
}

TEST_CASE("numbers of any length are lowered", "[lower]") {
    CHECK_FALSE(compile(process("var a: u65536;", "a = a * a * a;"))->diagnostics.hasErrors());
    CHECK_FALSE(compile(process("var a: u64 = 1; var b: u64;", "b = (a * a * a) >> 64;"))
                    ->diagnostics.hasErrors());
}

TEST_CASE("long temporaries keep the bits that are looked at", "[lower]") {
    const auto widest = [](const std::string& statement) {
        const auto c =
            compile(process("var m: [4]u8; var a: u64 = 1; var n: u32; var k: u8;", statement));
        std::uint32_t width = 0;
        for (const smec::ir::Local& local : c->cls("p").body.locals)
            width = std::max(width, local.type.scalar.width);
        return width;
    };
    CHECK(widest("k = u8(n > 3 ? a << n : m[n]);") == 64);  // of a; 8 of the choice
    CHECK(widest("k = u8((n > 3 ? a << (n & 255) : m[n]) >> 200);") == 232);
    CHECK(widest("k = u8((n > 3 ? a << (n & 255) : m[n]) / 3);") == 319);
}

TEST_CASE("chains of one combinational process have a class for every level", "[lower]") {
    const auto source = [](int lanes) {
        return "proc r(in x, out y) { y.v = x.v + 1; }\n"
               "async proc p(in x, out y) var s: u8 = 3; { s = s + 1; y.v = x.v * 2 + s; }\n"
               "network top() { bus w["
               + std::to_string(lanes)
               + "][4] { v: u32; };\n"
                 "generate c = 0 until "
               + std::to_string(lanes)
               + " { instance r[c] of r(w[c][3], w[c][0]);\n"
                 "generate i = 0 until 3 { instance p[c][i] of p(w[c][i], w[c][i + 1]); } } }\n";
    };
    const auto c = compile(source(16));
    REQUIRE(smec::ir::verify(c->ir).empty());
    REQUIRE(c->ir.classes.size() == 4);
    for (std::uint32_t level = 0; level < 3; ++level) {
        const auto& cls = c->ir.classes[level + 1];
        CHECK(cls.name == "p");
        CHECK(cls.instances == 16);
        REQUIRE(cls.runs.size() == 1);
        CHECK(cls.runs[0].prefix == "p[");
        CHECK(*cls.runs[0].suffix == "][" + std::to_string(level) + "]");
        CHECK(cls.runs[0].orderStride == 4);  // r[c], p[c][0], p[c][1], p[c][2]
        CHECK(cls.inputs[0].elements[0].runs.size() == 1);
    }
    std::vector<std::string> names;
    for (const auto& run : c->ir.names)
        if (!run.variable) names.push_back(run.prefix + "*" + *run.suffix);
    CHECK(names == std::vector<std::string>{"w[*][0].v", "w[*][1].v", "w[*][2].v", "w[*][3].v"});

    CHECK(compile(source(15))->ir.classes.size() == 2);  // too few on a level
}

TEST_CASE("two combinational processes that read each other have levels", "[lower]") {
    const auto c =
        compile("proc r(in x, out y) { y.v = x.v + 1; }\n"
                "async proc p(in x, out y) { y.v = x.v * 2; }\n"
                "async proc q(in x, out y) { y.v = x.v + 5; }\n"
                "network top() { bus w[20][5] { v: u32; };\n"
                "generate c = 0 until 20 { instance r[c] of r(w[c][4], w[c][0]);\n"
                "generate i = 0 until 2 { instance p[c][i] of p(w[c][2 * i], w[c][2 * i + 1]);\n"
                "instance q[c][i] of q(w[c][2 * i + 1], w[c][2 * i + 2]); } } }\n");
    REQUIRE(smec::ir::verify(c->ir).empty());
    CHECK(c->ir.classes.size() == 5);
}

TEST_CASE("a cover is counted once, where an activation may come to it again", "[lower]") {
    const auto flags = [](const std::string& body) {
        const auto c = compile(process("var n: u8;", body));
        const auto& locals = c->cls("p").body.locals;
        return std::count_if(locals.begin(), locals.end(),
                             [](const smec::ir::Local& local) { return local.name == "covered"; });
    };
    CHECK(flags("cover(n > 1, \"a\"); if (n > 2) { cover(n > 3, \"b\"); }") == 0);
    CHECK(flags("cover(n > 1, \"a\"); for i = 0 until 3 { if (n > 2) { cover(n > i, \"b\"); } }")
          == 1);
    CHECK(flags("cover(n > 1, \"a\"); wait; cover(n > 2, \"b\");") == 2);
}
