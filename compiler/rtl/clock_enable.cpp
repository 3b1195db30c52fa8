#include "rtl/clock_enable.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "rtl/problem.h"
#include "rtl/registers.h"

namespace smec::rtl {
namespace {

using netlist::Bit;
using netlist::Bits;
using netlist::Cell;

/// A pin of one bit as it is while it is on.
Bit level(const Cell& cell, const std::string& pin, CellMaker& maker) {
    return maker.as(cell[pin][0], cell.flag(pin + "_POLARITY"));
}

Bit allOf(Bit a, Bit b, CellMaker& maker) {
    if (a == netlist::kOne || b == netlist::kZero) return b;
    return a == netlist::kZero ? a : maker.binary("$and", {a}, {b}, 1)[0];
}

void addToRegister(Cell& cell, Bit enable, CellMaker& maker) {
    static const std::map<std::string, std::string, std::less<>> kWithEnable{
        {"$dff", "$dffe"},      {"$dffe", "$dffe"},    {"$sdff", "$sdffce"},  {"$sdffe", "$sdffce"},
        {"$sdffce", "$sdffce"}, {"$adff", "$adffe"},   {"$adffe", "$adffe"},  {"$aldff", "$aldffe"},
        {"$aldffe", "$aldffe"}, {"$dffsr", "$dffsre"}, {"$dffsre", "$dffsre"}};
    const auto found = kWithEnable.find(cell.type);
    if (found == kWithEnable.end())
        throw Problem{fmt::format("a cell of type '{}' on a gated clock", cell.type),
                      cell.attributes};
    if (!cell["EN"].empty()) {
        Bit own = level(cell, "EN", maker);
        // its reset comes first, but for the clock nothing does
        if (cell.type == "$sdffe")
            own = maker.binary("$or", {own}, {level(cell, "SRST", maker)}, 1)[0];
        enable = allOf(own, enable, maker);
    }
    cell.type = found->second;
    cell.connections["EN"] = {enable};
    cell.parameters["EN_POLARITY"] = "1";
}

void addToPort(Bits& enables, std::size_t from, std::size_t count, Bit enable, CellMaker& maker) {
    std::map<Bit, Bit> known;
    for (std::size_t i = from; i < std::min(from + count, enables.size()); ++i) {
        const auto [made, isNew] = known.try_emplace(enables[i]);
        if (isNew) made->second = allOf(enables[i], enable, maker);
        enables[i] = made->second;
    }
}

/// Looks at all that a signal is made of.
class Steadiness {
public:
    Steadiness(ClockNets& nets, ClockedModule& module, const ClockGate& gate, Bit clock)
        : nets_(nets),
          module_(module),
          isLatchWanted_(gate.isAnd == nets.isRising),
          clock_(clock),
          gated_(gate.clock) {}

    bool of(Bit signal) {
        std::vector<Bit> todo{signal};
        while (!todo.empty()) {
            const Bit bit = todo.back();
            todo.pop_back();
            if (!netlist::isNet(bit) || !seen_.insert(bit).second) continue;
            const BitDriver* driver = nets_.driverOf(module_, bit);
            if (!driver) continue;
            if (!driver->cell || nets_.find(driver->cell->type)) return false;
            const Cell& cell = *driver->cell;
            if (isMemory(cell)) return false;
            if (driver->port == "Q") {
                if (!isSource(cell)) return false;
                continue;
            }
            for (const auto& [port, bits] : cell.connections) {
                if (port != "Y" && port != "X" && port != "CO")
                    todo.insert(todo.end(), bits.begin(), bits.end());
            }
        }
        return true;
    }

private:
    bool isSource(const Cell& cell) const {
        if (isLatchWanted_) {
            if (!isPlainLatch(cell)) return false;
            const bool isWord = cell.type == "$dlatch";
            const bool isHigh = isWord ? cell.flag("EN_POLARITY") : cell.type == "$_DLATCH_P_";
            const Bits& open = cell[isWord ? "EN" : "E"];
            return (open == Bits{clock_} || open == Bits{gated_}) && isHigh != nets_.isRising;
        }
        return isRegister(cell) && cell["ARST"].empty() && cell["CLK"] == Bits{clock_}
               && cell.flag("CLK_POLARITY") == nets_.isRising;
    }

    ClockNets& nets_;
    ClockedModule& module_;
    const bool isLatchWanted_;
    const Bit clock_;
    const Bit gated_;  ///< the same behind other gates
    std::unordered_set<Bit> seen_;
};

}  // namespace

void addEnable(Cell& cell, std::string_view pin, std::uint32_t index, Bit enable,
               CellMaker& maker) {
    if (pin == "TRG") {
        cell.connections["EN"] = {allOf(cell["EN"][0], enable, maker)};
    } else if (!isMemory(cell)) {
        addToRegister(cell, enable, maker);
    } else if (!isResetPort(cell, index)) {
        const std::size_t width = cell.number("WIDTH");
        addToPort(cell.connections["WR_EN"], index * width, width, enable, maker);
    }
}

void refuseUnsteady(ClockNets& nets, ClockedModule& module, const ClockGate& gate, Bit clock) {
    if (Steadiness(nets, module, gate, clock).of(gate.enable)) return;
    const bool isLatchWanted = gate.isAnd == nets.isRising;
    throw Problem{
        fmt::format("a clock gate whose signal may change while that makes edges of its own; {}",
                    isLatchWanted ? "take it from a latch that is open in the other half of the "
                                    "cycle, as clock gating cells do"
                                  : "take it from registers of this clock"),
        gate.cell->attributes};
}

}  // namespace smec::rtl
