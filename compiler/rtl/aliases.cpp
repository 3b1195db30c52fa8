#include "rtl/aliases.h"

#include <algorithm>

namespace smec::rtl {
namespace {

bool isAll(const netlist::Bits& bits, netlist::Bit bit) {
    return std::ranges::all_of(bits, [&](netlist::Bit one) { return one == bit; });
}

/// The input that the output is; null: it depends.
const netlist::Bits* inputOf(const netlist::Cell& cell) {
    if (cell.type != "$mux") return nullptr;
    if (isAll(cell["A"], netlist::kUnknown)) return &cell["B"];
    if (isAll(cell["B"], netlist::kUnknown)) return &cell["A"];
    const bool isCondition = cell["S"].size() == 1 && cell["A"] == netlist::Bits{netlist::kZero}
                             && cell["B"] == netlist::Bits{netlist::kOne};
    return isCondition ? &cell["S"] : nullptr;
}

}  // namespace

void Aliases::add(const netlist::Bits& outputs, const netlist::Bits& inputs) {
    for (std::size_t i = 0; i < std::min(outputs.size(), inputs.size()); ++i) {
        if (netlist::isNet(outputs[i])) of_[outputs[i]] = inputs[i];
    }
}

/// What is found is told to all on the way there, so that chains are gone through once.
netlist::Bit Aliases::end(netlist::Bit bit) {
    netlist::Bit last = bit;
    std::size_t steps = 0;
    for (auto next = of_.find(last); next != of_.end() && steps <= of_.size();
         next = of_.find(last), ++steps)
        last = next->second;
    for (auto next = of_.find(bit); next != of_.end() && bit != last; next = of_.find(bit)) {
        bit = next->second;
        next->second = last;
    }
    return last;
}

void Aliases::resolve(netlist::Bits& bits) {
    for (netlist::Bit& bit : bits)
        bit = end(bit);
}

void Aliases::resolve(netlist::Module& module) {
    if (of_.empty()) return;
    for (netlist::Port& port : module.ports) {
        if (port.direction != netlist::Direction::Input) resolve(port.bits);
    }
    for (netlist::Net& net : module.nets)
        resolve(net.bits);
    for (netlist::Cell& cell : module.cells) {
        for (auto& [port, bits] : cell.connections)
            resolve(bits);
    }
}

void resolveAliases(netlist::Module& module) {
    Aliases aliases;
    std::erase_if(module.cells, [&](const netlist::Cell& cell) {
        const netlist::Bits* input = inputOf(cell);
        if (input) aliases.add(cell["Y"], *input);
        return input != nullptr;
    });
    aliases.resolve(module);
}

}  // namespace smec::rtl
