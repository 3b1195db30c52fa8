#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "hdl/nets.h"

namespace smec::hdl {

/// Nets of the elements of an array of buses that share a vector, in its order.
using Vectors = std::vector<std::vector<std::uint32_t>>;

/// Of the nets inside a node those that may share vectors: of registers only, since a vector that
/// combinational processes drive would look like a loop to some tools.
Vectors vectorsOf(const Netlist& list, std::uint32_t node, const std::set<std::uint32_t>& inside);

}  // namespace smec::hdl
