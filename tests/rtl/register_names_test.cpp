// Registers keep names of the source, also where they are a part of a net or of several parts.

#include "rtl/register_names.h"

#include <catch2/catch.hpp>

using namespace smec;
using namespace smec::rtl;

namespace {

netlist::Module withState(const netlist::Bits& q, const netlist::Values& parameters) {
    netlist::Module module;
    module.nets = {{"wide", false, {90, 91, 20, 21, 22, 23, 24}, {}},
                   {"state", false, {20, 21, 22, 23, 24}, {}},
                   {"hidden", true, {30, 31}, {}}};
    netlist::Bits d;
    for (const netlist::Bit bit : q)
        d.push_back(bit + 100);
    module.cells = {{"$1",
                     "$adffe",
                     parameters,
                     {},
                     {{"CLK", {2}}, {"EN", {3}}, {"ARST", {4}}, {"D", d}, {"Q", q}}}};
    return module;
}

}  // namespace

TEST_CASE("register names: of the smallest net that has the bits in a row") {
    const netlist::Module module = withState({20}, {});
    const NetNames names(module);
    CHECK(names.of({20, 21, 22, 23, 24}) == "state");
    CHECK(names.of({22, 23}) == "state_2");
    CHECK(names.of({91, 20}) == "wide_1");
    CHECK(names.of({22, 21}).empty());
    CHECK(names.of({24, 25}).empty());
    CHECK(names.of({30, 31}).empty());
    CHECK(names.of({}).empty());
    CHECK(names.inARow({20, 21, 24}, 0) == 2);
    CHECK(names.inARow({20, 21, 30}, 2) == 0);
}

TEST_CASE("register names: scattered bits become a register for each part") {
    netlist::Module module =
        withState({20, 22, 23, 30, 31, 24}, {{"WIDTH", "110"}, {"ARST_VALUE", "100110"}});
    splitScatteredRegisters(module);
    REQUIRE(module.cells.size() == 4);
    CHECK(module.cells[0]["Q"] == netlist::Bits{20});
    CHECK(module.cells[0].parameters["ARST_VALUE"] == "0");
    CHECK(module.cells[1]["Q"] == netlist::Bits{22, 23});
    CHECK(module.cells[1]["D"] == netlist::Bits{122, 123});
    CHECK(module.cells[1].parameters["ARST_VALUE"] == "11");
    CHECK(module.cells[1].number("WIDTH") == 2);
    CHECK(module.cells[2]["Q"] == netlist::Bits{30, 31});
    CHECK(module.cells[2].parameters["ARST_VALUE"] == "00");
    CHECK(module.cells[3]["Q"] == netlist::Bits{24});
    CHECK(module.cells[3].parameters["ARST_VALUE"] == "1");
    CHECK(module.cells[3]["EN"] == netlist::Bits{3});
}

TEST_CASE("register names: words in a row, and those of many parts, stay what they are") {
    netlist::Module inARow = withState({21, 22, 23}, {{"ARST_VALUE", "1"}});
    splitScatteredRegisters(inARow);
    CHECK(inARow.cells.size() == 1);
    netlist::Module turned = withState({24, 23, 22, 21, 20, 24, 23, 22, 21, 20}, {});
    splitScatteredRegisters(turned);
    CHECK(turned.cells.size() == 1);
}
