#pragma once

#include "elab/tree.h"

namespace smec::elab {

/// The indices of an instance: 3 and 4 of s[3][4].
std::span<const std::uint64_t> indicesOf(const Tree& tree, NodeId node);

/// The element with these indices; kNone when it was not generated. Constant time, nearly.
NodeId findElement(const Tree& tree, const NamedInstances& named,
                   std::span<const std::uint64_t> indices);

/// Adds an instance whose node and indices exist; answers the one that already has these indices,
/// or kNone.
NodeId addElement(const Tree& tree, NamedInstances& named, NodeId node);

}  // namespace smec::elab
