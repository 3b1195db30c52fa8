#include <catch2/catch.hpp>

#include "elaborated.h"

// Every message about structure, with its line and its essential words.

using smec::test::Elaborated;

namespace {

const std::string kParts =
    "type w: bus { v: u8; ok: bool; };"
    " proc put(out y) { y.v = 1; }"
    " proc show(in x) { trace(\"{}\", x.v); }"
    " proc own() bus o { v: u8; }; { o.v = 1; }"
    " proc typed(in x: w) { trace(\"{}\", x.v); }"
    " proc many([] in x) { trace(\"{}\", x[0].v); }"
    " proc two([2] in x) { trace(\"{}\", x[0].v); }"
    " async proc comb(in x, out y) { y.v = x.v; }"
    " proc value(const k: u4, const b: uint = 1) { trace(\"{} {}\", k, b); }\n";

/// Errors of a network around `body`, which starts on line 2.
std::string inTop(const std::string& body, const smec::elab::Options& options = {}) {
    return Elaborated(kParts + "network top() { bus b { v: u8; }; bus a[3] { v: u8; };" + body
                          + " }",
                      options)
        .error();
}

std::string whole(const std::string& text, const smec::elab::Options& options = {}) {
    return Elaborated(text, options).error();
}

smec::elab::Options withParameters(std::vector<std::string> parameters) {
    smec::elab::Options options;
    options.parameters = std::move(parameters);
    return options;
}

}  // namespace

TEST_CASE("choosing the top", "[elab][errors]") {
    CHECK(whole("const k: u8 = 1;")
          == "1 [no-network] 'test.sme' declares no network; a design needs one to start from");
    CHECK(whole("network a() { }\nnetwork b() { }")
          == "2 [several-tops] several networks could be the top: 'a', 'b'; choose one with --top");
    smec::elab::Options options;
    options.top = "firts";
    CHECK(whole("network first() { }", options)
          == "1 [unknown-top] there is no network 'firts' to be the top; did you mean 'first'?");
    options = {};
    options.checkOnly = true;
    CHECK(whole("const k: u8 = 1;", options) == "");
    CHECK(whole("network a(in x) { }\nnetwork b(const k: u8) { }", options) == "");
}

TEST_CASE("ports and parameters of the top", "[elab][errors]") {
    CHECK(whole("network top(in x) { }")
          == "1 [top-port-untyped] port 'x' of the top network 'top' has no type; the outside "
             "needs to know its fields, as in 'x: bustype'");
    CHECK(whole("type w: bus { v: u8; }; network top([] in x: w) { }")
              .find("1 [top-port-size] array port 'x'")
          == 0);
    CHECK(whole("network top(const n: u8) { }")
          == "1 [top-constant-missing] const parameter 'n' of the top network 'top' has no value; "
             "set it with -G n=...");
    CHECK(whole("network top() { }", withParameters({"n"}))
          == "1 [top-parameter-form] 'n' does not set a parameter; write -G name=value");
    CHECK(whole("network top(const size: u8 = 1) { }", withParameters({"sise=2"}))
          == "1 [top-parameter-unknown] the top network 'top' has no const parameter 'sise'; did "
             "you mean 'size'?");
    CHECK(whole("network top(const n: u8 = 1) { }", withParameters({"n=300"}))
          == "1 [top-parameter-value] '300' is no value for const parameter 'n' of type u8");
    for (const char* text : {"n=", "n=1x", "n=0b2", "n=_1", "n=true", "n=--1", "n=1e3"}) {
        CHECK(whole("network top(const n: u8 = 1) { }", withParameters({text}))
                  .find("[top-parameter-value]")
              != std::string::npos);
    }
}

