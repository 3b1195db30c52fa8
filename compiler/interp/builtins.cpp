#include "interp/builtins.h"

#include "interp/arithmetic.h"
#include "interp/hash.h"
#include "source/internal_error.h"

namespace smec::interp {

Value Builtins::call(const hir::BuiltinExpr& expr) {
    using hir::Builtin;
    switch (expr.builtin) {
    case Builtin::Cat: return concatenation(expr);
    case Builtin::Rep: return concatenation(expr);
    case Builtin::Min:
    case Builtin::Max: {
        Value best = expressions_.evaluate(expr.arguments[0]);
        for (std::size_t i = 1; i < expr.arguments.size(); ++i) {
            Value other = expressions_.evaluate(expr.arguments[i]);
            const hir::BinaryOp better =
                expr.builtin == Builtin::Min ? hir::BinaryOp::Lt : hir::BinaryOp::Gt;
            if (binary(better, other, best).isTrue()) best = std::move(other);
        }
        return best;
    }
    case Builtin::Abs: return magnitude(expressions_.evaluate(expr.arguments[0]));
    case Builtin::Popcount: return small(popcount(unsignedPattern(expr.arguments[0])));
    case Builtin::Any: return small(popcount(unsignedPattern(expr.arguments[0])) != 0);
    case Builtin::All:
        return small(popcount(unsignedPattern(expr.arguments[0]))
                     == on_.factsOf(expr.arguments[0]).width);
    case Builtin::Parity: return small(popcount(unsignedPattern(expr.arguments[0])) % 2);
    case Builtin::Cycle: return unsignedNumber(on_.context.cycle);
    case Builtin::Random: return randomNumber();
    }
    throw InternalError("unknown builtin");
}

Value Builtins::unsignedPattern(hir::ExprId operand) {
    return wrap(expressions_.evaluate(operand), on_.factsOf(operand).width, false);
}

/// Cat: each argument once, high to low. Rep: one argument `count` times, evaluated once.
Value Builtins::concatenation(const hir::BuiltinExpr& expr) {
    Value result = small(0);
    const std::uint32_t times = expr.builtin == hir::Builtin::Rep ? expr.count : 1;
    for (const hir::ExprId argument : expr.arguments) {
        const Value bits = unsignedPattern(argument);
        const std::uint32_t width = on_.factsOf(argument).width;
        for (std::uint32_t i = 0; i < times; ++i)
            result = append(result, bits, width);
    }
    return result;
}

Value Builtins::randomNumber() const {
    return unsignedNumber(splitMix64(on_.process.randomState += kGoldenGamma));
}

}  // namespace smec::interp
