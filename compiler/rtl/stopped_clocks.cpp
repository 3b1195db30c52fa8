#include "rtl/stopped_clocks.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <unordered_map>

#include "rtl/aliases.h"
#include "rtl/clock_nets.h"
#include "rtl/registers.h"

//     dtm tap(.tck(1'b0), ...)      whose registers all take tck, or tck & on: none of them ever changes

namespace smec::rtl {
namespace {

using netlist::Bit;
using netlist::Bits;
using netlist::Cell;

bool standsStill(const Bits& clock) { return std::ranges::none_of(clock, netlist::isNet); }

bool isStopped(const ClockedModule& one, const netlist::Port& port) {
    return port.direction == netlist::Direction::Input && port.bits.size() == 1
           && one.clocks.contains(port.bits[0]) && !one.uses.empty()
           && std::ranges::all_of(one.uses, [&](const ClockedModule::Use& use) {
                  const Bits& clock = (*use.cell)[port.name];
                  return standsStill(clock) && clock == (*one.uses[0].cell)[port.name];
              });
}

void stopPorts(ClockedModule& one) {
    Aliases aliases;
    std::erase_if(one.module.ports, [&](const netlist::Port& port) {
        if (!isStopped(one, port)) return false;
        const Bits value = (*one.uses[0].cell)[port.name];  // others may read it
        aliases.add(port.bits, value.empty() ? Bits{netlist::kZero} : value);
        for (const ClockedModule::Use& use : one.uses)
            use.cell->connections.erase(port.name);
        return true;
    });
    aliases.resolve(one.module);
}

constexpr int kDeepestClock = 24;  // gates and modules one behind the other

/// What a net is all the time, as far as gates, inverters and ports tell.
class Constants {
public:
    explicit Constants(ClockNets& nets) : nets_(nets) {}

    std::optional<Bit> of(ClockedModule& module, Bit bit, int depth = 0) {
        if (bit == netlist::kZero || bit == netlist::kOne) return bit;
        if (!netlist::isNet(bit) || depth == kDeepestClock) return std::nullopt;
        if (known_[&module].try_emplace(bit).second) {  // one of a loop is none
            const std::optional<Bit> value = found(module, bit, depth);
            known_[&module][bit] = value;
        }
        return known_[&module][bit];
    }

private:
    std::optional<Bit> found(ClockedModule& module, Bit bit, int depth) {
        const BitDriver* driver = nets_.driverOf(module, bit);
        if (!driver) return std::nullopt;
        if (!driver->cell) return ofInput(module, *driver, depth);
        if (ClockedModule* child = nets_.find(driver->cell->type)) {
            const netlist::Port* port = child->module.port(driver->port);
            return port && driver->offset < port->bits.size()
                       ? of(*child, port->bits[driver->offset], depth + 1)
                       : std::nullopt;
        }
        return ofCell(module, *driver, depth);
    }

    /// The same in all instances.
    std::optional<Bit> ofInput(const ClockedModule& module, const BitDriver& input, int depth) {
        std::optional<Bit> same;
        for (const ClockedModule::Use& use : module.uses) {
            const Bits& bits = (*use.cell)[input.port];
            if (input.offset >= bits.size()) return std::nullopt;
            const std::optional<Bit> value = of(*use.parent, bits[input.offset], depth + 1);
            if (!value || (same && *same != *value)) return std::nullopt;
            same = value;
        }
        return same;
    }

    std::optional<Bit> ofCell(ClockedModule& module, const BitDriver& driver, int depth) {
        const Cell& cell = *driver.cell;
        const auto input = [&](std::string_view pin, std::size_t offset) -> std::optional<Bit> {
            const Bits& bits = cell[pin];
            return offset < bits.size() ? of(module, bits[offset], depth + 1) : std::nullopt;
        };
        // `a && b` of words is no gate of theirs bit by bit
        if (cell.type.starts_with("$logic_") && (cell["A"].size() > 1 || cell["B"].size() > 1))
            return std::nullopt;
        const auto is = [&](std::initializer_list<std::string_view> types) {
            return std::ranges::find(types, std::string_view(cell.type)) != types.end();
        };
        const std::size_t at = driver.offset;
        if (is({"$mux", "$_MUX_"})) {
            const std::optional<Bit> chosen = input("S", 0);
            return chosen ? input(*chosen == netlist::kOne ? "B" : "A", at) : std::nullopt;
        }
        if (is({"$not", "$logic_not", "$_NOT_"})) {
            const std::optional<Bit> a = input("A", at);
            return a ? std::optional(netlist::kOne - *a) : std::nullopt;
        }
        const bool isAnd = is({"$and", "$logic_and", "$_AND_"});
        if (!isAnd && !is({"$or", "$logic_or", "$_OR_"})) return std::nullopt;
        const std::optional<Bit> a = input("A", at);
        const std::optional<Bit> b = input("B", at);
        const Bit shut = isAnd ? netlist::kZero : netlist::kOne;
        if (a == shut || b == shut) return shut;
        return a && b ? a : std::nullopt;
    }

    ClockNets& nets_;
    std::unordered_map<const ClockedModule*, std::unordered_map<Bit, std::optional<Bit>>> known_;
};

bool isClockPin(ClockNets& nets, const Cell& cell, std::string_view pin) {
    if (const ClockedModule* child = nets.find(cell.type)) {
        const netlist::Port* port = child->module.port(pin);
        return port && port->direction == netlist::Direction::Input && port->bits.size() == 1
               && child->clocks.contains(port->bits[0]);
    }
    const std::vector<std::string_view> pins = clockPins(cell);
    return std::ranges::find(pins, pin) != pins.end();
}

/// Clocks to which gates and inverters leave no edge.
void holdClocks(ClockNets& nets, ClockedModule& one, Constants& constants) {
    for (Cell& cell : one.module.cells) {
        for (auto& [pin, bits] : cell.connections) {
            if (!isClockPin(nets, cell, pin)) continue;
            for (Bit& bit : bits)
                bit = constants.of(one, bit).value_or(bit);
        }
    }
}

/// It has no clock any more, so that it is none that others have to share.
void stopRegister(Cell& cell) {
    if (cell.type.starts_with("$aldff")) return;
    for (const char* pin : {"CLK", "EN", "SRST"})
        cell.connections.erase(pin);
    cell.connections["D"] = Bits(cell["Q"]);
    if (cell.type == "$adffe") cell.type = "$adff";
    if (cell.type == "$dffe" || cell.type.starts_with("$sdff")) cell.type = "$dff";
}

}  // namespace

void stopConstantClocks(const std::vector<netlist::Module*>& modules) {
    ClockNets nets(modules);
    Constants constants(nets);
    for (auto one = nets.all.rbegin(); one != nets.all.rend(); ++one) {
        stopPorts(*one);
        holdClocks(nets, *one, constants);
    }
    for (netlist::Module* module : modules) {
        for (Cell& cell : module->cells) {
            if (isRegister(cell) && standsStill(cell["CLK"])) stopRegister(cell);
        }
        std::erase_if(module->cells, [](const Cell& cell) {
            return !cell["TRG"].empty() && standsStill(cell["TRG"]);
        });
    }
}

}  // namespace smec::rtl
