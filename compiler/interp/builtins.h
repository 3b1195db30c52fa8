#pragma once

#include "interp/expressions.h"

namespace smec::interp {

/// Calls of what the language has built in.
class Builtins {
public:
    Builtins(const Activation& on, Expressions& expressions) : on_(on), expressions_(expressions) {}

    Value call(const hir::BuiltinExpr& expr);

private:
    Value unsignedPattern(hir::ExprId operand);  ///< at the width of its operand type
    Value concatenation(const hir::BuiltinExpr& expr);
    Value randomNumber() const;

    const Activation& on_;
    Expressions& expressions_;
};

}  // namespace smec::interp
