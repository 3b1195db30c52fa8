#include "rtl/clock_nets.h"

#include <algorithm>
#include <array>

#include "rtl/registers.h"

namespace smec::rtl {
namespace {

using netlist::Bit;
using netlist::Bits;
using netlist::Cell;

constexpr int kDeepestGates = 16;  // one behind the other

bool isAnd(const Cell& cell) {
    return cell.type == "$and" || cell.type == "$logic_and" || cell.type == "$_AND_";
}

bool isOr(const Cell& cell) {
    return cell.type == "$or" || cell.type == "$logic_or" || cell.type == "$_OR_";
}

const Bits& opening(const Cell& latch) { return latch[latch.type == "$dlatch" ? "EN" : "E"]; }

}  // namespace

bool isPlainLatch(const Cell& cell) {
    return cell.type == "$dlatch" || cell.type == "$_DLATCH_P_" || cell.type == "$_DLATCH_N_";
}

std::vector<std::string_view> clockPins(const Cell& cell) {
    std::vector<std::string_view> pins;
    if (!cell.type.starts_with('$')) return pins;
    for (const std::string_view pin : {"CLK", "WR_CLK", "TRG"}) {
        if (!cell[pin].empty()) pins.push_back(pin);
    }
    return pins;
}

ClockNets::ClockNets(const std::vector<netlist::Module*>& modules) {
    for (netlist::Module* module : modules)
        byName_[module->name] = &all.emplace_back(*module);
    std::size_t rising = 0;
    std::size_t falling = 0;
    for (ClockedModule& one : all) {
        for (const netlist::Port& port : one.module.ports) {
            if (port.direction != netlist::Direction::Input) continue;
            for (std::uint32_t i = 0; i < port.bits.size(); ++i)
                one.inputs[port.bits[i]] = {nullptr, port.name, i};
        }
        for (Cell& cell : one.module.cells) {
            if (ClockedModule* child = find(cell.type)) child->uses.push_back({&one, &cell});
            for (const std::string_view pin : clockPins(cell)) {
                for (const Bit bit : cell[pin])
                    mark(one, bit);
            }
            for (const ClockUse& use : clocksOf(cell))
                ++(use.isRising ? rising : falling);
        }
    }
    isRising = rising >= falling;
    while (!todo_.empty()) {
        const Net net = todo_.back();
        todo_.pop_back();
        follow(*net.module, net.bit);
    }
}

ClockedModule* ClockNets::find(std::string_view module) {
    const auto found = byName_.find(module);
    return found == byName_.end() ? nullptr : found->second;
}

void ClockNets::mark(ClockedModule& module, Bit bit) {
    if (netlist::isNet(bit) && module.clocks.insert(bit).second) todo_.push_back({&module, bit});
}

void ClockNets::follow(ClockedModule& module, Bit bit) {
    const BitDriver* driver = driverOf(module, bit);
    if (!driver) return;
    const auto markAt = [&](const std::vector<ClockedModule::Use>& uses, const BitDriver& port) {
        for (const ClockedModule::Use& use : uses) {
            const Bits& bits = (*use.cell)[port.port];
            if (port.offset < bits.size()) mark(*use.parent, bits[port.offset]);
        }
    };
    if (!driver->cell) return markAt(module.uses, *driver);
    if (ClockedModule* child = find(driver->cell->type)) {
        const netlist::Port* port = child->module.port(driver->port);
        if (!port || driver->offset >= port->bits.size()) return;
        child->clockOutputs.insert(driver->port);
        mark(*child, port->bits[driver->offset]);
        // for all that see it: what one takes as a clock is none that another can read
        return markAt(child->uses, *driver);
    }
    if (const std::optional<ClockGate> gate = gateOf(module, bit)) mark(module, gate->clock);
}

void ClockNets::index(ClockedModule& module) {
    module.isIndexed = true;
    const auto add = [&](Cell& cell, const std::string& port) {
        const Bits& bits = cell[port];
        for (std::uint32_t i = 0; i < bits.size(); ++i) {
            if (netlist::isNet(bits[i])) module.drivers[bits[i]] = {&cell, port, i};
        }
    };
    for (Cell& cell : module.module.cells) {
        if (const ClockedModule* child = find(cell.type)) {
            for (const netlist::Port& port : child->module.ports) {
                if (port.direction != netlist::Direction::Input) add(cell, port.name);
            }
        } else {
            for (const char* port : {"Y", "Q", "RD_DATA", "X", "CO"})
                add(cell, port);
            if (isPlainLatch(cell))
                module.latching.insert(opening(cell).begin(), opening(cell).end());
        }
    }
}

const BitDriver* ClockNets::driverOf(ClockedModule& module, Bit bit) {
    if (const auto input = module.inputs.find(bit); input != module.inputs.end())
        return &input->second;
    if (!module.isIndexed) index(module);
    const auto found = module.drivers.find(bit);
    return found == module.drivers.end() ? nullptr : &found->second;
}

bool ClockNets::isLatchOf(ClockedModule& module, Bit bit, Bit clock) {
    const BitDriver* driver = driverOf(module, bit);
    if (!driver || !driver->cell || !isPlainLatch(*driver->cell)) return false;
    const Bits& enable = opening(*driver->cell);
    return !enable.empty() && enable[0] == clock;
}

/// A port, or a port behind gates.
bool ClockNets::isLikeClock(ClockedModule& module, Bit bit, int depth) {
    const BitDriver* driver = driverOf(module, bit);
    if (!driver) return false;
    return !driver->cell || find(driver->cell->type) || gateOf(module, bit, depth + 1);
}

std::optional<ClockGate> ClockNets::gateOf(ClockedModule& module, Bit bit, int depth) {
    const BitDriver* driver = driverOf(module, bit);
    if (!driver || !driver->cell || depth > kDeepestGates) return std::nullopt;
    const Cell& cell = *driver->cell;
    if (!isAnd(cell) && !isOr(cell)) return std::nullopt;
    const Bits& a = cell["A"];
    const Bits& b = cell["B"];
    const bool isLogic = cell.type == "$logic_and" || cell.type == "$logic_or";
    if (driver->offset >= std::min(a.size(), b.size())) return std::nullopt;
    if (isLogic && (a.size() != 1 || b.size() != 1)) return std::nullopt;
    const Bit one = a[driver->offset];
    const Bit other = b[driver->offset];
    const ClockGate first{&cell, one, other, isAnd(cell)};
    const ClockGate second{&cell, other, one, isAnd(cell)};
    if (isLatchOf(module, other, one)) return first;
    if (isLatchOf(module, one, other)) return second;
    const bool isOne = isLikeClock(module, one, depth);
    const bool isOther = isLikeClock(module, other, depth);
    if (isOne != isOther) return isOne ? first : second;
    const auto isKnown = [&](Bit clock) {
        return module.clocks.contains(clock) || module.latching.contains(clock);
    };
    if (!isOne || isKnown(one) == isKnown(other)) return std::nullopt;
    return isKnown(one) ? first : second;
}

}  // namespace smec::rtl