TEST_CASE("entities", "[elab][errors]") {
    CHECK(inTop("\n instance x of putt(b);")
          == "3 [unknown-entity] there is no process or network 'putt'; did you mean 'put'?");
    CHECK(inTop("\n instance x of w();").find("3 [not-an-entity] 'w' is no process or network")
          == 0);
    CHECK(whole("network a() {\n instance x of b(); }\n network b() {\n instance y of a(); }\n "
                "network top() { instance z of a(); }")
          == "4 [instantiation-cycle] 'a' instantiates itself: a in b in a");
    CHECK(whole("network a() { instance x of a(); }")
          == "1 [instantiation-cycle] 'a' instantiates itself: a in a");
    CHECK(inTop("\n instance x of cell(y.o); instance y of cell(x.o);").find("[unknown-entity]")
          != std::string::npos);
    CHECK(whole("proc p(in x) bus o { v: type(x.v); }; { o.v = x.v; }\nnetwork top() { instance a "
                "of p(c.o); instance c of p(a.o); }")
              .find("[structure-cycle] the structure of")
          != std::string::npos);
}

TEST_CASE("arguments", "[elab][errors]") {
    CHECK(inTop("\n instance x of put(b, b);")
          == "3 [too-many-arguments] 'put' takes 1 argument, not 2 arguments");
    CHECK(inTop("\n instance x of put();")
          == "3 [missing-argument] 'put' needs an argument for its parameter 'y'");
    CHECK(inTop("\n instance x of value(kk: 1);")
          == "3 [unknown-parameter] 'value' has no parameter 'kk'; did you mean 'k'?");
    CHECK(inTop("\n instance x of value(1, k: 2);")
          == "3 [argument-twice] parameter 'k' of 'value' is given twice");
    CHECK(inTop("\n instance x of show(3);")
          == "3 [not-a-bus] port 'x' of 'show' takes a bus, not '3'; name one, as in 'link[2]' or "
             "'instance.bus'");
    CHECK(
        inTop("\n const k: u8 = 1; instance x of show(k);").find("3 [not-a-bus] port 'x' of 'show'")
        == 0);
    CHECK(inTop("\n instance x of value(16);").find("parameter 'k' of 'value'")
          != std::string::npos);
}

TEST_CASE("paths", "[elab][errors]") {
    CHECK(
        inTop("\n instance x of show(bb);").find("3 [unknown-bus] there is no bus or instance 'bb'")
        == 0);
    CHECK(inTop("\n instance p of own(); instance x of show(p.oo);")
          == "3 [no-such-bus] 'own' has no bus or instance 'oo'; did you mean 'o'?");
    CHECK(inTop("\n instance x of show(b.v);").find("3 [field-is-no-bus] 'b' is a bus, so 'v'")
          == 0);
    CHECK(inTop("\n instance p of own(); instance x of show(p);")
              .find("3 [instance-is-no-bus] 'p' is an instance of 'own'")
          == 0);
    CHECK(inTop("\n instance p[0] of own(); instance x of show(p.o);")
          == "3 [instance-needs-index] 'p' is an array of instances that takes 1 index; '[*]' "
             "takes them all");
    CHECK(inTop("\n instance p of own(); instance x of show(p[0].o);")
              .find("3 [instance-indices] 'p' is an instance")
          == 0);
    CHECK(inTop("\n instance p[0] of own(); instance x of show(p[1].o);")
          == "3 [not-generated] instance 'p[1]' was not generated");
    CHECK(inTop("\n instance x of show(own.o);")
              .find("3 [not-one-instance] 'top' holds 0 instances of 'own'")
          == 0);
    CHECK(inTop("\n instance x of show(a[1][2]);")
          == "3 [bus-dimensions] too many indices: 'a' is an array of 1 dimension");
    CHECK(inTop("\n instance x of show(b[1]);")
          == "3 [bus-dimensions] too many indices: 'b' is a single bus");
    CHECK(inTop("\n instance x of show(a[3]);")
          == "3 [bus-index] index 3 is out of range: 'a' has 3 elements");
}

