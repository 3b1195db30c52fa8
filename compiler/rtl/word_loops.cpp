#include "rtl/word_loops.h"

#include <algorithm>

#include "rtl/cell_maker.h"
#include "rtl/cells.h"
#include "source/graph.h"

namespace smec::rtl {

WordLoops::WordLoops(const netlist::Module& module)
    : loop(module.cells.size(), kNone),
      module_(module),
      places_(firstFree(module), BitPlace{kNone, 0}) {
    const auto count = static_cast<std::uint32_t>(module.cells.size());
    for (std::uint32_t i = 0; i < count; ++i) {
        const netlist::Cell& cell = module.cells[i];
        if (!computes(cell)) continue;
        const netlist::Bits& bits = cell["Y"];
        for (std::uint32_t at = 0; at < bits.size(); ++at) {
            if (netlist::isNet(bits[at])) places_[bits[at]] = {i, at};
        }
    }
    Graph inputs;
    for (std::uint32_t i = 0; i < count; ++i)
        inputs.add(inputsOf(i));
    componentsOf(inputs).forEach([&](std::span<const std::uint32_t> cells) {
        if (!isCyclic(inputs, cells)) return;
        isAny_ = true;
        for (const std::uint32_t cell : cells)
            loop[cell] = cells.front();
    });
}

std::vector<std::uint32_t> WordLoops::inputsOf(std::uint32_t cell) const {
    std::vector<std::uint32_t> inputs;
    const netlist::Cell& reader = module_.cells[cell];
    if (!computes(reader)) return inputs;
    for (const auto& [port, bits] : reader.connections) {
        if (port == "Y") continue;
        for (const netlist::Bit bit : bits) {
            const std::uint32_t from = placeOf(bit).cell;
            if (from != kNone && (inputs.empty() || inputs.back() != from)) inputs.push_back(from);
        }
    }
    return inputs;
}

}  // namespace smec::rtl
