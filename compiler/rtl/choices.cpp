#include "rtl/choices.h"

#include <algorithm>

#include "rtl/cell_maker.h"

namespace smec::rtl {
namespace {

using netlist::Bits;
using netlist::Cell;

constexpr std::size_t kMostWords = 64;  // longer ones stay one expression

Bits resetValue(const Cell& cell) {
    return CellMaker::ofDigits(netlist::valueOf(cell.parameters, "SRST_VALUE"), cell["Q"].size());
}

void splitRegister(Cell& cell, CellMaker& maker) {
    const auto choice = [&](std::string_view port, const Bits& on, const Bits& off) {
        const bool isHigh = cell.flag(std::string(port) + "_POLARITY");
        return maker.choice(cell[port][0], isHigh ? on : off, isHigh ? off : on);
    };
    maker.replace(cell);
    const bool isEnableFirst = cell.type == "$sdffce";
    Bits next = cell["D"];
    if (!cell["EN"].empty() && !isEnableFirst) next = choice("EN", next, cell["Q"]);
    if (!cell["SRST"].empty()) next = choice("SRST", resetValue(cell), next);
    if (isEnableFirst) next = choice("EN", next, cell["Q"]);
    cell.type = "$dff";
    cell.connections["D"] = std::move(next);
    cell.connections.erase("EN");
    cell.connections.erase("SRST");
}

/// The last multiplexer is the cell itself.
void splitMultiplexer(Cell& cell, CellMaker& maker) {
    const std::size_t width = cell["Y"].size();
    const Bits words = cell["B"];
    const auto word = [&](std::size_t i) {
        const auto first = words.begin() + static_cast<std::ptrdiff_t>(i * width);
        return Bits(first, first + static_cast<std::ptrdiff_t>(width));
    };
    std::vector<std::pair<netlist::Bit, std::size_t>> selects;
    for (std::size_t i = 0; i < cell["S"].size(); ++i)
        selects.emplace_back(cell["S"][i], i);
    std::ranges::sort(selects);
    maker.replace(cell);
    Bits otherwise = cell["A"];
    for (std::size_t i = selects.size(); i-- > 1;)
        otherwise = maker.choice(selects[i].first, word(selects[i].second), otherwise);
    cell.type = "$mux";
    cell.connections["A"] = std::move(otherwise);
    cell.connections["B"] = word(selects[0].second);
    cell.connections["S"] = {selects[0].first};
}

}  // namespace

void splitChoices(netlist::Module& module) {
    netlist::Bit next = firstFree(module);
    std::vector<Cell> added;
    CellMaker maker(next, added);
    for (Cell& cell : module.cells) {
        if (cell.type == "$dffe" || cell.type.starts_with("$sdff")) splitRegister(cell, maker);
        if (cell.type == "$pmux" && cell["S"].size() <= kMostWords) splitMultiplexer(cell, maker);
    }
    std::ranges::move(added, std::back_inserter(module.cells));
}

}  // namespace smec::rtl
