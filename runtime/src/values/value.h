#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "sme/model.h"

namespace sme {

/// A scalar of at most 8 bytes as stored: zero-extended.
inline std::uint64_t loadRaw(const std::byte* at, std::uint32_t bytes) {
    std::uint64_t value = 0;
    switch (bytes) {
    case 1: return static_cast<std::uint8_t>(*at);
    case 2: {
        std::uint16_t v;
        std::memcpy(&v, at, 2);
        return v;
    }
    case 4: {
        std::uint32_t v;
        std::memcpy(&v, at, 4);
        return v;
    }
    default: std::memcpy(&value, at, 8); return value;
    }
}

inline std::uint64_t signExtend(std::uint64_t value, std::uint32_t bits) {
    const unsigned shift = bits < 64 ? 64 - bits : 0;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value << shift) >> shift);
}

inline bool isScalar(const Type& type) {
    return type.kind != Kind::Array && type.kind != Kind::Struct;
}

/// Whether an enum is stored in two's complement: some member is negative.
bool enumIsSigned(const Type& type);
/// Whether stored numbers of this integer or enum type are sign-extended.
inline bool isSignedNumber(const Type& type) {
    return type.kind == Kind::Signed || (type.kind == Kind::Enum && enumIsSigned(type));
}
/// The member with the stored value, or null.
const EnumMember* memberOf(const Type& type, const std::byte* at);

/// Whether bytes are a value of a scalar type as it is stored: of its width and range, a member of
/// the enum.
bool isValue(const Type& type, const std::byte* at);

/// The same of all scalars of a whole value.
bool areValues(const Model& model, std::uint32_t type, const std::byte* at);

/// Bits of information in a value: widths of all its scalars added.
std::uint64_t totalBits(const Model& model, std::uint32_t type);

/// Reads the text of a scalar (LANGUAGE.md, CSV of CLI.md) and stores it as `type`. False and a
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
