#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ir/analysis.h"
#include "ir/ir.h"

/// The C++ types of generated expressions and the conversions between them.
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

std::string nameOf(const Word& word);
/// Of a variable; a stored bool is a u8.
Word variableWord(const ir::Scalar& scalar);
Word storedWord(const ir::Scalar& scalar);
Word wordOf(const ir::Machine& machine);
/// The smallest word (at least 32 bits) that holds an interval.
Word wordFor(const ir::Interval& interval);
ir::Interval intervalOf(const Word& word);
bool holds(const Word& word, const ir::Interval& interval);
bool holds(const Word& word, const ir::Integer& value);

/// A piece of C++ that has a value. Integer constants have no text of their own until their type is
/// known.
struct Value {
    std::string text;
    Word type;
    bool isAtom = true;  ///< binds tighter than any operator
    std::optional<ir::Integer> constant;

    static Value ofInteger(const ir::Integer& value);
    /// The text as an operand.
    std::string operand() const;
};

/// The literal of a value modulo the word.
std::string literal(const ir::Integer& value, const Word& word);
std::string literal(double value, const Word& word);
/// Of a constant as it is stored.
std::string literal(const ir::Constant& constant, const ir::Scalar& scalar);

/// The value in another type: C++'s own conversion, spelled out where the types differ.
Value convert(const Value& value, const Word& to);
/// The same for constants only; others keep their type.
Value settle(const Value& value, const Word& to);

}  // namespace smec::codegen::cpp
