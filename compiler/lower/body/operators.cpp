#include "lower/body/scalars.h"

#include "ir/arithmetic.h"
#include "lower/body/calls.h"
#include "lower/body/parts.h"
#include "lower/body/source_texts.h"
#include "source/internal_error.h"

namespace smec::lower {

using hir::BinaryOp;

namespace {

constexpr std::uint64_t kProductBits = 128;  // longer repetitions are no multiplication

bool isComparison(BinaryOp op) {
    switch (op) {
    case BinaryOp::Lt:
    case BinaryOp::Gt:
    case BinaryOp::Le:
    case BinaryOp::Ge:
    case BinaryOp::Eq:
    case BinaryOp::Ne: return true;
    case BinaryOp::Add:
    case BinaryOp::Sub:
    case BinaryOp::Mul:
    case BinaryOp::Div:
    case BinaryOp::Mod:
    case BinaryOp::Shl:
    case BinaryOp::Shr:
    case BinaryOp::And:
    case BinaryOp::Or:
    case BinaryOp::Xor:
    case BinaryOp::LogicalAnd:
    case BinaryOp::LogicalOr: break;
    }
    return false;
}

}  // namespace

ir::ExprId Scalars::lower(const hir::UnaryExpr& node, const hir::Expr&) {
    const ir::ExprId operand = scalar(node.operand);
    const ir::ExprType type = body_[operand].type;
    switch (node.op) {
    case hir::UnaryOp::Not: return builder_.unary(ir::UnaryOp::Not, operand);
    case hir::UnaryOp::Negate:
        return builder_.unary(type == ir::ExprType::Int ? ir::UnaryOp::Neg : ir::UnaryOp::FNeg,
                              operand);
    case hir::UnaryOp::Complement: break;
    }
    if (type == ir::ExprType::Bool) return builder_.unary(ir::UnaryOp::Not, operand);
    const ir::ExprId inverted = builder_.unary(ir::UnaryOp::BitNot, operand);
    const ir::Scalar scalar = scalarOf(context_.types(), source_[node.operand].type);
    return scalar.isSigned ? inverted
                           : builder_.wrap(inverted, scalar.width, false);  // 2^N - 1 - x mod 2^N
}

/// Long chains a + b + c + … lean to the left; they are walked with a list.
ir::ExprId Scalars::lower(const hir::BinaryExpr& node, const hir::Expr& expr) {
    std::vector<const hir::Expr*> operators{&expr};
    hir::ExprId leftmost = node.left;
    while (const auto* left = std::get_if<hir::BinaryExpr>(&source_[leftmost].node)) {
        operators.push_back(&source_[leftmost]);
        leftmost = left->left;
    }
    ir::ExprId value = scalar(leftmost);
    for (; !operators.empty(); operators.pop_back()) {
        const hir::Expr& whole = *operators.back();
        value = apply(std::get<hir::BinaryExpr>(whole.node), whole, value);
    }
    return value;
}

ir::ExprId Scalars::apply(const hir::BinaryExpr& node, const hir::Expr& expr, ir::ExprId left) {
    if (node.op == BinaryOp::LogicalAnd || node.op == BinaryOp::LogicalOr) {
        return logical(node.op == BinaryOp::LogicalAnd, left, node.right, expr.range);
    }
    ir::ExprId right = scalar(node.right);
    const ir::ExprType l = body_[left].type, r = body_[right].type;
    const bool toFloat =
        (l == ir::ExprType::Int) != (r == ir::ExprType::Int);  // an integer constant beside a float
    if (toFloat && l == ir::ExprType::Int) left = numbers_.castToFloat(left, r);
    if (toFloat && r == ir::ExprType::Int) right = numbers_.castToFloat(right, l);
    if (isComparison(node.op)) return compare(node.op, left, right);
    switch (body_[left].type) {
    case ir::ExprType::Int: return integerOperator(node.op, left, right, expr.range);
    case ir::ExprType::Bool:
        if (node.op == BinaryOp::And) return builder_.binary(ir::BinaryOp::BoolAnd, left, right);
        if (node.op == BinaryOp::Or) return builder_.binary(ir::BinaryOp::BoolOr, left, right);
        return builder_.binary(ir::BinaryOp::BoolXor, left, right);
    case ir::ExprType::F32:
    case ir::ExprType::F64: return floatOperator(node.op, left, right, expr.range);
    }
    throw InternalError("a value of no type", expr.range);
}

ir::ExprId Scalars::floatOperator(BinaryOp op, ir::ExprId left, ir::ExprId right,
                                  SourceRange range) {
    switch (op) {
    case BinaryOp::Add: return builder_.binary(ir::BinaryOp::FAdd, left, right);
    case BinaryOp::Sub: return builder_.binary(ir::BinaryOp::FSub, left, right);
    case BinaryOp::Mul: return builder_.binary(ir::BinaryOp::FMul, left, right);
    case BinaryOp::Div: return builder_.binary(ir::BinaryOp::FDiv, left, right);
    case BinaryOp::Mod:
    case BinaryOp::Shl:
    case BinaryOp::Shr:
    case BinaryOp::And:
    case BinaryOp::Or:
    case BinaryOp::Xor:
    case BinaryOp::Lt:
    case BinaryOp::Gt:
    case BinaryOp::Le:
    case BinaryOp::Ge:
    case BinaryOp::Eq:
    case BinaryOp::Ne:
    case BinaryOp::LogicalAnd:
    case BinaryOp::LogicalOr: break;
    }
    throw InternalError("no such operator on floats", range);
}

ir::ExprId Scalars::compare(BinaryOp op, ir::ExprId left, ir::ExprId right) {
    if (op == BinaryOp::Gt || op == BinaryOp::Ge) {
        std::swap(left, right);
        op = op == BinaryOp::Gt ? BinaryOp::Lt : BinaryOp::Le;
    }
    const ir::ExprType type = body_[left].type;
    if (type == ir::ExprType::Bool)
        return builder_.binary(op == BinaryOp::Eq ? ir::BinaryOp::BoolEq : ir::BinaryOp::BoolXor,
                               left, right);
    const bool isInt = type == ir::ExprType::Int;
    const auto comparison = [&](ir::BinaryOp ofIntegers, ir::BinaryOp ofFloats) {
        return builder_.binary(isInt ? ofIntegers : ofFloats, left, right);
    };
    if (op == BinaryOp::Lt) return comparison(ir::BinaryOp::Lt, ir::BinaryOp::FLt);
    if (op == BinaryOp::Le) return comparison(ir::BinaryOp::Le, ir::BinaryOp::FLe);
    if (op == BinaryOp::Eq) return comparison(ir::BinaryOp::Eq, ir::BinaryOp::FEq);
    require(op == BinaryOp::Ne, "a comparison was expected");
    return comparison(ir::BinaryOp::Ne, ir::BinaryOp::FNe);
}

ir::ExprId Scalars::integerOperator(BinaryOp op, ir::ExprId left, ir::ExprId right,
                                    SourceRange range) {
    switch (op) {
    case BinaryOp::Add: return builder_.binary(ir::BinaryOp::Add, left, right);
    case BinaryOp::Sub: return builder_.binary(ir::BinaryOp::Sub, left, right);
    case BinaryOp::Mul: return builder_.binary(ir::BinaryOp::Mul, left, right);
    case BinaryOp::Div:
    case BinaryOp::Mod: return divide(op, left, right, range);
    case BinaryOp::Shl:
    case BinaryOp::Shr: return shift(op, left, right, range);
    case BinaryOp::And: return builder_.binary(ir::BinaryOp::And, left, right);
    case BinaryOp::Or: return builder_.binary(ir::BinaryOp::Or, left, right);
    case BinaryOp::Xor: return builder_.binary(ir::BinaryOp::Xor, left, right);
    case BinaryOp::Lt:
    case BinaryOp::Gt:
    case BinaryOp::Le:
    case BinaryOp::Ge:
    case BinaryOp::Eq:
    case BinaryOp::Ne:
    case BinaryOp::LogicalAnd:
    case BinaryOp::LogicalOr: break;
    }
    throw InternalError("no arithmetic operator", range);
}

ir::ExprId Scalars::divide(BinaryOp op, ir::ExprId left, ir::ExprId right, SourceRange range) {
    const ir::BinaryOp operation = op == BinaryOp::Div ? ir::BinaryOp::Div : ir::BinaryOp::Mod;
    const ir::ExprId ok = builder_.binary(ir::BinaryOp::Ne, right, numbers_.integer(0));
    const bool* known = builder_.boolean(ok);
    if (known && *known) return builder_.binary(operation, left, right);
    if (!context_.options.unchecked) {
        writer_.check(ok, failSite(ir::FailureKind::DivisionByZero, range), {}, range);
        return builder_.binary(operation, left, right);
    }
    const ir::ExprId divisor = builder_.select(ok, right, numbers_.integer(1));
    return builder_.select(ok, builder_.binary(operation, left, divisor),
                           op == BinaryOp::Div ? numbers_.integer(0) : left);
}

ir::ExprId Scalars::shift(BinaryOp op, ir::ExprId left, ir::ExprId right, SourceRange range) {
    const ir::ExprId ok = builder_.binary(ir::BinaryOp::Le, numbers_.integer(0), right);
    const bool* known = builder_.boolean(ok);
    if (!(known && *known)) {
        if (context_.options.unchecked)
            right = builder_.binary(ir::BinaryOp::Max, right, numbers_.integer(0));
        else
            writer_.check(ok, failSite(ir::FailureKind::NegativeShift, range), {right}, range);
    }
    const ir::Interval& count = builder_.interval(right);
    if (ir::isUnbounded(count) || ir::bitsOf(count, count.low < 0) > 64) {
        // so much shifts everything out
        const ir::Integer most = ir::powerOfTwo(32) - 1;
        right = builder_.binary(ir::BinaryOp::Min, right, numbers_.integer(most));
        right = builder_.binary(ir::BinaryOp::Max, right, numbers_.integer(0));
    }
    return builder_.binary(op == BinaryOp::Shl ? ir::BinaryOp::Shl : ir::BinaryOp::Shr, left,
                           right);
}

ir::ExprId Scalars::pattern(hir::ExprId id, std::uint32_t& width) {
    ir::ExprId value = scalar(id);
    width = numbers_.widthOf(source_[id].type);
    if (body_[value].type == ir::ExprType::Bool)
        return builder_.convert(ir::ConvertOp::BoolToInt, value, ir::ExprType::Int);
    return builder_.wrap(value, width, false);
}

/// xxxxx = xxxx·x, xxxx = xx·xx, xx = x·x
ir::ExprId Scalars::repeatByDoubling(ir::ExprId bits, std::uint32_t width, std::uint64_t count) {
    if (count == 1) return bits;
    const std::uint64_t half = count / 2;
    const ir::ExprId part = repeatByDoubling(bits, width, half);
    const auto beside = [&](ir::ExprId high, ir::ExprId low, std::uint64_t lowWidth) {
        return builder_.binary(ir::BinaryOp::Or,
                               builder_.binary(ir::BinaryOp::Shl, high, numbers_.integer(lowWidth)),
                               low);
    };
    const ir::ExprId whole = beside(part, part, width * half);
    return count % 2 == 0 ? whole : beside(whole, bits, width);
}

ir::ExprId Scalars::concatenate(const hir::BuiltinExpr& node) {
    std::uint32_t width = 0;
    if (node.builtin == hir::Builtin::Rep) {  // times 0…010…010…01
        const ir::ExprId bits = pattern(node.arguments[0], width);
        if (std::uint64_t(width) * node.count > kProductBits)
            return repeatByDoubling(bits, width, node.count);
        ir::Integer ones = 0;
        for (std::uint32_t i = 0; i < node.count; ++i)
            ones = (ones << width) + 1;
        return builder_.binary(ir::BinaryOp::Mul, bits, numbers_.integer(ones));
    }
    ir::ExprId result = numbers_.integer(0);
    for (hir::ExprId argument : node.arguments) {
        const ir::ExprId bits = pattern(argument, width);
        result = builder_.binary(
            ir::BinaryOp::Or, builder_.binary(ir::BinaryOp::Shl, result, numbers_.integer(width)),
            bits);
    }
    return result;
}

/// Of floats the first that no other is beyond, so that NaN and zeros come out as the language
/// says.
ir::ExprId Scalars::extreme(bool isMin, ir::ExprId best, ir::ExprId other) {
    if (body_[best].type == ir::ExprType::Int)
        return builder_.binary(isMin ? ir::BinaryOp::Min : ir::BinaryOp::Max, best, other);
    const ir::ExprId beyond = isMin ? builder_.binary(ir::BinaryOp::FLt, other, best)
                                    : builder_.binary(ir::BinaryOp::FLt, best, other);
    return builder_.select(beyond, other, best);
}

ir::ExprId Scalars::lower(const hir::BuiltinExpr& node, const hir::Expr& expr) {
    using hir::Builtin;
    std::uint32_t width = 0;
    switch (node.builtin) {
    case Builtin::Cat:
    case Builtin::Rep: return concatenate(node);
    case Builtin::Min:
    case Builtin::Max: {
        const ir::ExprType type = exprTypeOf(context_.types(), expr.type);
        ir::ExprId best = numbers_.castToFloat(scalar(node.arguments[0]), type);
        for (std::size_t i = 1; i < node.arguments.size(); ++i) {
            best = extreme(node.builtin == Builtin::Min, best,
                           numbers_.castToFloat(scalar(node.arguments[i]), type));
        }
        return best;
    }
    case Builtin::Abs: {
        const ir::ExprId value = scalar(node.arguments[0]);
        if (body_[value].type == ir::ExprType::Int) return builder_.unary(ir::UnaryOp::Abs, value);
        const ir::ExprId negative =
            builder_.binary(ir::BinaryOp::FLt, value, builder_.constant(0.0, body_[value].type));
        return builder_.select(negative, builder_.unary(ir::UnaryOp::FNeg, value), value);
    }
    case Builtin::Popcount:
        return builder_.unary(ir::UnaryOp::Popcount, pattern(node.arguments[0], width));
    case Builtin::Parity:
        return builder_.unary(ir::UnaryOp::Parity, pattern(node.arguments[0], width));
    case Builtin::Any:
        return builder_.binary(ir::BinaryOp::Ne, pattern(node.arguments[0], width),
                               numbers_.integer(0));
    case Builtin::All: {
        const ir::ExprId bits = pattern(node.arguments[0], width);
        return builder_.binary(ir::BinaryOp::Eq, bits, numbers_.integer(ir::powerOfTwo(width) - 1));
    }
    case Builtin::Cycle: return builder_.add({ir::ExprType::Int, ir::Cycle{}});
    case Builtin::Random: return random(expr.range);
    }
    throw InternalError("unknown builtin", expr.range);
}

/// SplitMix64: its state after k numbers is (seed xor hash of the path) + k · gamma.
ir::ExprId Scalars::random(SourceRange range) {
    using enum ir::BinaryOp;
    const auto wrapped = [&](ir::ExprId value) { return builder_.wrap(value, 64, false); };
    const auto mixed = [&](ir::ExprId value, std::uint32_t count, std::uint64_t factor) {
        const ir::ExprId folded =
            builder_.binary(Xor, value, builder_.binary(Shr, value, numbers_.integer(count)));
        return writer_.held(wrapped(builder_.binary(Mul, folded, numbers_.integer(factor))), range);
    };
    const ir::LocalId progress = variables_.hidden(0);
    writer_.set(range, progress, {},
                wrapped(builder_.binary(Add, builder_.read(progress),
                                        numbers_.integer(0x9E37'79B9'7F4A'7C15U))));
    const ir::ExprId start =
        builder_.binary(Xor, builder_.add({ir::ExprType::Int, ir::Seed{}}),
                        builder_.add({ir::ExprType::Int, ir::ReadColumn{shape_.randomColumn}}));
    ir::ExprId z =
        writer_.held(wrapped(builder_.binary(Add, start, builder_.read(progress))), range);
    z = mixed(z, 30, 0xBF58'476D'1CE4'E5B9U);
    z = mixed(z, 27, 0x94D0'49BB'1331'11EBU);
    return writer_.held(builder_.binary(Xor, z, builder_.binary(Shr, z, numbers_.integer(31))),
                        range);
}

}  // namespace smec::lower
