#include <catch2/catch.hpp>

#include "elaborated.h"

using smec::test::Elaborated;

namespace {

const std::string kNode = "proc node(in x, out y) { y.v = x.v; }\n";
const std::string kOwner = "proc owner() bus o { v: u8; }; { o.v = 1; }\n";
const std::string kShow = "proc show(in x) { trace(\"{}\", x.v); }\n";
const std::string kGather = "proc gather([] in x) { trace(\"{}\", x[0].v); }\n";

}  // namespace

TEST_CASE("instances stand depth first in source order", "[elab]") {
    const Elaborated result(kNode + R"(
        network pair(in x, out y) { bus m { v: u8; }; instance a of node(x, m); instance b of node(m, y); }
        network top() {
            bus l[4] { v: u8; };
            instance p of pair(l[0], l[1]);
            generate i = 1 until 3 { instance q[i] of node(l[i], l[i + 1]); }
        })");
    REQUIRE(result.processes() == "p.a p.b q[1] q[2]");
    CHECK(result.buses("p.a") == "l[0] p.m");
    CHECK(result.buses("p.b") == "p.m l[1]");
    CHECK(result.buses("q[2]") == "l[2] l[3]");
    CHECK(result.design->specs.size() == 1);
    CHECK(result.driver("l[3].v") == "q[2] clocked");
    CHECK(result.driver("l[0].v") == "none");
}

TEST_CASE("a process stands before the instances inside it", "[elab]") {
    const Elaborated result(kNode + R"(
        proc box(in x, out y)
            bus mid { v: u8; };
            generate i = 0 until 1 { instance s[i] of node(x, mid); }
        { y.v = mid.v; }
        network top() { bus a { v: u8; }; bus b { v: u8; }; instance w of box(a, b); })");
    REQUIRE(result.processes() == "w w.s[0]");
    CHECK(result.buses("w") == "a b w.mid");
    CHECK(result.buses("w.s[0]") == "a w.mid");
}

TEST_CASE("instances refer to one another in any order", "[elab]") {
    const Elaborated ring(R"(
        proc node(in x) bus o { v: u8; }; { o.v = x.v; }
        network wrap_(in x) { instance n of node(x); }
        network top() {
            instance a of wrap_(b.n.o);
            instance b of wrap_(a.n.o);
            generate i = 0 until 4 { instance r[i] of node(r[(i + 1) % 4].o); }
        })");
    CHECK(ring.buses("a.n") == "b.n.o a.n.o");
    CHECK(ring.buses("r[3]") == "r[0].o r[3].o");
}

TEST_CASE("a star collects in index order", "[elab]") {
    const Elaborated result(kOwner + kGather + R"(
        network top() {
            generate i = 0 until 2 { instance w[2 * i + 1] of owner(); }
            generate i = 0 until 2 { instance w[2 * i] of owner(); }
            generate c = 0 until 2 { generate r = 0 until 2 { instance m[r][c] of owner(); } }
            instance g of gather(w[*].o);
            instance h of gather(m[1][*].o);
        })");
    CHECK(result.buses("g") == "w[0].o w[1].o w[2].o w[3].o");
    CHECK(result.buses("h") == "m[1][0].o m[1][1].o");
}

TEST_CASE("sub-arrays and columns of bus arrays", "[elab]") {
    const Elaborated result(kGather + R"(
        network top() {
            bus b[2][3] { v: u8; };
            instance row of gather(b[1]);
            instance column of gather(b[*][2]);
        })");
    CHECK(result.buses("row") == "b[1][0] b[1][1] b[1][2]");
    CHECK(result.buses("column") == "b[0][2] b[1][2]");
}

TEST_CASE("anonymous instances take the next free name", "[elab]") {
    const Elaborated result(kOwner + R"(
        network top() {
            instance _ of owner();
            instance owner_1 of owner();
            instance _ of owner();
            generate i = 0 until 2 { instance _ of owner(); }
        })");
    CHECK(result.processes() == "owner_0 owner_1 owner_2 owner_3 owner_4");
}

TEST_CASE("a generate body has buses and constants of its own", "[elab]") {
    const Elaborated result(kNode + R"(
        network top() {
            generate i = 0 until 3 {
                const next: uint = i + 1;
                bus b { v: u8 = next * 10; };
                bus c { v: u8; };
                generate if (next != 2) { instance s[i] of node(b, c); }
            }
        })");
    REQUIRE(result.processes() == "s[0] s[2]");
    CHECK(result.buses("s[2]") == "b[2] c[2]");
    const auto& bus = result.design->bindings[result.design->instances[2].firstBus];
    CHECK(result.design->defaultOf(bus, 0).integer() == 30);
}

TEST_CASE("array ports shape the structure of a network", "[elab]") {
    const Elaborated result(kNode + R"(
        network spread([] in x, const n: uint = len(x)) {
            bus copy[len(x)] { v: type(x[0].v); };
            generate i = 0 until n { instance s[i] of node(x[i], copy[i]); }
        }
        network top() { bus b[3] { v: i5; }; instance w of spread(b); })");
    REQUIRE(result.processes() == "w.s[0] w.s[1] w.s[2]");
    CHECK(result.buses("w.s[2]") == "b[2] w.copy[2]");
}

TEST_CASE("references from bodies", "[elab]") {
    const Elaborated result(kOwner + R"(
        proc other() { trace("{} {}", owner.o.v, w[1].o.v); }
        proc second() bus o { v: u8; }; { o.v = 2; }
        network top() {
            instance _ of owner();
            generate i = 0 until 2 { instance w[i] of second(); }
            instance x of other();
        })");
    CHECK(result.buses("x") == "owner_0.o w[1].o");
}

