#pragma once

#include "codegen/cpp/print/operand.h"

namespace smec::codegen::cpp {

/// Operators; `facts`: of the result.
Value applyUnary(ir::UnaryOp op, const Operand& operand, const ExprFacts& facts);
Value applyBinary(ir::BinaryOp op, const Operand& left, const Operand& right,
                  const ExprFacts& facts);

}  // namespace smec::codegen::cpp
