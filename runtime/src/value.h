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

/// Calls visit(leafType, offset, path) for each scalar of a type, in order of members and indices;
/// offsets count from `offset`. `path` grows and shrinks behind what it holds already. False from
/// visit ends the walk.
template <typename Visit>
bool forEachLeaf(const Model& model, std::uint32_t typeIndex, std::uint32_t offset,
                 std::string& path, const Visit& visit) {
    const Type& type = model.types[typeIndex];
    if (isScalar(type)) return visit(typeIndex, offset, path);
    const std::size_t length = path.size();
    if (type.kind == Kind::Struct) {
        for (std::uint32_t i = 0; i < type.count; ++i) {
            path.append(1, '.').append(type.fields[i].name);
            if (!forEachLeaf(model, type.fields[i].type, offset + type.fields[i].offset, path,
                             visit))
                return false;
            path.resize(length);
        }
        return true;
    }
    const std::uint32_t size = model.types[type.element].bytes;
    for (std::uint32_t i = 0; i < type.count; ++i) {
        path.append(1, '[').append(std::to_string(i)).append(1, ']');
        if (!forEachLeaf(model, type.element, offset + i * size, path, visit)) return false;
        path.resize(length);
    }
    return true;
}

}  // namespace sme
