#pragma once

#include <vector>

#include "ir/ir.h"

namespace smec::ir {

/// Intervals of all values of a scalar's type.
Interval intervalOf(const Scalar& type);

/// Interval of every integer expression of a body, indexed by ExprId (others: [0, 0]), from the
/// types of leaves, the ranges of columns and the bounds of loop variables. Sound for every
/// evaluation.
std::vector<Interval> intervals(const Body& body, const std::vector<Column>& columns,
                                const std::vector<Input>& inputs, const Design& design);

/// Interval of every scalar integer local, by LocalId (others: [0, 0]): of its type or declared
/// range; temporaries and loop variables: of what is stored into them.
std::vector<Interval> localIntervals(const Body& body, const std::vector<Column>& columns,
                                     const std::vector<Input>& inputs, const Design& design);

/// How many low bits of an expression's value anyone looks at; kAllBits when its exact value
/// matters (operands of Div, Mod, Shr, comparisons, indices, arguments, conversions …).
inline constexpr std::uint32_t kAllBits = UINT32_MAX;
std::vector<std::uint32_t> demandedBits(const Body& body, const std::vector<Interval>& intervals);

/// The machine representation of an expression: the low `bits` of its value in two's complement. 8
/// … 64: a machine word; 128: the compiler's wide word; more: limbs (`bits` is a multiple of 64).
struct Machine {
    std::uint32_t bits = 32;
    bool isSigned = false;  ///< how it is extended when widened; exact values only
    bool operator==(const Machine&) const = default;
};
/// The smallest of them that has so many bits.
std::uint32_t wordBits(std::uint32_t bits);
/// Picks the machine word of every integer expression: wide enough for its interval, or for its
/// demanded bits where only low bits matter and the operator is one that low bits suffice for (Add,
/// Sub, Mul, Neg, BitNot, And, Or, Xor, Shl, Shr, Wrap, Select, and constants, of which the low
/// bits are then written).
std::vector<Machine> machineTypes(const Body& body, const std::vector<Interval>& intervals,
                                  const std::vector<std::uint32_t>& demanded);

/// Structural and type rules of ir.h; returns what is broken, empty when sound.
std::vector<std::string> verify(const Design& design);

/// Stable text, for --emit=ir and golden tests.
std::string print(const Design& design);

}  // namespace smec::ir