TEST_CASE("an error in an index of a generated instance", "[elab][errors]") {
    CHECK(inTop("\n generate i = 0 until 4 { instance x[i] of show(a[i]); }")
          == "3 [bus-index] index 3 is out of range: 'a' has 3 elements");
    CHECK(inTop("\n generate i = 0 until 20 { instance x[i] of value(i); }")
          == "3 [constant-fit] 16 does not fit parameter 'k' of 'value' of type u4, which holds 0 "
             "to 15 | "
             "3 [constant-fit] 17 does not fit parameter 'k' of 'value' of type u4, which holds 0 "
             "to 15 | "
             "3 [constant-fit] 18 does not fit parameter 'k' of 'value' of type u4, which holds 0 "
             "to 15 | "
             "3 [constant-fit] 19 does not fit parameter 'k' of 'value' of type u4, which holds 0 "
             "to 15");
}

TEST_CASE("names of instances", "[elab][errors]") {
    CHECK(inTop("\n instance p of own();\n instance p of own();")
          == "4 [duplicate-instance] instance 'p' is declared twice");
    CHECK(inTop("\n generate i = 0 until 2 { instance p of own(); }")
          == "3 [duplicate-instance] instance 'p' is declared twice; in a generate give it an "
             "index of its own, as in 'p[i]'");
    CHECK(inTop("\n instance p of own();\n instance p[1] of own();")
          == "4 [instance-index-count] instance 'p' has 1 index here and 0 indices elsewhere");
    CHECK(inTop("\n instance b of own();").find("[duplicate-name]") != std::string::npos);
}

TEST_CASE("what is connected to a port", "[elab][errors]") {
    CHECK(inTop("\n instance x of show(a);")
          == "3 [port-takes-one-bus] port 'x' of 'show' takes one bus, but 'a' is an array of 3 "
             "buses; choose one");
    CHECK(inTop("\n instance x of many(b);")
          == "3 [port-takes-array] port 'x' of 'many' takes an array of buses, but 'b' is a single "
             "one");
    CHECK(inTop("\n instance x of two(a);")
          == "3 [port-array-size] port 'x' of 'two' takes 2 buses, but 'a' has 3");
    CHECK(inTop("\n instance x of typed(b);")
          == "3 [port-field-missing] port 'x' of 'typed' needs a field 'ok' of type bool, which "
             "'b' does not have");
    CHECK(
        inTop("\n bus c { v: i8; ok: bool; }; instance x of typed(c);")
        == "3 [port-field-type] field 'v' of 'c' is of type i8, but port 'x' of 'typed' needs u8");
    CHECK(whole(kParts
                + "network n(in x) {\n instance p of put(x); }\nnetwork top() { bus b { v: u8; }; "
                  "instance q of n(b); }")
          == "3 [input-driven] 'x' is an input of this network and cannot be connected to 'y', an "
             "output of 'put'");
    CHECK(inTop("\n instance p[0] of own(); generate i = 1 until 2 { instance p[i] of other(); } "
                "instance x of many(p[*].o);")
              .find("[unknown-entity]")
          != std::string::npos);
    CHECK(whole("proc p(const n: uint) bus o { v: u(n); }; { o.v = 1; } proc many([] in x) { "
                "trace(\"{}\", x[0].v); }\n"
                "network top() { generate i = 1 to 2 { instance s[i] of p(i); } instance x of "
                "many(s[*].o); }")
              .find("2 [elements-differ] the buses of 's[*].o' differ")
          == 0);
}

TEST_CASE("sizes without bound", "[elab][errors]") {
    CHECK(inTop("\n generate i = 0 until 1_000_000_000_000 { instance p[i] of own(); }")
          == "3 [generate-too-large] this generate has 1000000000000 rounds, after 0 others; at "
             "most 100000000 are allowed (--max-instances)");
    CHECK(inTop("\n bus c[1_000_000][1_000_000] { v: u8; };")
              .find("3 [too-many-buses] bus 'c' has 1000000000000 fields")
          == 0);
    smec::elab::Options options;
    options.maxInstances = 10;
    CHECK(inTop("\n generate i = 0 to 3 { instance p[i] of own(); instance q[i] of own(); instance "
                "r[i] of own(); }",
                options)
              .find("[too-many-")
          != std::string::npos);
    CHECK(whole("proc p() { }\nnetwork top() { generate i = 0 to 3 { instance _ of p(); instance _ "
                "of p(); instance _ of p(); } }",
                options)
          == "2 [too-many-instances] more than 10 instances (--max-instances)");
    CHECK(inTop("\n generate i = 9223372036854775807 to 9223372036854775808 { instance p[i] of "
                "own(); }")
              .find("3 [generate-bound] the bounds")
          == 0);
}

