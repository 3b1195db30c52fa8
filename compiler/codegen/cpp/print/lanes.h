#pragma once

#include "codegen/cpp/print/operand.h"

/// What vector code says in another way, so that small words stay small in their lanes.
namespace smec::codegen::cpp {

/// In the smallest word that holds the value. `facts`: of the result.
Value maskedSelect(const Value& condition, const Value& yes, const Value& no, ir::ExprType type,
                   const ExprFacts& facts);

/// Whether x is odd, or even, in the word that it has in its lane; `bit`: x & 1, `of`: what is known of x.
Value lowBit(const Value& bit, const ExprFacts& of, bool isOdd);

/// BoolXor or BoolEq.
Value equalityInLanes(ir::BinaryOp op, const Value& left, const Value& right);

}  // namespace smec::codegen::cpp