TEST_CASE("specialisations are shared where values may differ", "[elab]") {
    const Elaborated result(R"(
        proc p(out y, const k: u8, const n: uint) var m: [n]u8; { m[0] = k; y.v = m[n - 1]; }
        network top() {
            bus b[40] { v: u8; };
            generate i = 0 until 40 { instance s[i] of p(b[i], i, 1 + i % 4); }
        })");
    REQUIRE(result.design);
    CHECK(result.design->specs.size() == 4);
    const smec::hir::Instance& last = result.design->instances[40];
    CHECK(result.design->specs[last.spec.index].instances.size() == 10);
    CHECK(result.design->constant(last, 0).integer() == 39);
}

TEST_CASE("own buses and initial values may depend on the instance", "[elab]") {
    const Elaborated result(R"(
        proc maker(const d: u8, const n: uint) bus o { v: u(n) = d; }; var k: u8 = d; { o.v = 1; k = k + 1; }
        network top() {
            instance a of maker(5, 4);
            instance b of maker(6, 4);
            instance c of maker(7, 8);
        })");
    REQUIRE(result.design);
    CHECK(result.design->specs.size() == 2);
    CHECK(result.design->initial(result.design->instances[2], 0).integer() == 6);
    CHECK(result.design->defaultOf(result.design->bindings[result.design->instances[3].firstBus], 0)
              .integer()
          == 7);
}

TEST_CASE("the ports of the top are exposed", "[elab]") {
    const Elaborated result(R"(
        type w: bus { v: u8; };
        proc node(in x, out y) { y.v = x.v; }
        network top(in a: w, out b: w, [2] in c: w, const n: uint = 2) { instance s of node(a, b); instance t of node(c[1], d); bus d: w; })");
    REQUIRE(result.design);
    CHECK(result.design->busGroups[0].exposed);
    CHECK(result.design->busGroups[2].dimensions == std::vector<std::uint64_t>{2});
    CHECK(result.driver("a.v") == "none");
    CHECK(result.driver("b.v") == "s clocked");
    CHECK(result.buses("t") == "c[1] d");
}

TEST_CASE("option -G sets what the top's parameters are", "[elab]") {
    smec::elab::Options options;
    options.top = "second";
    options.parameters = {"n=0x2", "shift=-4", "loud=true", "s=RUN", "f=2.5", "u=7"};
    const Elaborated result(R"(
        enum state { IDLE, RUN };
        proc say(const a: i8, const b: state, const c: f64, const d: u4) { trace("{} {} {} {}", a, b, c, d); }
        network first() { }
        network second(const n: uint, const shift: i8, const loud: bool = false, const s: state = state.IDLE, const f: f64, const u) {
            generate if (loud) { generate i = 0 until n { instance p[i] of say(shift + i, s, f, u); } }
        })",
                            options);
    CHECK(result.processes() == "p[0] p[1]");
}

TEST_CASE("numbers after -G are whole, in their base", "[elab]") {
    const auto isTaken = [](const std::string& text) {
        smec::elab::Options options;
        options.parameters = {"n=" + text};
        const Elaborated result("network top(const n: int) { }", options);
        return result.error().empty();
    };
    for (const char* text : {"0", "-0", "+7", "0xF", "0xf", "0Xa9", "0b10", "0o7", "1_0", "-0x1"})
        CHECK(isTaken(text));
    for (const char* text : {"", "-", "0x", "0xG", "0xg", "0x`", "0x@", "0b2", "0o8", "1a", "_1",
                             "1_", "1:", "1/", "--1", "1.5", " 1"})
        CHECK_FALSE(isTaken(text));
}

TEST_CASE("a top that was chosen makes no other network superfluous", "[elab][warnings]") {
    smec::elab::Options options;
    options.top = "second";
    const Elaborated result("network first() { } network second() { }", options);
    CHECK(result.error().empty());
    CHECK(result.messages(smec::Severity::Warning).empty());
}

TEST_CASE("drivers of combinational and delayed fields", "[elab]") {
    const Elaborated result(R"(
        async proc comb(in x, out y) { y.v = x.v; }
        network top() {
            bus a { v: u8; };
            bus b { v: u8; };
            delay 1 bus c { v: u8; };
            instance p of comb(a, b);
            instance q of comb(c, c);
        })");
    CHECK(result.driver("b.v") == "p combinational");
    CHECK(result.driver("c.v") == "q clocked");  // it arrives a cycle later, so that it is no edge
}

TEST_CASE("option --unwritten hold leaves combinational fields alone", "[elab]") {
    smec::elab::Options options;
    options.rules.unwrittenHold = true;
    const Elaborated result(R"(
        async proc comb(in x, out y) { y.v = x.v; }
        network top() { bus a { v: u8 = 1; }; bus b { v: u8; }; instance p of comb(a, b); })",
                            options);
    CHECK(result.error() == "");
}

TEST_CASE("a million instances take no time to speak of", "[elab]") {
    const Elaborated result(R"(
        proc node(in x, out y, const first: bool) var k: u32; { k = k + x.v; if (first) { k = 1; } y.v = k; }
        network top(const n: uint = 200000) {
            bus link[n] { v: u32; };
            generate i = 0 until n { instance s[i] of node(link[i], link[(i + 1) % n], i == 0); }
        })");
    REQUIRE(result.design);
    CHECK(result.design->instances.size() == 200'001);
    CHECK(result.design->specs.size() == 1);
    CHECK(result.buses("s[199999]") == "link[199999] link[0]");
}
