#pragma once

#include <cstdint>

#include "engine/engine.h"

namespace sme {

/// One number for the final state: the sum over all scalars of all fields and variables of a hash
/// of (name, value), so that neither the order nor the layout of anything matters. See
/// docs/architecture.md for the formula; the interpreter has its own.
std::uint64_t checksum(const Engine& engine);

/// The hash of one scalar's value.
std::uint64_t hashScalar(const Type& type, const std::byte* at);

}  // namespace sme
