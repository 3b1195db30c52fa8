#pragma once

#include <optional>

#include "netlist/netlist.h"

namespace smec::rtl {

/// A number that bits are; none where one of them is no constant, or a 1 stands beyond 64 bits.
std::optional<std::uint64_t> constantOf(const netlist::Bits& bits);

/// A word that is a constant.
struct WordCase {
    netlist::Bits word;
    std::uint64_t value;
    bool isPossible = true;  ///< the word has bits enough
};

/// What a cell asks that compares a word with a constant, `$eq` or `$logic_not`.
std::optional<WordCase> wordCaseOf(const netlist::Cell& cell);

}  // namespace smec::rtl
