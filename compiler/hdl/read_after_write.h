#pragma once

#include <vector>

#include "ir/ir.h"

namespace smec::hdl {

/// By LocalId: whether a statement may read what an earlier one of the same activation has set, or
/// what was `set` in front of all. Bodies without loops.
std::vector<bool> readAfterWrite(const ir::Body& body, std::vector<bool> set);

/// By LocalId: whether it is first set within a branch.
std::vector<bool> setInBranch(const ir::Body& body);

}  // namespace smec::hdl
