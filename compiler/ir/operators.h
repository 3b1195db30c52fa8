#pragma once

#include "ir/ir.h"

/// What is true of each binary operator, said once for all who ask.
namespace smec::ir {

enum class OperatorKind : std::uint8_t {
    Arithmetic,         ///< of integers → an integer
    IntegerComparison,  ///< of integers → bool
    Logical,            ///< of bools → bool
    FloatArithmetic,    ///< of floats → a float of their precision
    FloatComparison     ///< of floats → bool
};

struct OperatorFacts {
    OperatorKind kind = OperatorKind::Arithmetic;
    bool commutes = false;  ///< of integers: operands may change places
    bool lowBitsSuffice =
        false;               ///< low bits of the operands (of a shift: the left one) give those
                             ///< of the result
    bool fitsLanes = false;  ///< a vector unit has it
};

OperatorFacts factsOf(BinaryOp op);

inline bool isArithmetic(BinaryOp op) { return factsOf(op).kind == OperatorKind::Arithmetic; }
inline bool isIntegerComparison(BinaryOp op) {
    return factsOf(op).kind == OperatorKind::IntegerComparison;
}
inline bool isLogical(BinaryOp op) { return factsOf(op).kind == OperatorKind::Logical; }
inline bool isFloatComparison(BinaryOp op) {
    return factsOf(op).kind == OperatorKind::FloatComparison;
}

}  // namespace smec::ir
