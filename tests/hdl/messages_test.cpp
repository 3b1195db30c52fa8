#include <catch2/catch.hpp>

#include <set>

#include <fmt/format.h>

#include "hdl/build.h"
#include "lower/compile.h"
#include "rewrite/aliases.h"

using namespace smec;

namespace {

constexpr const char* kTypes = R"(type port: bus { n: u4; m: u20; v: u8; };
type word: bus { v: u32; };
)";

/// What exporting says, by message and line in front of `program`'s first.
struct Said {
    std::vector<DiagId> ids;
    std::vector<DiagId> notes;
    std::vector<std::string> messages;
    bool isUsable = false;
};

Said exported(const std::string& program) {
    elab::Options elaboration;
    elaboration.networks = true;
    const auto compiled = compile(kTypes + program, true, false, elaboration);
    Diagnostics diagnostics;
    std::optional<hir::Design> plain = rewrite::withoutAliases(*compiled->hir);
    const hir::Design& from = plain ? *plain : *compiled->hir;
    ir::Design lowered = lower::lower(
        from, {.unchecked = true, .levels = false, .sources = &compiled->sources}, diagnostics);
    Said said;
    said.isUsable =
        hdl::build(from, std::move(lowered), compiled->sources, diagnostics).has_value();
    for (const Diagnostic& one : diagnostics.all()) {
        said.ids.push_back(one.id);
        said.messages.push_back(one.message);
        CHECK(one.range.valid());
        for (const Note& note : one.notes)
            said.notes.push_back(note.id);
    }
    return said;
}

/// A clocked process with this body between `x` and `y`.
std::string body(const std::string& declarations, const std::string& statements) {
    return "proc p(in x, out y) " + declarations + " { " + statements
           + " }\nnetwork top(in x: port, out y: word) { instance _ of p(x, y); }\n";
}

std::string loop(const std::string& statements) {
    return body("", "var s: u32 = 0; " + statements + " y.v = s;");
}

/// An extern process, in an instance with `arguments`.
std::string external(const std::string& name, const std::string& input,
                     const std::string& arguments, const std::string& constant = "") {
    return "extern proc " + name + "(" + input + ", out y: word" + constant
           + ") cpp(\"own.hpp\") verilog(\"own.v\");\nnetwork top(in x: port, out y: word) "
             "{ instance _ of "
           + name + "(" + arguments + "); }\n";
}

const std::string kManyReturns =
    "func f(x: u32): u32 { for i = 0 until 200 { for j = 0 until 200 { if (x == i * 3 + j) "
    "{ return i; } } } return 0; }\n";

/// Of which each calls the one in front of it twice: 2^count calls written out.
std::string doubling(int count) {
    std::string all = "func f0(x: u32): u32 { return u32(x * 3 + 1) ^ 5; }\n";
    for (int i = 1; i <= count; ++i)
        all += fmt::format("func f{}(x: u32): u32 {{ return u32(f{}(x) + f{}(u32(x + {}))); }}\n",
                           i, i - 1, i - 1, i);
    return all;
}

std::string memory(const std::string& statements) {
    return body("var mem: [128]u8; var old: [128]u8; var n: u8;", statements);
}

struct Refused {
    std::string program;
    DiagId id;
    std::string message;
};

}  // namespace

