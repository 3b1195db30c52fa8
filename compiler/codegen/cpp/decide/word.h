#pragma once

#include <cstdint>

#include "ir/analysis.h"
#include "ir/ir.h"

/// The machine words of expressions, variables and stored values, as data.
namespace smec::codegen::cpp {

enum class WordKind : std::uint8_t { Bool, Int, F32, F64 };

/// A C++ type: bool, u8 … i128, f32, f64, u192 … i1024 of sme/wide.h, or
/// sme::Unsigned<1088> and the like.
struct Word {
    WordKind kind = WordKind::Int;
    bool isSigned = false;
    std::uint32_t bits = 32;
    bool operator==(const Word&) const = default;

    bool isInt() const { return kind == WordKind::Int; }
    bool isWide() const { return kind == WordKind::Int && bits > 128; }
    /// Arithmetic on it happens in `int`.
    bool isPromoted() const { return kind == WordKind::Int && bits < 32; }
};
inline constexpr Word kBool{WordKind::Bool, false, 8};
inline constexpr Word kInt{WordKind::Int, true, 32};
inline constexpr Word kU32{WordKind::Int, false, 32};
inline constexpr Word kU64{WordKind::Int, false, 64};
inline constexpr Word kF32{WordKind::F32, true, 32};
inline constexpr Word kF64{WordKind::F64, true, 64};

/// Of a variable; a stored bool is a u8.
Word variableWord(const ir::Scalar& scalar);
Word storedWord(const ir::Scalar& scalar);
Word wordOf(const ir::Machine& machine);
ir::Interval intervalOf(const Word& word);

/// Which words hold all values of an expression: the bits of the smallest unsigned and of the
/// smallest signed one.
struct Extent {
    bool isNegative = false;  ///< some value is below 0: no unsigned word holds it
    std::uint32_t unsignedBits = 8;
    std::uint32_t signedBits = 8;
    bool operator==(const Extent&) const = default;
};
Extent extentOf(const ir::Interval& interval);
/// Of all values of both.
Extent hull(const Extent& a, const Extent& b);
/// Bits of the smallest word that has so many.
std::uint32_t roundedUp(std::uint32_t bits);

/// The smallest word (at least 32 bits) that holds all of an extent.
Word wordFor(const Extent& extent);
bool holds(const Word& word, const Extent& extent);
bool holds(const Word& word, const ir::Integer& value);

}  // namespace smec::codegen::cpp
