#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "formats/scalar.h"

namespace sme {

/// Whether bytes are a value of a scalar type as it is stored: of its width and range, a member of
/// the enum.
bool isValue(const Type& type, const std::byte* at);

/// The same of all scalars of a whole value.
bool areValues(const Model& model, std::uint32_t type, const std::byte* at);

/// Bits of information in a value: widths of all its scalars added.
std::uint64_t totalBits(const Model& model, std::uint32_t type);

/// Reads the text of a scalar (as in the language and in CSV files) and stores it as `type`. False and a
/// message when it is none.
bool parseScalar(const Type& type, std::string_view text, std::byte* target, std::string& error);

/// NaN has one bit pattern wherever it is stored.
inline constexpr std::uint32_t kNanF32 = 0x7FC00000;
inline constexpr std::uint64_t kNanF64 = 0x7FF8000000000000;
inline std::uint32_t canonicalF32(std::uint32_t bits) {
    return (bits & 0x7FFFFFFF) > 0x7F800000 ? kNanF32 : bits;
}
inline std::uint64_t canonicalF64(std::uint64_t bits) {
    return (bits & 0x7FFFFFFFFFFFFFFF) > 0x7FF0000000000000 ? kNanF64 : bits;
}

}  // namespace sme
