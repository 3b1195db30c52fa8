#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "formats/byte_reader.h"

namespace sme::fst {

using Bytes = std::vector<std::uint8_t>;

/// What the parts of a file may take when they are unpacked, together. A length that a file states is
/// held against what its packing can make of so many bytes and against this before memory is taken.
class Room {
public:
    explicit Room(std::uint64_t bytes) : left_(bytes) {}
    /// Throws DamagedFile: `offset` is where the length stands.
    void take(std::uint64_t bytes, std::uint64_t offset);
    void giveBack(std::uint64_t bytes) { left_ += bytes; }

private:
    std::uint64_t left_;
};

enum class Packing : std::uint8_t { Zlib, Gzip, Lz4, FastLz };

/// What was packed, of exactly so many bytes. Throws DamagedFile at `offset`.
Bytes unpacked(Packing packing, std::span<const std::uint8_t> packed, std::uint64_t bytes,
               Room& room, std::uint64_t offset);

}  // namespace sme::fst
