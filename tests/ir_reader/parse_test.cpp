#include <catch2/catch.hpp>

#include <limits>

#include <fmt/format.h>

#include "ir/analysis.h"
#include "ir/hash.h"
#include "ir/tidy.h"
#include "ir_reader/parse.h"

using namespace smec;

namespace {

constexpr const char* kDesign = R"(design top, 2 processes
enum 0 kind: u3
    member OFF = 0
plane 0 output y.v of 0: 2 x u8 = each 1, 2
plane 1 state a of 0: 2 x [4]u8 dimensions 4 = 4 of 0
table 0 primes: [3]u8 = 2, 3, 5
class 0 p: 2 instances
    instance 0 "q["0..1"]" order 1 by 1
    input x.v: u8
        0 + 2: plane 0 from 1 by -1
    output y.v: plane 0
    variable a: plane 1
    column $k: u8 range 3 to 4 = 3, 4
    fail site 0 index of a (int u8, int i64) at 0:10..12
    state a: [4]u8
    output y.v: u8
    temp t#2: u8
    t#2 = min(x.v, $k)
    check (t#2 <= 3) site 0 (t#2, 4)
    if (t#2 == 2)
        y.v = table0[t#2]
    else if (t#2 == 1)
        y.v = a[t#2]
    else
        y.v = wrap u8((x.v + 1))
)";

/// The text with one part in place of another one.
std::string with(const std::string& part, const std::string& other) {
    std::string text = kDesign;
    const std::size_t at = text.find(part);
    REQUIRE(at != std::string::npos);
    return text.replace(at, part.size(), other);
}

std::string errorOf(const std::string& text) {
    const ir::Parsed parsed = ir::parse(text);
    if (parsed.design) return "";
    return fmt::format("{}:{}: {}", parsed.error.line, parsed.error.column, parsed.error.message);
}

}  // namespace

TEST_CASE("what is printed is what was read", "[ir][parse]") {
    const ir::Parsed parsed = ir::parse(kDesign);
    REQUIRE(parsed.design);
    CHECK(ir::print(*parsed.design) == kDesign);
    CHECK(ir::verify(*parsed.design).empty());
}

TEST_CASE("comments and empty lines are no lines", "[ir][parse]") {
    std::string text = "// one\n\n";
    for (const char* c = kDesign; *c != '\0'; ++c) {
        text += *c;
        if (*c == '\n') text += "\n    // more: and less\n";
    }
    const ir::Parsed parsed = ir::parse(text);
    REQUIRE(parsed.design);
    CHECK(ir::print(*parsed.design) == kDesign);
}

TEST_CASE("errors in the text of a design have a place", "[ir][parse]") {
    CHECK(errorOf("") == "1:1: expected 'design', found the end of the text");
    CHECK(errorOf(with("design top", "module top")) == "1:1: expected 'design', found 'module'");
    CHECK(errorOf(with("2 processes", "-2 processes")) == "1:13: a number out of range");
    CHECK(errorOf(with("plane 1 state", "plane 2 state")) == "5:8: expected number 1");
    CHECK(errorOf(with("plane 1 state", "plane 1 steady"))
          == "5:9: expected a kind of plane, found 'steady'");
    CHECK(errorOf(with("4 of 0", "99999999 of 0")) == "5:48: a number of values out of range");
    CHECK(errorOf(with("u8 = 2, 3", "u0 = 2, 3")) == "6:20: a width out of range");
    CHECK(errorOf(with("u8 = 2, 3", "u131073 = 2, 3")) == "6:20: a width out of range");
    CHECK(errorOf(with("[3]u8", "[0]u8")) == "6:18: an array without elements");
    CHECK(errorOf(with("    input", "  input"))
          == "9:3: a line that does not begin behind a multiple of four spaces");
    CHECK(errorOf(with("plane 0 from", "plane 7 from")) == "10:22: there is no plane 7");
    CHECK(errorOf(with("variable a:", "variable b:")) == "12:14: plane 1 is called a");
    CHECK(errorOf(with("temp t#2", "temp t")) == "17:11: expected '#2'");
    CHECK(errorOf(with("temp t#2", "state a"))
          == "17:12: another local has this name; expected '#2' behind it");
    CHECK(errorOf(with("min(x.v", "min(z.v")) == "18:15: there is no local or input 'z.v'");
    CHECK(errorOf(with("$k)", "$j)")) == "18:21: there is no column 'j'");
    CHECK(errorOf(with("(t#2 <= 3)", "(t#2 = 3)")) == "19:16: expected an operator, found '='");
    CHECK(errorOf(with("        y.v = table0", "            y.v = table0"))
          == "21:13: a line that is too far to the right");
    CHECK(errorOf(with("table0[", "table1[")) == "21:15: there is no table 1");
    CHECK(errorOf(with("a[t#2]", "a[t#2")) == "23:20: expected ']', found the end of the line");
    CHECK(errorOf(with("    else\n", "    case 1\n")) == "24:5: a line that does not belong here");
    CHECK(errorOf(with("(x.v + 1)", "%0")) == "25:24: there is no %0 in front");
    CHECK(errorOf(std::string(kDesign) + "end\n") == "26:1: a line that does not belong here");
}

TEST_CASE("nesting without end is refused", "[ir][parse]") {
    CHECK(errorOf(with("(x.v + 1)", std::string(501, '(')))
          == "25:522: an expression of more than 500 levels");
    std::string blocks;
    for (std::size_t depth = 1; depth < 1'100; ++depth)
        blocks += std::string(4 * depth, ' ') + "loop\n";
    CHECK_THAT(errorOf(kDesign + blocks), Catch::Contains("blocks of more than 1000 levels"));
}

TEST_CASE("names that are words of the text are quoted, and equal ones numbered", "[ir][parse]") {
    ir::Design design = *ir::parse(kDesign).design;
    ir::Class& cls = design.classes[0];
    for (const char* name :
         {"if", "", "a b", "table7", "x..y", "end.", "\"\\\n\x01", "f32", "y.v"}) {
        INFO(name);
        cls.inputs[0].name = name;
        cls.body.locals[0].name = name;
        const ir::Parsed again = ir::parse(ir::print(design));
        REQUIRE(again.design);
        CHECK(again.design->classes[0].inputs[0].name == name);
        CHECK(again.design->classes[0].body.locals[0].name == name);
        ir::Design tidied = design;
        ir::tidy(tidied, tidied.classes[0].body);
        CHECK(ir::hashOf(*again.design) == ir::hashOf(tidied));
    }
}

TEST_CASE("floats are read as they were, to the bit", "[ir][parse]") {
    for (const double value :
         {0.0, -0.0, 1.5, 1e300, 5e-324, std::numeric_limits<double>::infinity(),
          std::numeric_limits<double>::quiet_NaN(), 0.1}) {
        ir::Design design = *ir::parse(kDesign).design;
        ir::Plane plane;
        plane.name = "f";
        plane.kind = ir::PlaneKind::Undriven;
        plane.type = {{ir::ScalarKind::F64, true, 64}, 0};
        plane.initial.values = {ir::Constant{value}};
        design.planes.push_back(plane);
        const ir::Parsed again = ir::parse(ir::print(design));
        REQUIRE(again.design);
        CHECK(again.design->planes.back().initial.values[0] == plane.initial.values[0]);
    }
}

TEST_CASE("floating constants in bodies have a type", "[ir][parse]") {
    for (const char* value :
         {"1.5f32", "-0.0f64", "1e+300f64", "0x7ff0000000000000f32", "0x7ff8000000000000f64"}) {
        INFO(value);
        const ir::Parsed parsed = ir::parse(with("(t#2 == 2)", fmt::format("({0} <. {0})", value)));
        REQUIRE(parsed.design);
        CHECK(ir::verify(*parsed.design).empty());
        CHECK_THAT(ir::print(*parsed.design),
                   Catch::Contains(fmt::format("if ({0} <. {0})", value)));
    }
    CHECK(errorOf(with("(t#2 == 2)", "1.5f16")) == "20:11: expected 'f64', found 'f16'");
}

TEST_CASE("what is long and used twice has a name, however often it doubles", "[ir][parse]") {
    std::string doubled = "x.v";
    std::string text = kDesign;
    text = text.substr(0, text.find("    t#2 ="));
    for (int i = 0; i < 60; ++i) {
        text += fmt::format("    %{} = ({} * ({} + (1 + 3)))\n", i, doubled, doubled);
        doubled = fmt::format("%{}", i);
    }
    text += "    y.v = wrap u8(" + doubled + ")\n";
    const ir::Parsed parsed = ir::parse(text);
    REQUIRE(parsed.design);
    const std::string printed = ir::print(*parsed.design);
    CHECK(printed.size() < 2 * text.size());
    CHECK(ir::print(*ir::parse(printed).design) == printed);
}
