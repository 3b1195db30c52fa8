#pragma once

#include "codegen/cpp/print/operand.h"

/// Expressions that choose or change the form of a value; `facts`: of the result.
namespace smec::codegen::cpp {

/// A branch.
Value selected(const Value& condition, const Value& yes, const Value& no, ir::ExprType type,
               const ExprFacts& facts);
Value wrapped(const ir::Wrap& node, const Operand& operand, const ExprFacts& facts);
/// `type`: of the result.
Value converted(const ir::Convert& node, const Value& operand, ir::ExprType type);

}  // namespace smec::codegen::cpp
