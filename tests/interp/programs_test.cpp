#include <catch2/catch.hpp>

#include <utility>

#include "elab/elaborate.h"
#include "interp/simulation.h"
#include "syntax/parse.h"

using namespace smec;
using interp::Settings;
using interp::Simulation;
using Lines = std::vector<std::string>;

namespace {

/// What the processes of a program say in its first cycles (or until it ends): traces and failures.
Lines run(const std::string& text, unsigned cycles, Settings settings = {}) {
    SourceManager sources;
    Diagnostics diagnostics;
    const FileId file = sources.add("p.sme", text);
    sema::Program program;
    program.modules.push_back({syntax::parse(sources, file, diagnostics), "/p.sme", false, {}});
    const auto design = elab::elaborate(program, sources, {}, diagnostics);
    INFO(render(diagnostics, sources, {}));
    REQUIRE(design);
    Simulation simulation(*design, sources, settings);
    Lines lines;
    while (simulation.cycle() < cycles && !simulation.ended()) {
        simulation.runCombinational();
        simulation.runClocked();
        simulation.propagate();
        for (interp::Message& message : simulation.takeMessages())
            lines.push_back(std::move(message.text));
    }
    return lines;
}

/// One process without ports: declarations and body.
Lines runBody(const std::string& declarations, const std::string& body, unsigned cycles = 1,
              Settings settings = {}) {
    return run(declarations + "{\n" + body + "}\nnetwork top() { instance p of p(); }\n", cycles,
               settings);
}

}  // namespace

TEST_CASE("a combinationally driven delayed field is seen later and is no combinational edge") {
    const std::string delayed = R"(
        async proc add(in a, out y) { y.v = a.v + 1; }
        proc show(in a) { trace("{}", a.v); }
        network top() { delay DELAY bus a { v: u8 = 9; }; instance x of add(a, a); instance s of show(a); }
    )";
    const auto withDelay = [&](const std::string& delay) {
        std::string text = delayed;
        return run(text.replace(text.find("DELAY"), 5, delay), 5);
    };
    CHECK(withDelay("1") == Lines{"9", "10", "11", "12", "13"});
    CHECK(withDelay("2") == Lines{"9", "9", "10", "10", "11"});
}

TEST_CASE("an array port written at a computed index drives all elements") {
    CHECK(run(R"(
        proc put([] out q) var k: u2 = 0; { q[k % 3].v = k + 1; k = k + 1; }
        proc show([] in q) { trace("{} {} {}", q[0].v, q[1].v, q[2].v); }
        network top() { bus q[3] { v: u8 = 9; }; instance a of put(q); instance b of show(q); }
    )",
              5)
          == Lines{"9 9 9", "1 9 9", "9 2 9", "9 9 3", "4 9 9"});
}

TEST_CASE("a bit or slice of a field edits the pending value, which starts at the default or the "
          "last one") {
    CHECK(run(R"(
        proc put(out a, out b) var k: u3 = 0; { a.v[k] = true; b.v[k] = true; if (k == 2) { a.v[7:6] = 2; } k = k + 1; }
        proc show(in a, in b) { trace("{:08b} {:08b}", a.v, b.v); }
        network top() { bus a { v: u8 = 1; }; hold bus b { v: u8 = 1; }; instance p of put(a, b); instance s of show(a, b); }
    )",
              4)
          == Lines{"00000001 00000001", "00000001 00000001", "00000011 00000011",
                   "10000101 00000111"});
}

TEST_CASE("the right side is evaluated before the index, and only what is needed") {
    CHECK(runBody(R"(
        func say(x: u8): u8 { trace("say {}", x); return x; }
        func no(): bool { trace("no"); return false; }
        proc p() var a: [4]u8;
    )",
                  R"(
        a[say(1)] = say(2) + say(3);
        trace("{}", a);
        if (no() && say(4) == 4 || !no()) { trace("{}", no() ? say(5) : say(6)); }
    )") == Lines{"say 2", "say 3", "say 1", "[0, 5, 0, 0]", "no", "no", "no", "say 6", "6"});
}

