#include "rtl/expand.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "rtl/async_pins.h"
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
        {"DFF", "DFFE", "SDFF", "SDFFE", "SDFFCE", "ALDFF", "ALDFFE", "DFFSR", "DFFSRE", "FF"});
    if (std::ranges::find(kKinds, kind) == kKinds.end()) return;
    const bool hasEnable = kind.ends_with('E');
    const bool isSetAndCleared = kind.starts_with("DFFSR");
    const bool isAsync = kind.starts_with("DFF") && !isSetAndCleared && letters.size() >= 3;
    const std::string reset = kind[0] == 'S' ? "SRST" : "ARST";
    const auto rename = [&](const char* from, const std::string& to, char letter) {
        if (!cell.connections.rename(from, to)) return;
        cell.parameters[to + "_POLARITY"] = isHigh(letter);
    };
    rename("C", "CLK", letters[0]);
    if (hasEnable) rename("E", "EN", letters.back());
    if (kind[0] == 'A') rename("L", "ALOAD", letters[1]);
    if (isSetAndCleared) {
        rename("S", "SET", letters[1]);
        rename("R", "CLR", letters[2]);
    }
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

/// One cell for all that is checked, in newer versions.
void checkOfOldKind(Cell& cell) {
    cell.type = "$" + std::string(netlist::valueOf(cell.parameters, "FLAVOR"));
    cell.connections.erase("ARGS");
}

/// Registers of proofs, by the one clock that is always there.
void registerWithoutClock(Cell& cell, std::vector<netlist::Net>& nets) {
    if (cell.type == "$initstate") {
        netlist::Net net;
        net.name = "$first_cycle";
        net.isHidden = true;
        net.bits = cell["Y"];
        net.attributes["init"] = "1";
        cell.connections = {{"D", {netlist::kZero}}, {"Q", net.bits}};
        nets.push_back(std::move(net));
    }
    cell.type = "$dff";
}

/// Of no meaning in a simulation: what speaks of timing and scopes, or is true some day.
constexpr std::array kSilent = std::to_array<std::string_view>(
    {"$scopeinfo", "$specify2", "$specify3", "$specrule", "$live", "$fair", "$overwrite_tag"});
constexpr std::array kWithoutClock =
    std::to_array<std::string_view>({"$ff", "$anyinit", "$initstate"});

}  // namespace

void widenRegisters(netlist::Module& module) {
    for (Cell& cell : module.cells)
        widenRegister(cell);
}

void expandCells(netlist::Module& module, bool isResetSync) {
    std::vector<Cell> added;
    std::vector<netlist::Net> nets;
    netlist::Bit next = firstFree(module);
    CellMaker maker(next, added);
    AsyncPins pins(module, maker, isResetSync, nets);
    std::erase_if(module.cells, [&](Cell& cell) {
        if (cell.type == "$check") checkOfOldKind(cell);
        if (netlist::isOneOf(kSilent, cell)) return true;
        maker.replace(cell);
        if (netlist::isOneOf(kWithoutClock, cell)) registerWithoutClock(cell, nets);
        if (AsyncPins::areOn(cell)) pins.actAtEdge(cell);
        return expandArithmetic(cell, maker);
    });
    std::ranges::move(added, std::back_inserter(module.cells));
    std::ranges::move(nets, std::back_inserter(module.nets));
}

}  // namespace smec::rtl
