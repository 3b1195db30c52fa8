#pragma once

#include <random>
#include <vector>

#include "ir/analysis.h"
#include "ir/arithmetic.h"
#include "ir/builder.h"
#include "ir/operators.h"
#include "ir/visit.h"

/// Evaluates the integer and boolean expressions of a body twice: exactly, and as the generated
/// code does, in machine words.
namespace evaluation {

using namespace smec::ir;

/// Values by ExprId; booleans are 0 and 1. Locals are scalars.
struct Values {
    std::vector<Integer> exprs;
    const Integer& operator[](ExprId id) const { return exprs[id.index]; }
};

inline Integer booleanBinary(BinaryOp op, const Integer& x, const Integer& y) {
    switch (op) {
    case BinaryOp::BoolAnd: return x & y;
    case BinaryOp::BoolOr: return x | y;
    case BinaryOp::BoolXor: return x ^ y;
    default: return x == y ? 1 : 0;
    }
}

inline Integer unaryValue(UnaryOp op, const Integer& x) {
    if (op == UnaryOp::Not) return 1 - x;
    if (op == UnaryOp::Parity) return *apply(UnaryOp::Popcount, x) % 2;
    return *apply(op, x);
}

inline Integer binaryValue(BinaryOp op, const Integer& x, const Integer& y) {
    if (isIntegerComparison(op)) return compare(op, x, y) ? 1 : 0;
    if (isLogical(op)) return booleanBinary(op, x, y);
    return *apply(op, x, y);
}

inline Values evaluateExactly(const Body& body, const std::vector<Integer>& locals) {
    Values v;
    for (const Expr& expr : body.exprs) {
        Integer result = 0;
        if (const auto* n = std::get_if<ConstInt>(&expr.node)) result = n->value;
        if (const auto* n = std::get_if<ConstBool>(&expr.node)) result = n->value ? 1 : 0;
        if (const auto* n = std::get_if<ReadLocal>(&expr.node)) result = locals[n->local.index];
        if (const auto* n = std::get_if<Unary>(&expr.node))
            result = unaryValue(n->op, v[n->operand]);
        if (const auto* n = std::get_if<Binary>(&expr.node))
            result = binaryValue(n->op, v[n->left], v[n->right]);
        if (const auto* n = std::get_if<Select>(&expr.node))
            result = v[n->condition] != 0 ? v[n->yes] : v[n->no];
        if (const auto* n = std::get_if<Wrap>(&expr.node))
            result = wrapInteger(v[n->operand], n->width, n->isSigned);
        if (const auto* n = std::get_if<Convert>(&expr.node))
            result =
                n->op == ConvertOp::IntToBool ? Integer(v[n->operand] != 0 ? 1 : 0) : v[n->operand];
        v.exprs.push_back(std::move(result));
    }
    return v;
}

/// Operators for which low bits suffice work in the word of their result; all others on their
/// operands as they are.
inline Values evaluateInMachineWords(const Body& body, const std::vector<Integer>& locals,
                                     const std::vector<Machine>& machines,
                                     const std::vector<std::uint32_t>& demanded) {
    Values v;
    for (std::size_t i = 0; i < body.exprs.size(); ++i) {
        const Expr& expr = body.exprs[i];
        const Machine m = machines[i];
        auto in = [&](const Integer& x) { return wrapInteger(x, m.bits, m.isSigned); };
        Integer result = 0;
        const bool isInt = expr.type == ExprType::Int;
        if (const auto* n = std::get_if<ConstInt>(&expr.node)) result = n->value;
        if (const auto* n = std::get_if<ConstBool>(&expr.node)) result = n->value ? 1 : 0;
        if (const auto* n = std::get_if<ReadLocal>(&expr.node)) result = locals[n->local.index];
        if (const auto* n = std::get_if<Unary>(&expr.node)) {
            const bool low = n->op == UnaryOp::Neg || n->op == UnaryOp::BitNot;
            if (demanded[i] != 0)
                result = unaryValue(n->op, low ? in(v[n->operand]) : v[n->operand]);
        }
        if (const auto* n = std::get_if<Binary>(&expr.node); n && demanded[i] != 0) {
            const BinaryOp op = n->op;
            const bool low = op == BinaryOp::Add || op == BinaryOp::Sub || op == BinaryOp::Mul
                             || op == BinaryOp::And || op == BinaryOp::Or || op == BinaryOp::Xor
                             || op == BinaryOp::Shl;
            const Integer left = low ? in(v[n->left]) : v[n->left];
            const Integer right = low && op != BinaryOp::Shl ? in(v[n->right]) : v[n->right];
            result = binaryValue(op, left, right);
        }
        if (const auto* n = std::get_if<Select>(&expr.node))
            result = v[n->condition] != 0 ? v[n->yes] : v[n->no];
        if (const auto* n = std::get_if<Wrap>(&expr.node))
            result = wrapInteger(v[n->operand], n->width, n->isSigned);
        if (const auto* n = std::get_if<Convert>(&expr.node))
            result =
                n->op == ConvertOp::IntToBool ? Integer(v[n->operand] != 0 ? 1 : 0) : v[n->operand];
        v.exprs.push_back(isInt ? in(result) : result);
    }
    return v;
}

/// Random expressions over the locals of a body. `make(expr)` adds a node and returns its id; the
/// divisor of Div and Mod is made different from 0 and shift counts small.
template <typename Make>
class RandomExpressions {
public:
    RandomExpressions(std::mt19937_64& random, const Body& body, Make make)
        : random_(random), body_(body), make_(std::move(make)) {}

