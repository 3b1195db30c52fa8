#include "rtl/signals.h"

#include <algorithm>

#include <fmt/format.h>

#include "rtl/cells.h"
#include "rtl/registers.h"

namespace smec::rtl {

Signals::Signals(const netlist::Module& module, const Interfaces& children, const Interface& own,
                 Names& names) {
    for (const netlist::Port& port : module.ports) {
        if (port.direction == netlist::Direction::Inout)
            throw Problem{fmt::format("port '{}', which goes in and out; give it an input, an "
                                      "output and an enable",
                                      port.name),
                          module.attributes};
        if (port.name == own.clock) continue;
        ports[port.name] = names.take(port.name);
        if (port.direction != netlist::Direction::Input) continue;
        drive({.width = static_cast<std::uint32_t>(port.bits.size()),
               .origin = Origin::Input,
               .port = port.name,
               .bits = port.bits,
               .isPublic = true,
               .isSigned = port.isSigned});
        all.back().name = ports[port.name];
    }
    for (const netlist::Cell& cell : module.cells)
        addCell(module, cell, children);
    nameAfterOutputs(module);
    name(module, names);
    const InitialValues initial(module);
    for (Signal& signal : all) {
        if (signal.origin != Origin::Register) continue;
        for (std::size_t i = 0; i < signal.bits.size(); ++i) {
            if (initial.of(signal.bits[i])) bit_set(signal.initial, static_cast<unsigned>(i));
        }
    }
}

void Signals::drive(Signal signal) {
    const auto id = static_cast<SignalId>(all.size());
    for (std::uint32_t i = 0; i < signal.bits.size(); ++i) {
        const netlist::Bit bit = signal.bits[i];
        if (netlist::isNet(bit) && !drivers_.try_emplace(bit, Source{id, i}).second)
            throw Problem{"a net with two drivers; let one process choose",
                          signal.cell ? signal.cell->attributes : netlist::Values()};
    }
    all.push_back(std::move(signal));
}

void Signals::addReadPorts(const netlist::Cell& cell) {
    const std::uint64_t width = cell.number("WIDTH");
    const netlist::Bits& data = cell["RD_DATA"];
    for (std::uint32_t i = 0; i < cell.number("RD_PORTS"); ++i) {
        const auto first = data.begin() + static_cast<std::ptrdiff_t>(i * width);
        drive({.width = static_cast<std::uint32_t>(width),
               .origin = Origin::ReadPort,
               .cell = &cell,
               .port = {},
               .readPort = i,
               .bits = {first, first + static_cast<std::ptrdiff_t>(width)}});
    }
}

namespace {

/// The smallest net of the source that has a bit that a cell drives; none: empty.
std::string drivenBy(const netlist::Module& module, const netlist::Cell& cell) {
    const netlist::Net* best = nullptr;
    for (const char* port : {"Q", "Y"}) {
        const netlist::Bits& bits = cell[port];
        if (bits.empty()) continue;
        for (const netlist::Net& net : module.nets) {
            if (net.isHidden || (best && best->bits.size() <= net.bits.size())) continue;
            if (std::ranges::find(net.bits, bits[0]) != net.bits.end()) best = &net;
        }
    }
    return best ? best->name : std::string();
}

}  // namespace

void Signals::addCell(const netlist::Module& module, const netlist::Cell& cell,
                      const Interfaces& children) {
    for (const auto& [port, bits] : cell.connections) {
        if (std::ranges::find(bits, netlist::kHighImpedance) != bits.end())
            throw Problem{triState(drivenBy(module, cell)), cell.attributes};
    }
    const auto output = [&](std::string_view port, Origin origin) {
        const netlist::Bits& bits = cell[port];
        if (bits.empty()) return;
        drive({.width = static_cast<std::uint32_t>(bits.size()),
               .origin = origin,
               .cell = &cell,
               .port = std::string(port),
               .bits = bits});
    };
    if (isMemory(cell)) return addReadPorts(cell);
    if (isRegister(cell)) return output("Q", Origin::Register);
    if (isCheck(cell)) return;
    const auto child = children.find(cell.type);
    if (child == children.end()) {
        if (!computes(cell)) {
            const std::string driven = drivenBy(module, cell);
            throw Problem{whyNot(cell, driven), cell.attributes, whyNotAtEdge(cell, driven)};
        }
        return output("Y", Origin::Cell);
    }
    for (const auto& [port, bits] : cell.connections) {
        if (!child->second.outputs.contains(port) || bits.empty()) continue;
        output(port, Origin::Child);
        all.back().isSigned = child->second.isSigned(port);
    }
}

void Signals::nameAfterOutputs(const netlist::Module& module) {
    for (const netlist::Port& port : module.ports) {
        if (port.direction != netlist::Direction::Output) continue;
        const std::optional<SignalId> id = whole(port.bits);
        if (!id || !all[*id].name.empty() || all[*id].origin == Origin::Register) continue;
        Signal& signal = all[*id];
        if (signal.origin == Origin::Child && signal.isSigned != port.isSigned) continue;
        signal.isSigned = port.isSigned;
        signal.name = ports[port.name];
        signal.port = signal.origin == Origin::Child ? signal.port : port.name;
        signal.isPublic = signal.isOutput = true;
    }
}

/// After nets of the source where one is just these bits or has them in a row; else after what the
/// cell does.
void Signals::name(const netlist::Module& module, Names& names) {
    struct Place {
        const netlist::Net* net;
        std::size_t offset;
    };
    std::unordered_map<netlist::Bit, std::vector<Place>> places;
    for (const netlist::Net& net : module.nets) {
        if (net.isHidden) continue;
        for (std::size_t i = 0; i < net.bits.size(); ++i)
            places[net.bits[i]].push_back({&net, i});
    }
    for (Signal& signal : all) {
        if (!signal.name.empty() || signal.bits.empty()) continue;
        const netlist::Net* best = nullptr;
        std::size_t offset = 0;
        for (const auto& [net, at] : places[signal.bits[0]]) {
            const auto first = net->bits.begin() + static_cast<std::ptrdiff_t>(at);
            const auto left = static_cast<std::size_t>(net->bits.end() - first);
            if (left < signal.width || !std::equal(signal.bits.begin(), signal.bits.end(), first))
                continue;
            if (best && best->bits.size() <= net->bits.size()) continue;
            best = net;
            offset = at;
        }
        signal.isPublic = best != nullptr;
        if (!best) {
            const std::string kind = signal.cell->type.substr(signal.cell->type[0] == '$' ? 1 : 0);
            signal.name = names.take(
                signal.origin == Origin::Child ? signal.cell->name + "_" + signal.port : kind);
        } else if (best->bits.size() == signal.width) {
            const bool isPort = ports.contains(best->name);  // a register beside its output
            signal.name = names.take(isPort ? best->name + "_reg" : best->name);
        } else {
            signal.name = names.take(fmt::format("{}_{}", best->name, offset));
        }
    }
}

std::vector<Run> Signals::runs(const netlist::Bits& bits) const {
    std::vector<Run> runs;
    for (const netlist::Bit bit : bits) {
        const auto found = drivers_.find(bit);
        const Source source = found == drivers_.end() ? Source{kConstant, 0} : found->second;
        Run* last = runs.empty() ? nullptr : &runs.back();
        const bool goesOn =
            last && last->signal == source.signal
            && (source.signal == kConstant || last->offset + last->width == source.offset);
        if (!goesOn) {
            runs.push_back({source.signal, source.offset, 0, 0});
            last = &runs.back();
        }
        if (bit == netlist::kOne) bit_set(last->value, last->width);
        ++last->width;
    }
    return runs;
}

std::optional<SignalId> Signals::whole(const netlist::Bits& bits) const {
    if (bits.empty()) return std::nullopt;
    const auto found = drivers_.find(bits[0]);
    if (found == drivers_.end() || found->second.offset != 0) return std::nullopt;
    const SignalId id = found->second.signal;
    return all[id].bits == bits ? std::optional(id) : std::nullopt;
}

SignalId Signals::addWire(std::string name, const netlist::Bits& bits, const netlist::Cell* cell,
                          const std::string& port, bool isSigned) {
    all.push_back({.name = std::move(name),
                   .width = static_cast<std::uint32_t>(bits.size()),
                   .origin = Origin::Wire,
                   .cell = cell,
                   .port = port,
                   .bits = bits,
                   .isPublic = true,
                   .isSigned = isSigned});
    return static_cast<SignalId>(all.size() - 1);
}

netlist::Bits Signals::address(const Signal& signal) {
    const netlist::Bits& all = (*signal.cell)["RD_ADDR"];
    const auto width = static_cast<std::ptrdiff_t>(signal.cell->number("ABITS"));
    const auto first = all.begin() + width * signal.readPort;
    return {first, first + width};
}

}  // namespace smec::rtl
