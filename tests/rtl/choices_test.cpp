#include "rtl/choices.h"

#include <catch2/catch.hpp>

using namespace smec;
using namespace smec::rtl;

namespace {

using netlist::Bit;
using netlist::Bits;
using netlist::Cell;

constexpr Bit kClock = 2, kData = 3, kOut = 4, kEnable = 5, kReset = 6;

/// A register of one bit that its enable and reset are high for, or low.
netlist::Module oneRegister(const std::string& type, bool isHigh) {
    netlist::Module module{"m", {}, {}, {}, {}};
    Cell cell{"r",
              type,
              {{"EN_POLARITY", isHigh ? "1" : "0"},
               {"SRST_POLARITY", isHigh ? "1" : "0"},
               {"SRST_VALUE", "1"}},
              {},
              {{"CLK", {kClock}}, {"D", {kData}}, {"Q", {kOut}}}};
    if (type.find('e') != std::string::npos) cell.connections["EN"] = {kEnable};
    if (type.find('s') != std::string::npos) cell.connections["SRST"] = {kReset};
    module.cells = {cell};
    return module;
}

/// What a bit is where nets have these values; multiplexers are followed.
Bit value(const netlist::Module& module, Bit bit, const std::map<Bit, bool>& on) {
    for (const Cell& cell : module.cells) {
        if (cell.type != "$mux" || cell["Y"][0] != bit) continue;
        return value(module, cell[on.at(cell["S"][0]) ? "B" : "A"][0], on);
    }
    return bit;
}

}  // namespace

TEST_CASE("choices: a register with enable and reset is a plain one behind multiplexers") {
    const bool isHigh = GENERATE(true, false);
    const auto next = [&](const std::string& type, bool enable, bool reset) {
        netlist::Module module = oneRegister(type, isHigh);
        splitChoices(module);
        CHECK(module.cells[0].type == "$dff");
        CHECK(module.cells[0]["EN"].empty());
        CHECK(module.cells[0]["SRST"].empty());
        return value(module, module.cells[0]["D"][0],
                     {{kEnable, enable == isHigh}, {kReset, reset == isHigh}});
    };
    CHECK(next("$dffe", true, false) == kData);
    CHECK(next("$dffe", false, false) == kOut);
    CHECK(next("$sdff", false, true) == netlist::kOne);
    CHECK(next("$sdff", false, false) == kData);
    CHECK(next("$sdffe", false, true) == netlist::kOne);
    CHECK(next("$sdffe", false, false) == kOut);
    CHECK(next("$sdffe", true, false) == kData);
    CHECK(next("$sdffce", false, true) == kOut);
    CHECK(next("$sdffce", true, true) == netlist::kOne);
    CHECK(next("$sdffce", true, false) == kData);
}

TEST_CASE("choices: words are chosen by selects in one order, whatever order the cell has") {
    constexpr Bit kOther = 20, kFirst = 21, kSecond = 22, kA = 30, kB = 31, kY = 40;
    const auto chain = [&](const Bits& selects, const Bits& words) {
        netlist::Module module{"m", {}, {}, {}, {}};
        module.cells = {
            {"p", "$pmux", {}, {}, {{"A", {kOther}}, {"B", words}, {"S", selects}, {"Y", {kY}}}}};
        splitChoices(module);
        CHECK(module.cells.size() == 2);
        CHECK(module.cells[0]["S"] == Bits{kA});
        CHECK(value(module, kY, {{kA, true}, {kB, false}}) == kFirst);
        CHECK(value(module, kY, {{kA, false}, {kB, true}}) == kSecond);
        CHECK(value(module, kY, {{kA, false}, {kB, false}}) == kOther);
    };
    chain({kA, kB}, {kFirst, kSecond});
    chain({kB, kA}, {kSecond, kFirst});
}
