#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "interp/simulation.h"

namespace smec::interp {

/// A state as bytes: sme/state_format.h.
std::vector<std::byte> toBytes(const Simulation& simulation, const State& state);
/// Throws RunError when they are none of this design.
State fromBytes(const Simulation& simulation, std::span<const std::byte> bytes);

/// A state of a design that may be another one: what matches by path and type. All else is as it is
/// before cycle 0.
struct TakenOver {
    State state;
    std::vector<std::string> differences;  ///< "'b.v' is gone"
};
/// Throws RunError when they are no state.
TakenOver takeOver(const Simulation& simulation, std::span<const std::byte> bytes);

}  // namespace smec::interp