TEST_CASE("drivers", "[elab][errors]") {
    CHECK(inTop("\n instance p of put(b);\n instance q of put(b);")
          == "4 [two-drivers] 'b.v' is driven by both 'p' and 'q'; a field has one driver at most");
    CHECK(inTop("\n generate i = 0 until 9 { instance p[i] of put(b); }")
          == "3 [two-drivers] 'b.v' is driven by both 'p[0]' and 'p[1]'; a field has one driver at "
             "most");
    const Elaborated two(
        kParts
        + "network top() { bus b { v: u8; };\n instance p of put(b);\n instance q of put(b); }");
    REQUIRE(two.diagnostics.all().at(0).notes.size() == 1);
    CHECK(two.diagnostics.all()[0].notes[0].message == "also driven here, by 'p'");
    CHECK(two.sources
              .position(two.diagnostics.all()[0].notes[0].range.file,
                        two.diagnostics.all()[0].notes[0].range.begin)
              .line
          == 3);
}

TEST_CASE("combinational cycles", "[elab][errors]") {
    CHECK(inTop("\n instance p of comb(b, a[0]); instance q of comb(a[0], b);")
          == "3 [combinational-cycle] combinational cycle: p -> a[0].v -> q -> b.v -> p");
    CHECK(inTop("\n instance p of comb(b, b);")
          == "3 [combinational-cycle] combinational cycle: p -> b.v -> p");
    CHECK(inTop("\n instance p of comb(b, a[0]); delay 1 bus c { v: u8; }; instance q of "
                "comb(a[0], c); instance r of comb(c, b);")
          == "");
    const std::string ring = whole(kParts
                                   + "network top() { bus l[20] { v: u8; };\n generate i = 0 until "
                                     "20 { instance s[i] of comb(l[i], l[(i + 1) % 20]); } }");
    CHECK(ring.substr(0, 67)
          == "3 [combinational-cycle] combinational cycle: s[0] -> l[1].v -> s[1]");
    CHECK(ring.find("more) -> l[0].v -> s[0]") != std::string::npos);
}

TEST_CASE("hold is no latch", "[elab][errors]") {
    CHECK(inTop("\n hold bus h { v: u8; };\n instance p of comb(b, h);")
          == "3 [hold-combinational] 'h.v' is 'hold', but combinational instance 'p' of 'comb' "
             "drives it; that would be a latch");
    CHECK(inTop("\n hold delay 2 bus h { v: u8; }; instance p of comb(b, h);") == "");
}

TEST_CASE("errors of one instance name it", "[elab][errors]") {
    const Elaborated result("proc p(in x, const n: uint) var a: [n]u8; {\n a[3] = x.v; }\nnetwork "
                            "top() { bus b { v: u8; };\n"
                            "generate i = 2 to 9 { instance s[i] of p(b, i); } }");
    REQUIRE(result.messages().size() >= 1);
    const smec::Diagnostic& first = result.diagnostics.all().at(0);
    REQUIRE(first.notes.size() == 1);
    CHECK(first.notes[0].message == "in instance 's[2]' of 'p'");
}

TEST_CASE("a design that is far too large is refused before it is made", "[elab][errors]") {
    const std::string empty = "proc q() { }\n";
    CHECK(whole(empty
                + "network top() { generate i = 0 to 999999 { generate k = 0 until 1000000 { "
                  "instance _ of q(); } } }")
              .find("[too-many-instances]")
          != std::string::npos);
    std::string doubling = empty + "network n0() { instance _ of q(); }\n";
    for (int i = 1; i < 60; ++i) {
        const std::string inner = "instance _ of n" + std::to_string(i - 1) + "(); ";
        doubling += "network n" + std::to_string(i) + "() { " + inner + inner + "}\n";
    }
    CHECK(whole(doubling).find("[too-many-instances]") != std::string::npos);
    // what cannot be told counts as none
    CHECK(whole(empty
                + "network half(const n: uint) { generate i = 0 until n { generate k = 0 until "
                  "1000000 { generate l = 0 until 1000 { instance _ of q(); } } } }\n"
                  "network top() { instance _ of half(0); generate if (false) { generate i = 0 to "
                  "1000000000 { instance _ of q(); } } else { } }")
          == "");
}

