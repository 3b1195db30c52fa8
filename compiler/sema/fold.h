#pragma once

#include <span>

#include "hir/body.h"

/// Operations on values, as at run time: used on constants and by the evaluator of functions.
namespace smec::sema {

enum class Failure : std::uint8_t {
    None,
    DivisionByZero,
    NegativeShift,
    IndexOutOfRange,
    TooManyBits,  ///< over 65,536
    NoMember,     ///< cast to an enum
    OutOfRange,   ///< of a ranged type
    TooManySteps,
    Assertion,
    Prints,   ///< trace or cover in constant evaluation
    FallsOff  ///< a function without return; was reported already
};

struct Folded {
    hir::Value value;
    Failure failure = Failure::None;
    bool ok() const { return failure == Failure::None; }
};

/// Integers (exact), bools, enums and floats; both values of one kind.
Folded foldBinary(hir::BinaryOp op, const hir::Value& left, const hir::Value& right);
/// `type`: operand type.
Folded foldUnary(const hir::TypeTable& types, hir::UnaryOp op, const hir::Value& value,
                 hir::TypeId type);
/// As hir::CastExpr. To unsized integer types: wraps to 64 bits.
Folded foldCast(const hir::TypeTable& types, const hir::Value& value, hir::TypeId to);
/// Cat to Parity. `widths` are the operand widths of the arguments.
Folded foldBuiltin(hir::Builtin builtin, std::span<const hir::Value> values,
                   std::span<const std::uint32_t> widths, std::uint32_t count);

bool bitOf(const hir::Integer& value, std::uint64_t index);
hir::Integer sliceOf(const hir::Integer& value, std::uint32_t high, std::uint32_t low);

/// NaN has one representation wherever it is kept.
double canonical(double value);
float canonical(float value);

}  // namespace smec::sema
