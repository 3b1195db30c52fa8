#include "rtl/straight_outputs.h"

#include <map>
#include <string>
#include <unordered_map>

#include "rtl/aliases.h"

namespace smec::rtl {
namespace {

using netlist::Bit;
using netlist::Bits;

/// A bit of an input.
struct InputBit {
    std::string_view port;
    std::size_t offset = 0;
};
/// What outputs of a module are.
using Straight = std::map<std::string, std::vector<InputBit>, std::less<>>;

Straight straightOutputs(const netlist::Module& module) {
    std::unordered_map<Bit, InputBit> inputs;
    for (const netlist::Port& port : module.ports) {
        if (port.direction != netlist::Direction::Input) continue;
        for (std::size_t i = 0; i < port.bits.size(); ++i)
            inputs[port.bits[i]] = {port.name, i};
    }
    Straight straight;
    for (const netlist::Port& port : module.ports) {
        if (port.direction != netlist::Direction::Output) continue;
        std::vector<InputBit> bits;
        for (const Bit bit : port.bits) {
            const auto input = inputs.find(bit);
            if (input == inputs.end()) break;
            bits.push_back(input->second);
        }
        if (!bits.empty() && bits.size() == port.bits.size())
            straight.emplace(port.name, std::move(bits));
    }
    return straight;
}

Bits given(const netlist::Cell& instance, const std::vector<InputBit>& inputs) {
    Bits bits;
    for (const auto& [port, offset] : inputs) {
        const Bits& connected = instance[port];
        bits.push_back(offset < connected.size() ? connected[offset] : netlist::kUnknown);
    }
    return bits;
}

}  // namespace

void joinStraightOutputs(const std::vector<netlist::Module*>& modules) {
    std::map<std::string_view, Straight> known;
    for (netlist::Module* module : modules) {
        Aliases aliases;
        for (netlist::Cell& cell : module->cells) {
            const auto child = known.find(cell.type);
            if (child == known.end()) continue;
            for (const auto& [output, inputs] : child->second) {
                aliases.add(cell[output], given(cell, inputs));
                cell.connections.erase(output);
            }
        }
        aliases.resolve(*module);
        if (module != modules.back()) known[module->name] = straightOutputs(*module);
    }
    for (netlist::Module* module : modules) {
        const auto straight = known.find(module->name);
        if (straight == known.end()) continue;
        std::erase_if(module->ports, [&](const netlist::Port& port) {
            return straight->second.contains(port.name);
        });
    }
}

}  // namespace smec::rtl
