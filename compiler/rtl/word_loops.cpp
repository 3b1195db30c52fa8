#include "rtl/word_loops.h"

#include <algorithm>

#include "rtl/cell_maker.h"
#include "rtl/cells.h"

// Strongly connected components after Tarjan, without recursion: chains may be long.

namespace smec::rtl {

struct WordLoops::Search {
    struct Step {
        std::uint32_t cell;
        std::vector<std::uint32_t> inputs;
        std::size_t next = 0;
    };
    explicit Search(std::size_t count) : number(count, kNone), lowest(count), isOpen(count) {}

    void enter(std::uint32_t cell, std::vector<std::uint32_t> inputs) {
        number[cell] = lowest[cell] = count++;
        isOpen[cell] = true;
        open.push_back(cell);
        path.push_back({cell, std::move(inputs)});
    }

    std::uint32_t count = 0;
    std::vector<std::uint32_t> number;  ///< in the order in which they are met
    std::vector<std::uint32_t> lowest;  ///< that can be reached
    std::vector<bool> isOpen;
    std::vector<std::uint32_t> open;
    std::vector<Step> path;
};

WordLoops::WordLoops(const netlist::Module& module, const Interfaces& children)
    : loop(module.cells.size(), kNone),
      module_(module),
      places_(firstFree(module), BitPlace{kNone, 0}) {
    const auto count = static_cast<std::uint32_t>(module.cells.size());
    for (std::uint32_t i = 0; i < count; ++i) {
        const netlist::Cell& cell = module.cells[i];
        if (children.contains(cell.type) || !computes(cell)) continue;
        const netlist::Bits& bits = cell["Y"];
        for (std::uint32_t at = 0; at < bits.size(); ++at) {
            if (netlist::isNet(bits[at])) places_[bits[at]] = {i, at};
        }
    }
    Search search(count);
    for (std::uint32_t root = 0; root < count; ++root) {
        if (search.number[root] != kNone) continue;
        search.enter(root, inputsOf(root));
        while (!search.path.empty()) {
            Search::Step& step = search.path.back();
            const std::uint32_t cell = step.cell;
            if (step.next == step.inputs.size()) {
                search.path.pop_back();
                close(search, cell);
                continue;
            }
            const std::uint32_t input = step.inputs[step.next++];
            if (search.number[input] == kNone)
                search.enter(input, inputsOf(input));
            else if (search.isOpen[input])
                search.lowest[cell] = std::min(search.lowest[cell], search.number[input]);
        }
    }
}

std::vector<std::uint32_t> WordLoops::inputsOf(std::uint32_t cell) const {
    std::vector<std::uint32_t> inputs;
    const netlist::Cell& reader = module_.cells[cell];
    const netlist::Bits& own = reader["Y"];
    if (own.empty() || !netlist::isNet(own[0]) || placeOf(own[0]).cell != cell) return inputs;
    for (const auto& [port, bits] : reader.connections) {
        if (port == "Y") continue;
        for (const netlist::Bit bit : bits) {
            const std::uint32_t from = placeOf(bit).cell;
            if (from != kNone && (inputs.empty() || inputs.back() != from)) inputs.push_back(from);
        }
    }
    return inputs;
}

/// A cell whose inputs are all known; those after it that reach no further back are one component.
void WordLoops::close(Search& search, std::uint32_t root) {
    if (!search.path.empty()) {
        std::uint32_t& above = search.lowest[search.path.back().cell];
        above = std::min(above, search.lowest[root]);
    }
    if (search.lowest[root] != search.number[root]) return;
    const bool isAlone = search.open.back() == root;
    const bool isLoop = !isAlone || std::ranges::count(inputsOf(root), root) != 0;
    isAny_ = isAny_ || isLoop;
    for (std::uint32_t cell = kNone; cell != root;) {
        cell = search.open.back();
        search.open.pop_back();
        search.isOpen[cell] = false;
        if (isLoop) loop[cell] = root;
    }
}

}  // namespace smec::rtl
