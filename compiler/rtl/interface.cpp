#include "rtl/interface.h"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "rtl/registers.h"

namespace smec::rtl {
namespace {

struct ClockPin {
    ClockUse use;
    const netlist::Cell* cell;
};

std::vector<ClockPin> pinsOf(const netlist::Module& module, const Interfaces& children) {
    std::vector<ClockPin> pins;
    for (const netlist::Cell& cell : module.cells) {
        const std::string_view clocked = netlist::valueOf(cell.parameters, "WR_CLK_ENABLE");
        if (isMemory(cell) && cell.number("WR_PORTS") != 0
            && clocked.find('0') != std::string_view::npos)
            throw Problem{"a memory that is written without a clock; write it at the clock's edge",
                          cell.attributes};
        for (const ClockUse& use : clocksOf(cell)) {
            // a memory's port whose clock stands still writes nothing
            if (!isMemory(cell) || netlist::isNet(use.bit)) pins.push_back({use, &cell});
        }
        const auto child = children.find(cell.type);
        if (child == children.end() || child->second.clock.empty()) continue;
        for (const netlist::Bit bit : cell[child->second.clock])
            pins.push_back({{bit, child->second.isRising}, &cell});
    }
    // as they stand in a file: numbers of more digits are larger
    std::ranges::stable_sort(pins, {}, [](const ClockPin& pin) {
        const std::string_view place = netlist::valueOf(pin.cell->attributes, "src");
        return std::pair(place.size(), place);
    });
    return pins;
}

bool isClockPin(const netlist::Cell& cell, std::string_view port, const Interfaces& children) {
    if (isRegister(cell)) return port == "CLK";
    if (isCheck(cell)) return port == "TRG";
    if (isMemory(cell)) return port == "WR_CLK" || port == "RD_CLK";
    const auto child = children.find(cell.type);
    return child != children.end() && child->second.clock == port;
}

bool isUnread(const netlist::Cell& cell, std::string_view port, const Interfaces& children) {
    const auto child = children.find(cell.type);
    return child != children.end() && child->second.unread.contains(port);
}

void refuseUseAsValue(const netlist::Module& module, const Interfaces& children, netlist::Bit clock,
                      const std::string& name) {
    for (const netlist::Cell& cell : module.cells) {
        for (const auto& [port, bits] : cell.connections) {
            if (isClockPin(cell, port, children) || isUnread(cell, port, children)) continue;
            if (std::ranges::find(bits, clock) != bits.end())
                throw Problem{
                    fmt::format("the clock '{}' as a value; only its edges count, so leave out "
                                "what reads it, such as an output that hands it on",
                                name),
                    cell.attributes};
        }
    }
    for (const netlist::Port& port : module.ports) {
        if (port.direction != netlist::Direction::Input
            && std::ranges::find(port.bits, clock) != port.bits.end())
            throw Problem{
                fmt::format(
                    "the clock '{}' as the value of the output '{}'; only its edges count, so "
                    "leave the output out",
                    name, port.name),
                module.attributes};
    }
}

}  // namespace

bool Interface::isSigned(std::string_view port) const {
    const auto found = std::ranges::find(ports, port, &InterfacePort::name);
    return found != ports.end() && found->isSigned;
}

std::set<std::string, std::less<>> unreadInputs(const netlist::Module& module,
                                                const Interfaces& children) {
    std::unordered_set<netlist::Bit> read;
    for (const netlist::Cell& cell : module.cells) {
        for (const auto& [port, bits] : cell.connections) {
            if (!isUnread(cell, port, children)) read.insert(bits.begin(), bits.end());
        }
    }
    std::set<std::string, std::less<>> unread;
    for (const netlist::Port& port : module.ports) {
        if (port.direction != netlist::Direction::Input)
            read.insert(port.bits.begin(), port.bits.end());
    }
    for (const netlist::Port& port : module.ports) {
        const bool isRead =
            std::ranges::any_of(port.bits, [&](netlist::Bit bit) { return read.contains(bit); });
        if (port.direction == netlist::Direction::Input && !isRead) unread.insert(port.name);
    }
    return unread;
}

namespace {

/// The input that a clock is, or the bit of one, as in "c[1]"; none: empty.
std::string inputOf(const netlist::Module& module, netlist::Bit clock) {
    for (const netlist::Port& port : module.ports) {
        const auto bit = std::ranges::find(port.bits, clock);
        if (port.direction != netlist::Direction::Input || bit == port.bits.end()) continue;
        if (port.bits.size() == 1) return port.name;
        return fmt::format("{}[{}]", port.name, bit - port.bits.begin());
    }
    return {};
}

bool isBitOfVector(std::string_view input) { return input.ends_with(']'); }

Problem secondClock(const netlist::Module& module, netlist::Bit first, const ClockPin& second,
                    bool isTop) {
    const std::string one = inputOf(module, first);
    const std::string other = inputOf(module, second.use.bit);
    if (one.empty() || other.empty())
        return {"a second clock; all registers of a design have one, so hold the others with "
                "--tie NAME=0",
                second.cell->attributes};
    if (isBitOfVector(one) || isBitOfVector(other))
        return {
            fmt::format("a second clock, '{1}' beside '{0}'; all registers of a design have one, "
                        "an input of one bit, so make an input of each bit that is a clock, and "
                        "hold the other with --tie NAME=0",
                        one, other),
            second.cell->attributes};
    if (!isTop)
        return {
            fmt::format("a second clock, '{1}' beside '{0}'; all registers of a design have "
                        "one, so hold the other where the top module gets it, with --tie NAME=0",
                        one, other),
            second.cell->attributes};
    return {fmt::format("a second clock, '{1}' beside '{0}'; all registers of a design have one, "
                        "so hold the other with --tie {1}=0 or --tie {0}=0",
                        one, other),
            second.cell->attributes};
}

}  // namespace

void findClock(const netlist::Module& module, const Interfaces& children, Interface& interface,
               bool isTop) {
    const std::vector<ClockPin> pins = pinsOf(module, children);
    if (pins.empty()) return;
    const ClockPin& first = pins.front();
    for (const ClockPin& pin : pins) {
        if (pin.use.bit != first.use.bit) throw secondClock(module, first.use.bit, pin, isTop);
        if (pin.use.isRising != first.use.isRising)
            throw Problem{"registers at both edges of the clock; all have to take the same one",
                          pin.cell->attributes};
    }
    for (const netlist::Port& port : module.ports) {
        if (port.direction != netlist::Direction::Input || port.bits.size() != 1
            || port.bits[0] != first.use.bit)
            continue;
        interface.clock = port.name;
        interface.isRising = first.use.isRising;
        return refuseUseAsValue(module, children, first.use.bit, port.name);
    }
    if (const std::string input = inputOf(module, first.use.bit); isBitOfVector(input))
        throw Problem{
            fmt::format("the clock '{0}', a bit of a vector; a clock is an input of one bit, "
                        "so give '{0}' an input of its own, in the modules around, too",
                        input),
            first.cell->attributes};
    throw Problem{"a clock that is made inside the design (gated, divided or chosen); it has to be "
                  "an input of the module",
                  first.cell->attributes};
}

}  // namespace smec::rtl
