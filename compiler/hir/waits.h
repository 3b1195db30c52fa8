#pragma once

#include <vector>

#include "hir/body.h"

namespace smec::hir {

/// The statements at which a body waits, in source order. Where a process is between two activations
/// is a number: 0 at the top of its body, n + 1 behind waitsOf(body)[n].
std::vector<const Stmt*> waitsOf(const Body& body);

}  // namespace smec::hir
