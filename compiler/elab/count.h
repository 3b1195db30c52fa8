#pragma once

#include "elab/tree.h"

namespace smec::elab {

/// How many instances, networks and processes, there will be below the top at least, without making
/// any: what cannot be told at a glance counts as none. A design far beyond --max-instances is
/// refused by it before it fills the memory.
std::uint64_t leastInstances(const Tree& tree, const Entity& top);

}  // namespace smec::elab
