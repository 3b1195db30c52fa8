#include "rtl/expand.h"

#include <algorithm>
#include <array>

#include "rtl/expand_arithmetic.h"

namespace smec::rtl {
namespace {

using netlist::Bits;
using netlist::Cell;

/// "1" where a letter is that of a rising edge or a value that is on high.
std::string isHigh(char letter) { return letter == 'P' || letter == '1' ? "1" : "0"; }

/// "$_SDFFE_PN0P_": clock, reset, its value and enable. Ports of one letter get long names.
void widenRegister(Cell& cell) {
    const std::size_t end = cell.type.find('_', 2);
    if (!cell.type.starts_with("$_") || end == std::string::npos) return;
    const std::string kind = cell.type.substr(2, end - 2);
    const std::string letters = cell.type.substr(end + 1, cell.type.size() - end - 2);
    constexpr std::array kKinds = std::to_array<std::string_view>(
        {"DFF", "DFFE", "SDFF", "SDFFE", "SDFFCE", "ALDFF", "ALDFFE"});
    if (std::ranges::find(kKinds, kind) == kKinds.end()) return;
    const bool hasEnable = kind.ends_with('E');
    const bool isAsync = kind.starts_with("DFF") && letters.size() >= 3;
    const std::string reset = kind[0] == 'S' ? "SRST" : "ARST";
    const auto rename = [&](const char* from, const std::string& to, char letter) {
        if (!cell.connections.rename(from, to)) return;
        cell.parameters[to + "_POLARITY"] = isHigh(letter);
    };
    rename("C", "CLK", letters[0]);
    if (hasEnable) rename("E", "EN", letters.back());
    if (kind[0] == 'A') rename("L", "ALOAD", letters[1]);
    if (kind[0] == 'S' || isAsync) {
        rename("R", reset, letters[1]);
        cell.parameters[reset + "_VALUE"] = isHigh(letters[2]);
    }
    std::string type = isAsync ? "$adff" : "$";
    if (!isAsync) {
        for (const char c : kind)
            type += static_cast<char>(c - 'A' + 'a');
    } else if (hasEnable) {
        type += 'e';
    }
    cell.type = type;
}

/// What is loaded asynchronously is there while it is on, for all readers, and stays after the
/// edge.
void loadAtEdge(Cell& cell, netlist::Module& module, CellMaker& maker) {
    const netlist::Bit load = maker.as(cell["ALOAD"][0], cell.flag("ALOAD_POLARITY"));
    const Bits inner = maker.fresh(cell["Q"].size());
    Bits value = cell["D"];
    if (!cell["EN"].empty())
        value = maker.choice(maker.as(cell["EN"][0], cell.flag("EN_POLARITY")), value, inner);
    netlist::Net net;
    net.name = cell.name + "_reg";
    net.isHidden = true;
    net.bits = inner;
    const std::size_t width = inner.size();
    std::string digits(width, 'x');
    for (const netlist::Net& one : module.nets) {
        const std::string_view known = netlist::valueOf(one.attributes, "init");
        for (std::size_t i = 0; i < std::min(known.size(), one.bits.size()); ++i) {
            const auto at = std::ranges::find(cell["Q"], one.bits[i]) - cell["Q"].begin();
            if (static_cast<std::size_t>(at) < width)
                digits[width - 1 - static_cast<std::size_t>(at)] = known[known.size() - 1 - i];
        }
    }
    net.attributes["init"] = digits;
    module.nets.push_back(std::move(net));
    maker.drive(cell["Q"], maker.choice(load, cell["AD"], inner));
    cell.connections = {
        {"CLK", cell["CLK"]}, {"D", maker.choice(load, cell["AD"], value)}, {"Q", inner}};
    cell.type = "$dff";
}

/// One cell for all that is checked, in newer versions.
void checkOfOldKind(Cell& cell) {
    std::string_view flavour = netlist::valueOf(cell.parameters, "FLAVOR");
    if (flavour == "live" || flavour == "fair") flavour = "assume";
    cell.type = "$" + std::string(flavour);
    for (const char* port : {"ARGS", "TRG"})
        cell.connections.erase(port);
}

constexpr std::array kSilent = std::to_array<std::string_view>(
    {"$print", "$scopeinfo", "$specify2", "$specify3", "$specrule"});

}  // namespace

void widenRegisters(netlist::Module& module) {
    for (Cell& cell : module.cells)
        widenRegister(cell);
}

void expandCells(netlist::Module& module) {
    std::vector<Cell> added;
    netlist::Bit next = firstFree(module);
    CellMaker maker(next, added);
    std::erase_if(module.cells, [&](Cell& cell) {
        if (std::ranges::find(kSilent, cell.type) != kSilent.end()) return true;
        maker.replace(cell);
        if (cell.type == "$check") checkOfOldKind(cell);
        if (cell.type == "$aldff" || cell.type == "$aldffe") loadAtEdge(cell, module, maker);
        return expandArithmetic(cell, maker);
    });
    std::ranges::move(added, std::back_inserter(module.cells));
}

}  // namespace smec::rtl