    ExprId integer(int depth) {
        if (depth == 0 || pick(8) == 0) return leaf();
        switch (pick(16)) {
        case 0: return unary(UnaryOp::Neg, integer(depth - 1));
        case 1: return unary(UnaryOp::BitNot, integer(depth - 1));
        case 2: return unary(UnaryOp::Abs, integer(depth - 1));
        case 3: return unary(UnaryOp::Popcount, wrap(integer(depth - 1), width(), false));
        case 4: return wrap(integer(depth - 1), width(), pick(2) == 0);
        case 5:
            return make_({ExprType::Int,
                          Select{boolean(depth - 1), integer(depth - 1), integer(depth - 1)}});
        case 6: return binary(BinaryOp::Div, integer(depth - 1), divisor(depth - 1));
        case 7: return binary(BinaryOp::Mod, integer(depth - 1), divisor(depth - 1));
        case 8: return binary(BinaryOp::Shl, integer(depth - 1), count(depth - 1));
        case 9: return binary(BinaryOp::Shr, integer(depth - 1), count(depth - 1));
        case 10:
            return make_(
                {ExprType::Int, Convert{ConvertOp::BoolToInt, boolean(depth - 1), 0, false}});
        default: break;
        }
        constexpr BinaryOp ops[] = {BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::And,
                                    BinaryOp::Or,  BinaryOp::Xor, BinaryOp::Min, BinaryOp::Max,
                                    BinaryOp::Add, BinaryOp::And};
        return binary(ops[pick(10)], integer(depth - 1), integer(depth - 1));
    }

    ExprId boolean(int depth) {
        constexpr BinaryOp compares[] = {BinaryOp::Lt, BinaryOp::Le, BinaryOp::Eq, BinaryOp::Ne};
        constexpr BinaryOp logical[] = {BinaryOp::BoolAnd, BinaryOp::BoolOr, BinaryOp::BoolXor,
                                        BinaryOp::BoolEq};
        if (depth == 0) return make_({ExprType::Bool, ConstBool{pick(2) == 0}});
        switch (pick(6)) {
        case 0: return make_({ExprType::Bool, Unary{UnaryOp::Not, boolean(depth - 1)}});
        case 1:
            return make_(
                {ExprType::Bool, Binary{logical[pick(4)], boolean(depth - 1), boolean(depth - 1)}});
        case 2:
            return make_(
                {ExprType::Bool, Convert{ConvertOp::IntToBool, integer(depth - 1), 0, false}});
        case 3:
            return make_(
                {ExprType::Bool, Unary{UnaryOp::Parity, wrap(integer(depth - 1), width(), false)}});
        default:
            return make_({ExprType::Bool,
                          Binary{compares[pick(4)], integer(depth - 1), integer(depth - 1)}});
        }
    }

    std::uint32_t width() {
        constexpr std::uint32_t widths[] = {1,  2,  3,  4,  5,  6,  7,   8,  16,
                                            31, 32, 33, 63, 64, 65, 128, 129};
        return widths[pick(17)];
    }

private:
    std::uint64_t pick(std::uint64_t n) { return random_() % n; }

    ExprId leaf() {
        if (pick(3) != 0)
            return make_(
                {ExprType::Int,
                 ReadLocal{LocalId{static_cast<std::uint32_t>(pick(body_.locals.size()))}, {}}});
        Integer value = Integer(static_cast<std::int64_t>(random_())) >> static_cast<int>(pick(64));
        if (pick(4) == 0) value = powerOfTwo(width()) - pick(2);
        return make_({ExprType::Int, ConstInt{value}});
    }
    ExprId unary(UnaryOp op, ExprId x) { return make_({ExprType::Int, Unary{op, x}}); }
    ExprId binary(BinaryOp op, ExprId x, ExprId y) {
        return make_({ExprType::Int, Binary{op, x, y}});
    }
    ExprId wrap(ExprId x, std::uint32_t bits, bool isSigned) {
        return make_({ExprType::Int, Wrap{x, bits, isSigned}});
    }
    ExprId divisor(int depth) {
        const ExprId x = integer(depth);
        const ExprId zero = make_({ExprType::Int, ConstInt{0}}),
                     one = make_({ExprType::Int, ConstInt{1}});
        if (pick(2) == 0) return binary(BinaryOp::Max, x, one);
        return binary(BinaryOp::Or, x, pick(8) == 0 ? binary(BinaryOp::Max, one, zero) : one);
    }
    ExprId count(int depth) {
        if (pick(2) == 0) return make_({ExprType::Int, ConstInt{Integer(pick(70))}});
        return wrap(integer(depth), static_cast<std::uint32_t>(1 + pick(6)), false);
    }

    std::mt19937_64& random_;
    const Body& body_;
    Make make_;
};

/// A value of the type, often at its ends.
inline Integer randomValue(std::mt19937_64& random, const Scalar& type) {
    const Interval all = intervalOf(type);
    switch (random() % 6) {
    case 0: return all.low;
    case 1: return all.high;
    case 2: return wrapInteger(Integer(random() % 3), type.width, type.isSigned);
    default: return wrapInteger((Integer(random()) << 64) + random(), type.width, type.isSigned);
    }
}

}  // namespace evaluation
