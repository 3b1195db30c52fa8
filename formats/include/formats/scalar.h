#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

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
/// Of an enum's own size.
const std::uint64_t* storedValue(const EnumMember& member);
/// The member with the stored value, or null.
const EnumMember* memberOf(const Type& type, const std::byte* at);

}  // namespace sme
