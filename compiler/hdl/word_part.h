#pragma once

#include <optional>
#include <vector>

#include "ir/bits.h"

namespace smec::hdl {

/// The bits of a word of a memory that a statement sets, while the others stay: byte enables.
struct WordPart {
    ir::Inserted bits;
    ir::ExprId lane{};       ///< valid: the number of the lane, of several
    std::uint32_t step = 0;  ///< from a lane to the next
    std::uint32_t lanes = 1;
};

/// Nothing for whole words, and for parts whose place is neither known nor that of a lane. Reads of
/// the word that is set count as none then. `values`: intervals of the expressions.
std::optional<WordPart> wordPart(const ir::Body& body, const std::vector<ir::Interval>& values,
                                 const ir::Set& set);

}  // namespace smec::hdl
