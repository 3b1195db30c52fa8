#pragma once

#include <cstdint>

#include "engine/engine.h"
#include "engine/owners.h"

namespace sme {

/// One number for the final state: the sum over all scalars of all fields and variables of a hash
/// of (name, value), so that neither the order nor the layout of anything matters. The
/// interpreter has the formula once more (interp/hash.h).
std::uint64_t checksum(const Engine& engine);
/// A rank's part of it, of what the rank writes: the parts of all add up to the whole.
std::uint64_t checksumOf(const Engine& engine, const Owners& owners, unsigned rank);

/// The hash of one scalar's value.
std::uint64_t hashScalar(const Type& type, const std::byte* at);

}  // namespace sme
