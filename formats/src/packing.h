#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sme {

/// Bytes in blocks, each packed with lz4 where it shrinks so much that packing takes less time than
/// writing what that saves.
std::vector<std::byte> packed(std::span<const std::byte> bytes);

/// `first`: where the bytes stand in their file. Throws BadState (sme/state_format.h).
std::vector<std::byte> unpacked(std::span<const std::byte> bytes, std::uint64_t first);

/// One block: as it is, or packed in `room`, which is as long at least, where that is worth it.
std::span<const std::byte> packedBlock(std::span<const std::byte> bytes,
                                       std::vector<std::byte>& room);

/// What was packed, of the length that it had. False: it is damaged. Throws BadState where nothing can
/// be unpacked.
[[nodiscard]] bool unpackBlock(std::span<const std::byte> bytes, std::span<std::byte> to);

}  // namespace sme