TEST_CASE("a loop variable reaches the ends of its type") {
    CHECK(runBody("proc p() var n: u16;\n", R"(
        for i = 0 to 255 { n = n + 1; }
        for i = 127 downto -128 { n = n + 1; }
        trace("{}", n);
    )") == Lines{"512"});
}

TEST_CASE("ranges are checked within arrays and structs, too") {
    const std::string declarations = R"(
        type digit: uint range 1 to 9;
        type pair: struct { a: digit; b: u8; };
        proc p() var d: [2]digit = [3, 4]; var e: digit; var q: pair; var n: u8 = 7;
    )";
    CHECK(runBody(declarations, "trace(\"{} {} {}\", d, e, q); d[1] = n; q = pair(a: n, b: 0); "
                                "trace(\"{} {}\", d, q);\n")
          == Lines{"[3, 4] 1 (a: 1, b: 0)", "[3, 7] (a: 7, b: 0)"});
    const Lines failed =
        runBody(declarations, "n = 10; q = pair(a: n, b: 0); trace(\"not reached\");\n");
    REQUIRE(failed.size() == 1);
    CHECK(failed[0].find("value 10 is outside of the range 1 to 9\n  in instance 'p', cycle 0")
          != std::string::npos);
}

TEST_CASE("wait within switch, for and while, with block variables") {
    CHECK(runBody("proc p() var k: u8 = 0;\n", R"(
        for i = 0 until 3 {
            var t: u8 = i * 10;
            switch i {
                case 1 {
                    var u: u8 = t + 1;
                    wait 2;
                    trace("{} one {} {}", cycle(), t, u);
                    continue;
                }
                default {
                    while (true) {
                        wait;
                        t = t + 1;
                        if (t % 10 == 2) { break; }
                    }
                }
            }
            trace("{} end {}", cycle(), t);
        }
    )",
                  9)
          == Lines{"2 end 2", "4 one 10 11", "6 end 22"});
}

TEST_CASE("very wide integers, shifted by any count") {
    CHECK(runBody("proc p() var w: u4096 = 1; var n: u64 = 4095; var s: i200 = -1;\n", R"(
        w = w << n;
        trace("{} {}", popcount(w), w[4095]);
        n = n + 1;
        w = w << n;
        trace("{} {} {}", w, s >> n, w >> n);
        n = 3;
        n = n << 60;
        w = 5;
        w = w << n;
        trace("{}", w);
    )") == Lines{"1 true", "0 -1 0", "0"});
}

TEST_CASE("floats: no failure, canonical NaN, casts saturate") {
    CHECK(runBody("proc p() var z: f64 = 0.0; var f: f32 = 0.1; var big: u200 = 1;\n", R"(
        trace("{} {} {} {}", 1.0 / z, -1.0 / z, z / z, -(z / z));
        trace("{} {} {}", i8(1.0 / z), u8(-5.5), i16(z / z));
        trace("{} {} {}", f, f64(f), f + f32(0.2));
        big = big << 199;
        trace("{} {}", f64(big), z / z == z / z);
    )")
          == Lines{"inf -inf nan nan", "127 0 0", "0.1 0.10000000149011612 0.3",
                   "8.034690221294951e+59 false"});
}

TEST_CASE("inputs read as their defaults when nobody drives them") {
    CHECK(run(R"(
        proc show(in a) { trace("{}", a.v); }
        network top() { exposed bus a { v: u8 = 4; }; instance s of show(a); }
    )",
              2)
          == Lines{"4", "4"});
}

TEST_CASE("two hundred instances fail in one cycle: each is reported, the others finish") {
    const Lines lines = run(R"(
        proc p(const k: u8) var n: u8 = k; { assert(n % 2 == 0, "n is {}", n); trace("{}", k); }
        network top() { generate i = 0 until 200 { instance s[i] of p(i); } }
    )",
                            5);
    REQUIRE(lines.size() == 200);
    CHECK(lines[0] == "0");
    CHECK(lines[199].find("assertion failed: n is 199\n  in instance 's[199]', cycle 0")
          != std::string::npos);
}
