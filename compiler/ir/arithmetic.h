#pragma once

#include "ir/ir.h"

/// Exact integer arithmetic on constants, and the same on intervals.
namespace smec::ir {

/// No constant with more bits is ever computed; an interval that reaches further is "unbounded".
inline constexpr std::uint32_t kIntegerBits = 65'536 + 128;

/// 2^count.
Integer powerOfTwo(std::uint32_t count);
/// `value` modulo 2^width, in two's complement when signed.
Integer wrapInteger(const Integer& value, std::uint32_t width, bool isSigned);
/// Bits of a number that is not negative: 0 for 0.
std::uint32_t bitLength(const Integer& value);
/// The fewest bits of a two's-complement (isSigned) or unsigned word that holds all of the
/// interval.
std::uint32_t bitsOf(const Interval& interval, bool isSigned);

/// The value of an integer operator; empty when it is undefined (division by zero, a negative shift
/// count) or too large to compute.
std::optional<Integer> apply(UnaryOp op, const Integer& x);
std::optional<Integer> apply(BinaryOp op, const Integer& x, const Integer& y);
/// Lt, Le, Eq, Ne.
bool compare(BinaryOp op, const Integer& x, const Integer& y);

/// What a counted loop goes through.
struct Rounds {
    Integer first;
    int step = 1;   ///< from one value to the next: 1 or -1
    Integer count;  ///< 0: the body never runs
};
Rounds roundsOf(LoopKind kind, const Integer& from, const Integer& to);
/// Empty where a bound is not a constant.
std::optional<Rounds> roundsOf(const Body& body, const For& loop);

Interval unbounded();
bool isUnbounded(const Interval& interval);
Interval hull(const Interval& a, const Interval& b);
/// The part both have in common; `a` where there is none.
Interval meet(const Interval& a, const Interval& b);
/// Smallest intervals known to hold every result for operands in the given ones (and, for Div, Mod,
/// Shl and Shr, with a divisor other than 0 and a count of at least 0).
Interval apply(UnaryOp op, const Interval& x);
Interval apply(BinaryOp op, const Interval& x, const Interval& y);
Interval wrapInterval(const Interval& x, std::uint32_t width, bool isSigned);

}  // namespace smec::ir
