#pragma once

#include <vector>

#include "ir/ir.h"

namespace smec::hdl {

/// By LocalId: whether loops set it that Verilator 5.006 does not unroll: of more than 64 rounds,
/// or of so many operations in all. It assigns arrays in them at once only.
std::vector<bool> setInLongLoops(const ir::Body& body);

}  // namespace smec::hdl
