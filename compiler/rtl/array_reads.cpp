#include "rtl/array_reads.h"

#include <algorithm>

#include "rtl/word_cases.h"

namespace smec::rtl {

using netlist::Bit;
using netlist::Bits;
using netlist::Cell;

ArrayReads ReadFinder::all(const netlist::Module& module) const {
    ArrayReads found;
    for (const Cell& cell : module.cells) {
        if (std::optional<ArrayRead> read = of(cell)) found.emplace(&cell, std::move(*read));
    }
    return found;
}

std::optional<ArrayRead> ReadFinder::of(const Cell& cell) const {
    const std::size_t selects = cell["S"].size();
    if (cell.type != "$pmux") return std::nullopt;
    const Bits& words = cell["B"];
    const auto first =
        std::ranges::find_if(words, [&](Bit bit) { return elements_.find(bit) != nullptr; });
    if (first == words.end()) return std::nullopt;
    ArrayRead read;
    read.low = elements_.find(*first)->offset;
    std::set<std::uint64_t> values;
    std::size_t elements = 0;
    std::vector<std::size_t> zeros;  // which a memory reads there, too, unless A is chosen
    for (std::size_t i = 0; i < selects; ++i) {
        const std::optional<std::uint64_t> value = valueOf(cell, i, read);
        if (!value || !values.insert(*value).second) return std::nullopt;
        if (*value - array_.first < array_.size()) {  // else it is less, or more
            if (!isElement(cell, i, *value, read)) return std::nullopt;
            ++elements;
            continue;
        }
        const Bits word = CellMaker::part(words, i * cell["Y"].size(), cell["Y"].size());
        const bool isZero = std::ranges::all_of(
            word, [](Bit bit) { return bit == netlist::kZero || bit == netlist::kUnknown; });
        const bool isBefore = isZero && isZeroBeyond_ && *value < array_.first;
        (isBefore ? zeros : read.others).push_back(i);
    }
    const bool isEveryValue =
        read.word.size() < 32 && std::size_t{1} << read.word.size() == values.size();
    const auto isKnown = [](Bit bit) { return bit != netlist::kUnknown; };
    const bool mayElseMatter = std::ranges::any_of(cell["A"], isKnown);
    read.hasElse = !isEveryValue && mayElseMatter;
    if (read.hasElse) read.others.insert(read.others.end(), zeros.begin(), zeros.end());
    // an element that is not chosen here is said by no value of the word, or nobody knows what is
    // read there
    const bool isAny = read.hasElse ? elements == array_.size() : elements > 1;
    return isAny ? std::optional(std::move(read)) : std::nullopt;
}

/// For which value of a word, the same for all of them, a select is on.
std::optional<std::uint64_t> ReadFinder::valueOf(const Cell& cell, std::size_t select,
                                                 ArrayRead& read) const {
    const CellBit test = drivers_.of(cell["S"][select]);
    if (!test.cell || test.offset != 0) return std::nullopt;
    const std::optional<WordCase> one = wordCaseOf(*test.cell);
    if (!one || !one->isPossible) return std::nullopt;
    if (select > 0 && one->word != read.word) return std::nullopt;
    read.word = one->word;
    return one->value;
}

bool ReadFinder::isElement(const Cell& cell, std::size_t select, std::uint64_t value,
                           ArrayRead& read) const {
    const std::size_t width = cell["Y"].size();
    const Bits& whole = (*array_.registers[value - array_.first])["Q"];
    return read.low + width <= whole.size()
           && CellMaker::part(cell["B"], select * width, width)
                  == CellMaker::part(whole, read.low, width);
}

void Needed::later(const Bits& bits) {
    for (const Bit bit : bits) {
        if (netlist::isNet(bit) && seen_.insert(bit).second) todo_.push_back(bit);
    }
}

void Needed::need(const Bits& bits) {
    later(bits);
    while (!todo_.empty()) {
        const Bit bit = todo_.back();
        todo_.pop_back();
        look(bit);
    }
}

void Needed::needOutside(const RegisterArray& array) {
    for (const netlist::Port& port : module_.ports) {
        if (port.direction != netlist::Direction::Input) need(port.bits);
    }
    const std::set<const Cell*> registers(array.registers.begin(), array.registers.end());
    for (const Cell& cell : module_.cells) {
        if (registers.contains(&cell) || isCombinational(cell)) continue;
        isLive_[numberOf(cell)] = true;
        for (const auto& [port, bits] : cell.connections)
            need(bits);
    }
    for (const netlist::Net& net : module_.nets) {
        if (net.isHidden) continue;
        Bits others = net.bits;
        std::erase_if(others, [&](Bit bit) { return elements_.find(bit) != nullptr; });
        need(others);
    }
}

void Needed::look(Bit bit) {
    if (const ElementBits::Place* place = elements_.find(bit)) {
        alone_.insert(place->element);
        return;
    }
    const Cell* cell = drivers_.of(bit).cell;
    if (!cell || isLive(*cell)) return;
    isLive_[numberOf(*cell)] = true;
    if (const auto read = reads_.find(cell); read != reads_.end()) {
        later(read->second.word);
        if (read->second.hasElse) later((*cell)["A"]);
        const std::size_t width = (*cell)["Y"].size();
        for (const std::size_t other : read->second.others) {
            later({(*cell)["S"][other]});
            later(CellMaker::part((*cell)["B"], other * width, width));
        }
        return;
    }
    for (const auto& [port, bits] : cell->connections) {
        if (port != "Y") later(bits);
    }
}

}  // namespace smec::rtl
