#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "interp/simulation.h"

namespace smec::interp {

/// A state as bytes: sme/state_format.h.
std::vector<std::byte> toBytes(const Simulation& simulation, const State& state);
/// Throws RunError when they are none of this design.
State fromBytes(const Simulation& simulation, std::span<const std::byte> bytes);

}  // namespace smec::interp
