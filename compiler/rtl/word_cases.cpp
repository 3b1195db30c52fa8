#include "rtl/word_cases.h"

namespace smec::rtl {

std::optional<std::uint64_t> constantOf(const netlist::Bits& bits) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bits.size(); ++i) {
        if (bits[i] != netlist::kZero && bits[i] != netlist::kOne) return std::nullopt;
        if (bits[i] == netlist::kZero) continue;
        if (i >= 64) return std::nullopt;
        value |= std::uint64_t{1} << i;
    }
    return value;
}

std::optional<WordCase> wordCaseOf(const netlist::Cell& cell) {
    if (cell.type == "$logic_not") return WordCase{cell["A"], 0};
    if (cell.type != "$eq") return std::nullopt;
    const bool isFirst = constantOf(cell["A"]).has_value();
    const netlist::Bits& word = cell[isFirst ? "B" : "A"];
    const netlist::Bits& other = cell[isFirst ? "A" : "B"];
    const std::optional<std::uint64_t> value = constantOf(other);
    const bool isSigned = cell.flag("A_SIGNED") && cell.flag("B_SIGNED");
    if (!value || word.empty() || (isSigned && word.size() != other.size())) return std::nullopt;
    return WordCase{word, *value, word.size() >= 64 || *value >> word.size() == 0};
}

}  // namespace smec::rtl
