#pragma once

#include "hir/body.h"
#include "interp/value.h"

/// Exact arithmetic: what docs/language.md says of operators, without any of the checks that
/// can fail.
namespace smec::interp {

Value negate(const Value& operand);
/// ~x of an operand of that width: complements the bits of the operand type.
Value complement(const Value& operand, std::uint32_t width, bool isSigned);

/// Both integers (bools and enums too) or both floats of one width; not LogicalAnd, LogicalOr. The
/// divisor of integers is not 0, a shift count not negative. A left shift by more than 131,072
/// gives 0: the checker has made sure that only low bits are needed.
Value binary(hir::BinaryOp op, const Value& left, const Value& right);

/// -1, 0, 1.
int compareIntegers(const Value& left, const Value& right);

bool bitOf(const Value& value, std::uint64_t index);
/// Bits high … low as an unsigned number.
Value bitsOf(const Value& value, std::uint32_t high, std::uint32_t low);
/// `value` with bits high … low replaced by the low bits of `bits`; not yet wrapped to its type.
Value withBits(const Value& value, std::uint64_t high, std::uint64_t low, const Value& bits);

/// x · 2^width + (low modulo 2^width).
Value append(const Value& high, const Value& low, std::uint32_t width);
std::uint32_t popcount(const Value& nonNegative);
Value magnitude(const Value& value);

/// Rounds once, to nearest even; beyond the largest finite number: infinite.
Value toFloat(const Value& value, std::uint32_t floatWidth);
/// Truncates toward zero, saturates at `low` and `high`; NaN gives 0.
Value toSaturated(const Value& real, const Integer& low, const Integer& high);

}  // namespace smec::interp
