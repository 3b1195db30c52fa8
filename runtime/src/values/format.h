#pragma once

#include <cstdint>
#include <string>

#include "sme/model.h"

namespace sme {

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
/// Any value as stored. Arrays [1, 2], structs (x: 1, y: 2); the spec applies to their numbers.
void appendValue(std::string& out, const Model& model, std::uint32_t type, const std::byte* at,
                 const FormatSpec& spec);
/// A value that is no array and no struct.
void appendScalar(std::string& out, const Type& type, const std::byte* at, const FormatSpec& spec);
void appendUnsigned(std::string& out, std::uint64_t value);

/// The text of a trace or an assertion with its arguments.
void appendText(std::string& out, const Model& model, const TraceSite& site, const Arg* args);
void appendArgument(std::string& out, const Model& model, const ArgFormat& format, const Arg& arg,
                    const FormatSpec& spec);

}  // namespace sme
