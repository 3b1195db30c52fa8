#pragma once

// FNV-1a, 64 bits (Fowler, Noll, Vo): of names, and of what two sides compare. Its bits are in
// states, checksums and names of files, so that they never change. Not against those who look for
// equal hashes.

#include <cstdint>
#include <string_view>

namespace sme {

/// The hash of no bytes.
inline constexpr std::uint64_t kFnv1aStart = 0xCBF29CE484222325;

/// A number as one unit; below 256 the same as a byte. Others have no published hash.
constexpr std::uint64_t fnv1aStep(std::uint64_t hash, std::uint64_t number) noexcept {
    return (hash ^ number) * 0x100000001B3;
}

/// The bytes of `text`, behind what `hash` is of: fnv1a("b", fnv1a("a")) == fnv1a("ab").
/// O(text.size()).
constexpr std::uint64_t fnv1a(std::string_view text, std::uint64_t hash = kFnv1aStart) noexcept {
    for (const char c : text)
        hash = fnv1aStep(hash, static_cast<unsigned char>(c));
    return hash;
}

}  // namespace sme
