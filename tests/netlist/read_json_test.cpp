// Netlists as Yosys writes them, and text that is none.

#include "netlist/long_texts.h"
#include "netlist/read_json.h"

#include <catch2/catch.hpp>

#include <sstream>

using namespace smec::netlist;

namespace {

const std::string kText = R"({
  "creator": "Yosys", "modules": {
    "m": {
      "attributes": { "top": "1", "src": "m.v:1.1-3.10" },
      "ports": {
        "b": { "direction": "input", "bits": [ 2, 3 ] },
        "a": { "direction": "output", "bits": [ 4, "0", "1", "x", "z" ] }
      },
      "cells": {
        "$and$1": {
          "hide_name": 1, "type": "$and",
          "parameters": { "ABITS": "00000000000000000000000000000010", "A_WIDTH": "10", "MEMID": "\\mem", "WIDTH": 12 },
          "attributes": { "src": "m.v:2.3-2.4" },
          "port_directions": { "A": "input", "Y": "output" },
          "connections": { "A": [ 2, 3 ], "EMPTY": [ ], "Y": [ 4 ] }
        }
      },
      "memories": { "mem": { "width": 8 } },
      "netnames": {
        "a": { "hide_name": 0, "bits": [ 4 ], "attributes": { "init": "1" } },
        "$n": { "hide_name": 1, "bits": [ 2 ], "attributes": { "init": "0", "src": "m.v:1.1-1.2" } },
        "$o": { "hide_name": 1, "bits": [ 3 ], "attributes": { } }
      }
    },
    "empty": { }
  }
})";

Design read(const std::string& text) {
    std::istringstream in(text);
    return readJson(in);
}

std::string problemOf(const std::string& text) {
    try {
        read(text);
    } catch (const BadNetlist& bad) {
        return bad.what();
    }
    return {};
}

std::string replaced(const std::string& what, const std::string& with) {
    std::string text = kText;
    return text.replace(text.find(what), what.size(), with);
}

}  // namespace

TEST_CASE("netlist: modules, ports in their order, cells and nets") {
    const Design design = read(kText);
    REQUIRE(design.modules.size() == 2);
    const Module& module = design.modules[0];
    CHECK(module.name == "m");
    CHECK(valueOf(module.attributes, "src") == "m.v:1.1-3.10");
    REQUIRE(module.ports.size() == 2);
    CHECK(module.ports[0].name == "b");
    CHECK(module.ports[0].direction == Direction::Input);
    CHECK(module.ports[1].bits == Bits{4, kZero, kOne, kUnknown, kHighImpedance});
    REQUIRE(module.cells.size() == 1);
    const Cell& cell = module.cells[0];
    CHECK(cell.type == "$and");
    CHECK(cell.number("ABITS") == 2);
    CHECK(cell.parameters.size() == 3);  // that of A says its width
    CHECK(cell.number("WIDTH") == 12);
    CHECK(cell.number("B_WIDTH") == 0);
    CHECK(valueOf(cell.parameters, "MEMID") == "\\mem");
    CHECK(cell["A"] == Bits{2, 3});
    CHECK(cell["EMPTY"].empty());
    CHECK(cell["none"].empty());
    REQUIRE(module.nets.size() == 2);
    CHECK_FALSE(module.nets[0].isHidden);
    CHECK(module.nets[1].isHidden);
    CHECK(valueOf(module.nets[0].attributes, "init") == "1");
    CHECK(module.port("a") == &module.ports[1]);
    CHECK(module.port("c") == nullptr);
    CHECK(design.modules[1].cells.empty());
}

TEST_CASE("netlist: text that ends anywhere is refused") {
    for (std::size_t length = 0; length < kText.size(); ++length) {
        INFO(length);
        CHECK(problemOf(kText.substr(0, length)).find("ends or is broken at byte")
              != std::string::npos);
    }
    CHECK(problemOf(kText).empty());
}

TEST_CASE("netlist: what is no netlist is refused with its place") {
    CHECK(problemOf("[]") == "a list in place of a netlist at ''");
    CHECK(problemOf("{}") == "it has no modules");
    CHECK(problemOf(replaced("[ 2, 3 ]", "[ 2, 1 ]")) == "the net 1 at 'bits'");
    CHECK(problemOf(replaced("[ 2, 3 ]", "[ 2, \"q\" ]")) == "the bit 'q' at 'bits'");
    CHECK(problemOf(replaced("[ 2, 3 ]", "[ 2, -3 ]")) == "a negative number at 'bits'");
    CHECK(problemOf(replaced("\"hide_name\": 0", "\"offset\": -1, \"hide_name\": 0")).empty());
    CHECK(problemOf(replaced("[ 2, 3 ]", "[ 2, 4294967295 ]")) == "the net 4294967295 at 'bits'");
    CHECK(problemOf(replaced("[ 2, 3 ]", "{ }")) == "an object in place of bits at 'bits'");
    CHECK(problemOf(replaced("\"input\"", "\"sideways\""))
          == "the direction 'sideways' at 'direction'");
    CHECK(problemOf(replaced("\"cells\": {", "\"cells\": [], \"more\": {"))
          == "a list in place of an object at 'cells'");
}

TEST_CASE("netlist: long texts of digits are read as they are", "[netlist]") {
    const auto digits = [](std::size_t count, char first) {
        std::string text(count, 'x');
        for (std::size_t i = 0; i < count; i += 7)
            text[i] = "01z"[i % 3];
        text[0] = first;
        return text;
    };
    const auto memId = [](const Design& design) {
        return std::string(valueOf(design.modules[0].cells[0].parameters, "MEMID"));
    };
    for (const std::size_t count :
         {LongTexts::kLong - 1, LongTexts::kLong, LongTexts::kLong + 1, 3 * LongTexts::kLong + 5}) {
        const std::string text = digits(count, '1');
        const std::string other = digits(2 * LongTexts::kLong, '0');
        const Design design =
            read(replaced(R"("\\mem", "WIDTH": 12)", '"' + text + R"(", "INIT": ")" + other + '"'));
        CHECK(memId(design) == text);
        CHECK(valueOf(design.modules[0].cells[0].parameters, "INIT") == other);
        CHECK(valueOf(design.modules[0].attributes, "src") == "m.v:1.1-3.10");
        // not digits alone
        const std::string rest = R"(a\"b\\)";
        CHECK(memId(read(replaced(R"(\\mem)", text + rest))) == text + R"(a"b\)");
        CHECK(memId(read(replaced(R"(\\mem)", rest + text))) == R"(a"b\)" + text);
    }
    CHECK(memId(read(replaced(R"(\\mem)", R"(\u00010)"))) == "\1" + std::string("0"));
}

TEST_CASE("netlist: where a text is broken counts long texts, too", "[netlist]") {
    const std::string text = replaced(R"(\\mem)", std::string(3 * LongTexts::kLong, '0'));
    const std::size_t end = text.find("\"WIDTH\": 12");
    CHECK(problemOf(text.substr(0, end) + '?')
          == "the text ends or is broken at byte " + std::to_string(end + 1));
    CHECK(problemOf(text.substr(0, end - 100))
          == "the text ends or is broken at byte " + std::to_string(end - 100 + 1));
}
