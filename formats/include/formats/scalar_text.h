#pragma once

#include <cstdint>
#include <string>

#include "formats/scalar.h"

namespace sme {

/// Of what a spec asks for.
inline constexpr std::uint32_t kMostWidth = 100'000;

/// {:[0][width][d|x|b]}, {:c}
struct FormatSpec {
    bool zero = false;
    std::uint32_t width = 0;
    char radix = 'd';  ///< d, x, b, c; integers only
};

/// Appends a number of `count` limbs in two's complement (the top one extended). In x and b a
/// negative one is shown in two's complement, `bits` wide or, if that is too narrow, as it needs.
/// In c it is the byte that is its low bits.
void appendInteger(std::string& out, const std::uint64_t* limbs, std::uint32_t count, bool isSigned,
                   std::uint32_t bits, const FormatSpec& spec);
/// Shortest text that reads back as the same number: 2.0, 0.1, 1e+20, inf, -inf, nan.
void appendFloat(std::string& out, float value, const FormatSpec& spec);
void appendFloat(std::string& out, double value, const FormatSpec& spec);
/// An integer or enum as stored, by its number.
void appendStoredInteger(std::string& out, const Type& type, const std::byte* at,
                         std::uint32_t bits, const FormatSpec& spec);
/// A value that is no array and no struct.
void appendScalar(std::string& out, const Type& type, const std::byte* at, const FormatSpec& spec);
void appendUnsigned(std::string& out, std::uint64_t value);

}  // namespace sme
