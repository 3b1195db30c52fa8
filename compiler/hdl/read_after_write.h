#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "ir/ir.h"

namespace smec::hdl {

/// By LocalId: whether a statement may read what an earlier one of the same activation has set, or
/// what was `set` in front of all. Loops have constant bounds. `values`: intervals of the
/// expressions.
std::vector<bool> readAfterWrite(const ir::Body& body, const std::vector<ir::Interval>& values,
                                 std::vector<bool> set);

/// By LocalId: whether it is first set within a branch.
std::vector<bool> setInBranch(const ir::Body& body);

/// At how many places words of an array are set; nothing where it is copied or filled as a whole.
std::optional<std::size_t> wordsSet(const ir::Body& body, ir::LocalId array);

}  // namespace smec::hdl
