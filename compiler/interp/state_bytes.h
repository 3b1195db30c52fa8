#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "interp/simulation.h"

namespace smec::interp {

/// The bytes of a value as simulators keep it (sme/simulation.h).
std::size_t bytesOf(const TypeTable& types, TypeId type);
void appendBytes(const TypeTable& types, TypeId type, const Value& value,
                 std::vector<std::byte>& bytes);
/// Nothing where the bytes are no value of the type.
std::optional<Value> valueOfBytes(const TypeTable& types, TypeId type,
                                  std::span<const std::byte> bytes);

/// A state as bytes: sme/state_format.h.
std::vector<std::byte> toBytes(const Simulation& simulation, const State& state);
/// Throws RunError when they are none of this design.
State fromBytes(const Simulation& simulation, std::span<const std::byte> bytes);

}  // namespace smec::interp