TEST_CASE("what hardware cannot do is an error", "[hdl]") {
    const std::string tail = " cannot be exported as hardware";
    const Refused refused[] = {
        {body("var n: f64;", "n = 1.5; y.v = u32(n);"), DiagId::HardwareFloat,
         "the floating-point number 'n'"},
        {"proc p(in x, out y) { y.v = x.n; }\n"
         "network top(in x: both, out y: word) { instance _ of p(x, y); }\n"
         "type both: bus { n: u4; f: f64; };\n",
         DiagId::HardwareFloat, "the floating-point number 'x.f'"},
        {"proc p(in x, out y) { y.v = x.f > 1.5 ? 1 : 0; }\n"
         "network top(in x: both, out y: word) { instance _ of p(x, y); }\n"
         "type both: bus { f: f64; };\n",
         DiagId::HardwareArithmetic, "floating-point arithmetic"},
        {"async proc p(in x, out y) { y.v = x.n; }\n"
         "network top(in x: port) { hold delay 2 bus y { v: u8; }; instance _ of p(x, y); }\n",
         DiagId::HardwareHold, "a field that a combinational process holds"},
        {"extern func abs(x: i32): i32 from \"stdlib.h\";\n" + body("", "y.v = u32(abs(x.n));"),
         DiagId::HardwareFunction, "the C++ of 'abs'"},
        {loop("for i = 0 until x.m { s = s + 1; }"), DiagId::HardwareBounds,
         "a loop whose bounds are not constant"},
        {loop("while (s < x.m) { s = s + 3; }"), DiagId::HardwareBounds,
         "a loop whose bounds are not constant"},
        {loop("for i = 0 until 5000 { s = s + x.n; }"), DiagId::HardwareRounds,
         "a loop of more than 4096 rounds (5000)"},
        {kManyReturns + body("", "y.v = f(x.m);"), DiagId::HardwareReturns,
         "a loop with 40000 ways to return, more than 4096,"},
        {loop("for i = 0 until 4000 { for j = 0 until 4000 { if (x.m == i * j) { break; } "
              "s = s + 1; } }"),
         DiagId::HardwareLoopSize, "loops of so many operations"},
        {doubling(17) + body("", "y.v = f17(x.m);"), DiagId::HardwareBodySize,
         "a body of so many operations"},
        {body("", "while (true) { y.v = x.n; while (x.m > 3) { y.v = 2; if (x.v == 1) { wait; } } "
                  "wait; }"),
         DiagId::HardwareWait,
         "a process that can go round a loop several times between two waits"},
        {"extern proc own(in x: both, out y: word) cpp(\"own.hpp\") verilog(\"own.v\");\n"
         "network top(in x: both, out y: word) { instance _ of own(x, y); }\n"
         "type both: bus { f: f64; };\n",
         DiagId::HardwareExternFloat, "the float 'x.f' of the extern process 'own'"},
        {external("own", "in x: port", "x, y, k: 1.5", ", const k: f64"),
         DiagId::HardwareExternConstant,
         "the constant 'k', which is no integer, of the extern process 'own'"},
        {external("module", "in x: port", "x, y"), DiagId::HardwareExternName,
         "the extern process 'module', a name that Verilog or VHDL reserves or that differs from "
         "another's in the case of letters only,"},
    };
    for (const Refused& one : refused) {
        INFO(one.program);
        const Said said = exported(one.program);
        REQUIRE(said.ids == std::vector<DiagId>{one.id});
        CHECK(said.messages.front() == one.message + tail);
        CHECK_FALSE(said.isUsable);
    }
}

TEST_CASE("what is for simulators is left out with a warning", "[hdl]") {
    const Said said = exported(
        "proc p(in x, out y) { trace(\"a\"); if (x.n == 3) { trace(\"b\"); stop; } y.v = x.n; }\n"
        "sim proc bench() { trace(\"c\"); }\n"
        "network top(in x: pair, out y: word) { instance _ of p(x, y); instance _ of bench(); }\n"
        "type pair: bus { n: u4; };\n");
    CHECK(said.isUsable);
    CHECK(said.ids == std::vector<DiagId>{DiagId::LeftOut, DiagId::LeftOut, DiagId::LeftOut});
    CHECK(
        said.messages
        == std::vector<std::string>{"the 'trace' of 'p' is left out of the hardware",
                                    "the 'stop' of 'p' is left out of the hardware",
                                    "the simulation process 'bench' is left out of the hardware"});
}

TEST_CASE("a note says why an array becomes registers", "[hdl]") {
    const std::pair<const char*, std::optional<DiagId>> cases[] = {
        {"y.v = mem[x.m & 127]; mem[x.v & 127] = x.n;", std::nullopt},
        {"y.v = mem[x.m & 127] ^ n; mem[x.v & 127] = x.n; old = mem; n = old[x.n];",
         DiagId::MemoryWhole},
        {"mem[x.v & 127] = 1; mem[x.n] = 2; mem[n & 127] = 3; mem[x.m & 63] = 4; mem[x.m & 31] = "
         "5; "
         "y.v = mem[x.m & 127];",
         DiagId::MemoryReadAfter},
        {"y.v = mem[x.n]; mem[x.v & 127] = 1; if (x.m == 3) { mem[x.n] = 2; }",
         DiagId::MemoryTwoPlaces},
        {"y.v = mem[x.m & 127]; mem[x.v & 127] = 1; mem[x.n] = 2; mem[n & 127] = 3;",
         DiagId::MemoryPlaces},
        {"y.v = mem[(x.m + x.n) & 127] + 1; mem[x.v & 127] = x.n;", DiagId::MemoryReadAtOnce},
    };
    for (const auto& [statements, why] : cases) {
        INFO(statements);
        const Said said = exported(memory(statements));
        CHECK(said.isUsable);
        const std::set<DiagId> notes(said.notes.begin(), said.notes.end());
        REQUIRE(notes == (why ? std::set<DiagId>{*why} : std::set<DiagId>{}));
        if (why) CHECK(said.messages.front() == "'mem' becomes registers, not block RAM");
    }
}
