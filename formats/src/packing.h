#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace sme {

/// Bytes in blocks, each packed with lz4 where it shrinks so much that packing takes less time than
/// writing what that saves.
std::vector<std::byte> packed(std::span<const std::byte> bytes);

/// Throws BadState (sme/state_format.h).
std::vector<std::byte> unpacked(std::span<const std::byte> bytes);

}  // namespace sme
