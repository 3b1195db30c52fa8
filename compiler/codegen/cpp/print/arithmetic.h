#pragma once

#include "codegen/cpp/print/operand.h"

namespace smec::codegen::cpp {

/// Operators; `facts`: of the result.
Value applyUnary(ir::UnaryOp op, const Operand& operand, const ExprFacts& facts);
Value applyBinary(ir::BinaryOp op, const Operand& left, const Operand& right,
                  const ExprFacts& facts);
/// BoolAnd and BoolOr whose right side is only looked at where the left one does not decide.
Value shortCircuit(ir::BinaryOp op, const Value& left, const Value& right);

}  // namespace smec::codegen::cpp
