#include "rtl/registers.h"

#include "rtl/cell_maker.h"
#include "rtl/register_names.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>

namespace smec::rtl {
namespace {

constexpr std::array kRegisters = std::to_array<std::string_view>(
    {"$dff", "$dffe", "$sdff", "$sdffe", "$sdffce", "$adff", "$adffe"});
constexpr std::array kChecks =
    std::to_array<std::string_view>({"$assert", "$assume", "$cover", "$print"});

std::string initialDigits(const InitialValues& initial, const netlist::Bits& bits) {
    std::string digits;
    for (auto bit = bits.rbegin(); bit != bits.rend(); ++bit)
        digits += initial.of(*bit) ? '1' : '0';
    return digits;
}

netlist::Cell resetMultiplexer(const netlist::Cell& cell, const netlist::Bits& inner) {
    const netlist::Bits value =
        CellMaker::ofDigits(netlist::valueOf(cell.parameters, "ARST_VALUE"), inner.size());
    netlist::Cell mux;
    mux.name = cell.name + "_reset";
    mux.type = "$mux";
    mux.attributes = cell.attributes;
    const bool isHigh = cell.flag("ARST_POLARITY");
    mux.connections = {{"A", isHigh ? inner : value},
                       {"B", isHigh ? value : inner},
                       {"S", cell["ARST"]},
                       {"Y", cell["Q"]}};
    return mux;
}

}  // namespace

bool isRegister(const netlist::Cell& cell) {
    return std::ranges::find(kRegisters, cell.type) != kRegisters.end();
}

bool isMemory(const netlist::Cell& cell) { return cell.type == "$mem_v2"; }

bool isCheck(const netlist::Cell& cell) {
    return std::ranges::find(kChecks, cell.type) != kChecks.end();
}

bool isResetPort(const netlist::Cell& memory, std::size_t port) {
    return port + memory.number(kResetPorts) >= memory.number("WR_PORTS");
}

std::vector<ClockUse> clocksOf(const netlist::Cell& cell) {
    std::vector<ClockUse> uses;
    if (isRegister(cell)) {
        for (const netlist::Bit bit : cell["CLK"])
            uses.push_back({bit, cell.flag("CLK_POLARITY")});
    }
    if (isCheck(cell)) {
        for (const netlist::Bit bit : cell["TRG"])
            uses.push_back({bit, cell.flag("TRG_POLARITY")});
    }
    if (isMemory(cell)) {
        const std::string_view rising = netlist::valueOf(cell.parameters, "WR_CLK_POLARITY");
        const netlist::Bits& clocks = cell["WR_CLK"];
        for (std::size_t i = 0; i < clocks.size(); ++i)
            uses.push_back({clocks[i], i < rising.size() && rising[rising.size() - 1 - i] == '1'});
    }
    return uses;
}

InitialValues::InitialValues(const netlist::Module& module) {
    for (const netlist::Net& net : module.nets) {
        const std::string_view digits = netlist::valueOf(net.attributes, "init");
        for (std::size_t i = 0; i < std::min(digits.size(), net.bits.size()); ++i) {
            if (digits[digits.size() - 1 - i] == '1') ones_.push_back(net.bits[i]);
        }
    }
    std::ranges::sort(ones_);
}

bool InitialValues::of(netlist::Bit bit) const { return std::ranges::binary_search(ones_, bit); }

void splitAsyncResets(netlist::Module& module, bool isSync) {
    netlist::Bit next = firstFree(module);
    const InitialValues initial(module);
    const NetNames names(module);
    std::vector<netlist::Cell> added;
    std::vector<netlist::Net> nets;
    for (netlist::Cell& cell : module.cells) {
        if (cell.type != "$adff" && cell.type != "$adffe") continue;
        if (!isSync) {
            netlist::Bits inner(cell["Q"].size());
            for (netlist::Bit& bit : inner)
                bit = next++;
            added.push_back(resetMultiplexer(cell, inner));
            netlist::Net net;
            net.name = names.of(cell["Q"]);
            net.isHidden = net.name.empty();
            net.name += "_reg";
            net.bits = inner;
            net.attributes["init"] = initialDigits(initial, cell["Q"]);
            nets.push_back(std::move(net));
            cell.connections["Q"] = std::move(inner);
        }
        cell.type = cell.type == "$adff" ? "$sdff" : "$sdffe";
        cell.connections.rename("ARST", "SRST");
        cell.parameters.rename("ARST_POLARITY", "SRST_POLARITY");
        cell.parameters.rename("ARST_VALUE", "SRST_VALUE");
    }
    std::ranges::move(added, std::back_inserter(module.cells));
    std::ranges::move(nets, std::back_inserter(module.nets));
}

}  // namespace smec::rtl
