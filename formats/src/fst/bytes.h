#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include "formats/trace_signal.h"

/// What the blocks of an FST file are made of. A string is a row of bytes here.
namespace sme::fst {

/// The first byte of a block.
enum class BlockTag : std::uint8_t {
    Header = 0,
    Geometry = 3,
    HierarchyLz4 = 6,
    Changes = 8,
    Skip = 255
};

constexpr std::size_t kMostVarint = 10;

/// Seven bits a byte, lowest first; all bytes but the last have bit 7 set. Returns the end.
inline std::uint8_t* putVarint(std::uint8_t* at, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        *at++ = static_cast<std::uint8_t>(value | 0x80);
    *at++ = static_cast<std::uint8_t>(value);
    return at;
}

inline void appendVarint(std::string& out, std::uint64_t value) {
    std::uint8_t bytes[kMostVarint];
    out.append(reinterpret_cast<const char*>(bytes),
               static_cast<std::size_t>(putVarint(bytes, value) - bytes));
}

/// The same in two's complement: bit 6 of the last byte is the sign.
inline void appendSignedVarint(std::string& out, std::int64_t value) {
    for (; value < -64 || value > 63; value >>= 7)
        out.push_back(static_cast<char>((value & 0x7F) | 0x80));
    out.push_back(static_cast<char>(value & 0x7F));
}

/// Eight bytes, highest first.
inline void appendNumber(std::string& out, std::uint64_t value) {
    for (int shift = 56; shift >= 0; shift -= 8)
        out.push_back(static_cast<char>(value >> shift));
}

std::string zlibOf(const std::string& data);

/// `data` as zlib packs it, or as it is where that is not shorter.
std::string packed(const std::string& data);

/// A block around what stands in it.
std::string block(BlockTag tag, const std::string& content);

/// How the values of a signal are written.
struct ValueShape {
    enum class Form : std::uint8_t { Bit, Vector, LongVector, Real };
    Form form;
    std::uint32_t width;  ///< bits; of reals 64
    std::uint32_t bytes;  ///< of a value as it is stored
    /// Bytes of a value in a list of changes.
    std::uint32_t packedBytes() const { return (width + 7) / 8; }
};
ValueShape shapeOf(const Type& type);

/// A real as a double: all there are in FST.
inline double realOf(std::uint32_t bytes, const std::byte* at) {
    if (bytes == sizeof(double)) {
        double value;
        std::memcpy(&value, at, sizeof value);
        return value;
    }
    float value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

}  // namespace sme::fst