TEST_CASE("extern processes drive what their ports say", "[elab][errors]") {
    const std::string head = "type w: bus { v: u8; flip ready: bool; };\n"
                             "extern proc dsp(in a: w, out p: w) cpp(\"dsp.hpp\");\n";
    CHECK(whole(head + "network top() { bus b: w; bus c: w; instance x of dsp(b, c); }") == "");
    CHECK(whole(head
                + "network top() { bus b: w; bus c: w; instance x of dsp(b, c); "
                  "instance y of dsp(b, c); }")
              .find("[two-drivers]")
          != std::string::npos);
    CHECK(
        whole(head + "network top() { bus b: w; instance x of dsp(b); }").find("[missing-argument]")
        != std::string::npos);
}

TEST_CASE("processes without instances", "[elab][errors]") {
    CHECK(whole("type w: bus { v: u8; };\nproc p(in x: w) { trace(\"{}\", nothing); }\nnetwork "
                "top() { }")
              .find("2 [unknown-name]")
          == 0);
    CHECK(whole("proc p(in x) { trace(\"{}\", nothing); }\nnetwork top() { }") == "");
    CHECK(whole("proc p(const n: uint) var a: [n]u8; { a[7] = 1; a[n - 1] = 100 / n; }\nnetwork "
                "top() { }")
          == "");
    CHECK(
        whole("proc p(const n: uint) var a: [n]u8; {\n a[n] = 1; missing = 1; }\nnetwork top() { }")
            .find("missing")
        != std::string::npos);
}

TEST_CASE("warnings about structure", "[elab][warnings]") {
    const Elaborated result(kParts + R"(
        network unused() { }
        network top() {
            bus plain { v: u8; };
            bus given { v: u8 = 3; };
            bus lonely { v: u8; };
            exposed bus seen { v: u8; };
            instance a of show(plain);
            instance b of show(given);
            instance c of put(lonely);
            instance d of put(seen);
        })",
                            [] {
                                smec::elab::Options options;
                                options.checkOnly = false;
                                options.top = "";
                                return options;
                            }());
    CHECK(result.error().find("[several-tops]") != std::string::npos);
    const Elaborated good(kParts + R"(network top() {
            bus plain { v: u8; };
            bus given { v: u8 = 3; };
            bus lonely[3] { v: u8; };
            exposed bus seen { v: u8; };
            instance a of show(plain);
            instance b of show(given);
            instance c of put(lonely[1]);
            instance d of put(seen);
        })");
    const std::vector<std::string> warnings = good.messages(smec::Severity::Warning);
    const auto has = [&](const std::string& text) {
        return std::any_of(warnings.begin(), warnings.end(), [&](const std::string& one) {
            return one.find(text) != std::string::npos;
        });
    };
    CHECK(has("3 [undriven] field 'v' of bus 'plain' is read, but nobody drives it"));
    CHECK(has("5 [unread] field 'v' of bus 'lonely' is never read"));
    CHECK(has("1 [uninstantiated] process 'typed' is never instantiated"));
    CHECK_FALSE(has("'given'"));
    CHECK_FALSE(has("'seen'"));
    CHECK_FALSE(has("'put'"));
}

TEST_CASE("a field of a type is read where a port of the top network is", "[elab][warnings]") {
    const Elaborated good(R"(
        type one: bus { v: u8; };
        async proc copy(in x: one, out y: one) { y.v = x.v; }
        network top(in x: one, out y: one)
        {
            bus lonely: one;
            instance a of copy(x, y);
            instance b of copy(x, lonely);
        })");
    CHECK(good.messages(smec::Severity::Warning).empty());
}
