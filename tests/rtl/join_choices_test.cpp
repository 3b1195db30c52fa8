#include "rtl/join_choices.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace smec;
using namespace smec::rtl;

namespace {

using netlist::Bits;
using netlist::Cell;

constexpr netlist::Bit kChoose = 50, kElseChoose = 51, kTaken = 10, kLeft = 20, kParts = 30,
                       kHeld = 40;

Cell chooser(const char* name, netlist::Bit select, const Bits& no, const Bits& yes,
             const Bits& y) {
    return {name, "$mux", {}, {}, {{"S", {select}}, {"A", no}, {"B", yes}, {"Y", y}}};
}

Cell holder(const Bits& d, const Bits& q) {
    return {"r", "$dff", {}, {}, {{"CLK", {60}}, {"D", d}, {"Q", q}}};
}

/// q <= {s ? word[2] : other[2], 0, s ? word[1:0] : other[1:0]}
netlist::Module partedWord(netlist::Bit otherSelect = kChoose) {
    netlist::Module module{"m", {}, {}, {}, {}};
    module.cells.push_back(
        chooser("low", kChoose, {kLeft, kLeft + 1}, {kTaken, kTaken + 1}, {kParts, kParts + 1}));
    module.cells.push_back(chooser("high", otherSelect, {kLeft + 2}, {kTaken + 2}, {kParts + 2}));
    module.cells.push_back(holder({kParts, kParts + 1, netlist::kZero, kParts + 2},
                                  {kHeld, kHeld + 1, kHeld + 2, kHeld + 3}));
    return module;
}

std::ptrdiff_t choicesIn(const netlist::Module& module) {
    return std::ranges::count(module.cells, "$mux", &Cell::type);
}

}  // namespace

TEST_CASE("parts of a word that one select chooses are chosen together", "[join]") {
    netlist::Module module = partedWord();
    joinChoices(module);
    REQUIRE(module.cells.size() == 2);
    const Cell& next = module.cells[0].type == "$dff" ? module.cells[0] : module.cells[1];
    const Cell& joined = module.cells[0].type == "$mux" ? module.cells[0] : module.cells[1];
    CHECK(next["D"] == joined["Y"]);
    CHECK(joined["S"] == Bits{kChoose});
    CHECK(joined["B"] == Bits{kTaken, kTaken + 1, netlist::kZero, kTaken + 2});
    CHECK(joined["A"] == Bits{kLeft, kLeft + 1, netlist::kZero, kLeft + 2});
}

TEST_CASE("so are those within the sides of what was joined", "[join]") {
    netlist::Module module = partedWord();
    for (netlist::Bit i = 0; i < 3; ++i)
        module.cells.push_back(
            chooser("inner", kElseChoose, {kHeld + i}, {i == 1 ? kHeld : kHeld + 3}, {kTaken + i}));
    joinChoices(module);
    CHECK(choicesIn(module) == 2);
    const auto inner = std::ranges::find_if(
        module.cells, [](const Cell& cell) { return cell["S"] == Bits{kElseChoose}; });
    REQUIRE(inner != module.cells.end());
    CHECK((*inner)["A"] == Bits{kHeld, kHeld + 1, netlist::kZero, kHeld + 2});
}

TEST_CASE("parts of different selects, or that others read, stay", "[join]") {
    netlist::Module different = partedWord(kElseChoose);
    joinChoices(different);
    CHECK(choicesIn(different) == 2);
    CHECK(different.cells.size() == 3);

    netlist::Module read = partedWord();
    read.ports.push_back({"o", netlist::Direction::Output, {kParts + 1}});
    joinChoices(read);
    CHECK(choicesIn(read) == 2);

    netlist::Module besides = partedWord();
    besides.cells.push_back({"n", "$not", {}, {}, {{"A", {kParts + 2}}, {"Y", {70}}}});
    joinChoices(besides);
    CHECK(choicesIn(besides) == 2);
}

TEST_CASE("a multiplexer of which the word takes a part stays", "[join]") {
    netlist::Module module = partedWord();
    module.cells[2] = holder({kParts, kParts + 2}, {kHeld, kHeld + 1});
    joinChoices(module);
    CHECK(choicesIn(module) == 2);
}
