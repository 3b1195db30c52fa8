#include "hdl/operators.h"

#include <algorithm>

#include "hdl/expressions.h"
#include "hdl/target.h"
#include "ir/arithmetic.h"
#include "source/internal_error.h"

namespace smec::hdl {

using namespace ir;

namespace {

/// The smallest type that holds the values of both.
Type joined(Type x, Type y) {
    if (x.isSigned != y.isSigned) {
        Type& plain = x.isSigned ? y : x;
        plain = {plain.width + 1, true, false};
    }
    return x.width > y.width ? x : y;
}

/// The operator of the module, where there is one for it.
struct Meaning {
    OperatorKind kind;
    Op op{};
};

Meaning meaningOf(BinaryOp op) {
    using Kind = OperatorKind;
    switch (op) {
    case BinaryOp::Add: return {Kind::Modular, Op::Add};
    case BinaryOp::Sub: return {Kind::Modular, Op::Sub};
    case BinaryOp::Mul: return {Kind::Modular, Op::Mul};
    case BinaryOp::And: return {Kind::Modular, Op::And};
    case BinaryOp::Or: return {Kind::Modular, Op::Or};
    case BinaryOp::Xor: return {Kind::Modular, Op::Xor};
    case BinaryOp::Shl: return {Kind::Modular, Op::Shl};
    case BinaryOp::Div: return {Kind::Whole, Op::Div};
    case BinaryOp::Mod: return {Kind::Whole, Op::Rem};
    case BinaryOp::Shr: return {Kind::Whole, Op::Shr};
    case BinaryOp::Min:
    case BinaryOp::Max: return {Kind::Whole, Op::Choose};
    case BinaryOp::Lt: return {Kind::Comparison, Op::Lt};
    case BinaryOp::Le: return {Kind::Comparison, Op::Le};
    case BinaryOp::Eq: return {Kind::Comparison, Op::Eq};
    case BinaryOp::Ne: return {Kind::Comparison, Op::Ne};
    case BinaryOp::BoolAnd: return {Kind::Logical, Op::LogicalAnd};
    case BinaryOp::BoolOr: return {Kind::Logical, Op::LogicalOr};
    case BinaryOp::BoolXor: return {Kind::Logical, Op::Ne};
    case BinaryOp::BoolEq: return {Kind::Logical, Op::Eq};
    case BinaryOp::FAdd:
    case BinaryOp::FSub:
    case BinaryOp::FMul:
    case BinaryOp::FDiv:
    case BinaryOp::FLt:
    case BinaryOp::FLe:
    case BinaryOp::FEq:
    case BinaryOp::FNe:
    case BinaryOp::FMin:
    case BinaryOp::FMax: return {Kind::Floating};
    }
    throw InternalError("an operator that is none");
}

Meaning meaningOf(UnaryOp op) {
    using Kind = OperatorKind;
    switch (op) {
    case UnaryOp::Neg: return {Kind::Modular, Op::Negate};
    case UnaryOp::BitNot: return {Kind::Modular, Op::Complement};
    case UnaryOp::Abs: return {Kind::Whole, Op::Choose};
    case UnaryOp::Popcount: return {Kind::Whole, Op::Popcount};
    case UnaryOp::Parity: return {Kind::Comparison, Op::Parity};
    case UnaryOp::Not: return {Kind::Logical, Op::LogicalNot};
    case UnaryOp::FNeg: return {Kind::Floating};
    }
    throw InternalError("an operator that is none");
}

}  // namespace

OperatorKind kindOf(UnaryOp op) { return meaningOf(op).kind; }
OperatorKind kindOf(BinaryOp op) { return meaningOf(op).kind; }

ExprId Operators::modular(const Unary& node, const Type& type) {
    const Meaning meaning = meaningOf(node.op);
    require(meaning.kind == OperatorKind::Modular, "a unary operator that is not modular");
    return builder_.make(meaning.op, type, operands_.low(node.operand, type.width));
}

ExprId Operators::modular(const Binary& node, std::uint32_t width) {
    const Meaning meaning = meaningOf(node.op);
    require(meaning.kind == OperatorKind::Modular, "an operator that is not modular");
    const ExprId left = operands_.low(node.left, width);
    return builder_.make(meaning.op, unsignedType(width), left,
                         meaning.op == Op::Shl ? shiftCount(node.right, width)
                                               : operands_.low(node.right, width));
}

ExprId Operators::exact(const Unary& node, const Type& type) {
    switch (node.op) {
    case UnaryOp::Neg:
    case UnaryOp::BitNot: return modular(node, type);
    case UnaryOp::Abs: return absolute(node, type);
    case UnaryOp::Popcount: return builder_.make(Op::Popcount, type, operands_.exact(node.operand));
    case UnaryOp::Not:
    case UnaryOp::FNeg:
    case UnaryOp::Parity: break;
    }
    throw InternalError("a unary operator that hardware does not have");
}

ExprId Operators::absolute(const Unary& node, const Type& type) {
    const ExprId value = sharing_.small(operands_.exact(node.operand));
    const Type own = builder_.type(value), plain = unsignedType(type.width);
    const ExprId isLess = builder_.make(Op::Lt, kBool, value, builder_.constant(0, own));
    const ExprId same = builder_.resize(value, plain);
    const ExprId minus = builder_.make(Op::Negate, plain, same);
    if (!own.isSigned) return builder_.resize(value, type);
    return builder_.resize(builder_.make(Op::Choose, plain, isLess, minus, same), type);
}

ExprId Operators::whole(const Binary& node, const Type& type) {
    const Meaning meaning = meaningOf(node.op);
    require(meaning.kind == OperatorKind::Whole, "an operator that hardware does not have");
    if (meaning.op == Op::Shr) return shiftRight(node, type);
    if (meaning.op == Op::Choose) return extreme(node, type);
    return divide(meaning.op, node, type);
}

/// Of as few bits as the values have: tools do not find out by themselves.
ExprId Operators::divide(Op op, const Binary& node, const Type& type) {
    Type at = joined(operands_.narrowType(node.left), operands_.narrowType(node.right));
    if (type.isSigned && !at.isSigned) at = {at.width + 1, true, false};
    at.width = std::max(at.width, type.width + (at.isSigned && !type.isSigned ? 1 : 0));
    const ExprId left = operands_.as(node.left, at);
    return builder_.resize(builder_.make(op, at, left, operands_.as(node.right, at)), type);
}

Type Operators::common(ir::ExprId a, ir::ExprId b) {
    return joined(operands_.exactType(a), operands_.exactType(b));
}

ExprId Operators::shiftRight(const Binary& node, const Type& type) {
    const ExprId value = operands_.exact(node.left);
    const Type from = builder_.type(value);
    const Expr source = builder_.module()[value];
    const auto* count = std::get_if<ConstInt>(&body_[node.right].node);
    const bool isName = source.op == Op::Ref || source.op == Op::Slice;
    if (count && isName && !from.isBool && count->value < from.width) {
        const auto low = static_cast<std::uint32_t>(count->value);
        const std::uint32_t base = source.op == Op::Slice ? source.low : 0;
        const Type part{from.width - low, from.isSigned, false};
        return builder_.resize(builder_.slice(source.signal, source.args[0], base + low, part),
                               type);
    }
    const ExprId by = shiftCount(node.right, from.width);
    return builder_.resize(builder_.make(Op::Shr, from, value, by), type);
}

/// Of a number of so many bits. Tools refuse counts of more than 32 bits that they know, also those
/// that they find after a variable; larger ones than the width do what the largest here does.
ExprId Operators::shiftCount(ir::ExprId id, std::uint32_t width) {
    const ExprId by = operands_.exact(id);
    const Type from = unsignedType(builder_.type(by).width),
               type = unsignedType(ir::bitLength(Integer(width)));
    if (from.width <= target::kWidestCount) return by;
    const Integer most = ir::powerOfTwo(type.width) - 1;
    if (const Integer* number = builder_.known(by))
        return builder_.constant(std::min(*number, most), type);
    const ExprId count = sharing_.small(builder_.resize(by, from));
    const ExprId isLess = builder_.make(Op::Lt, kBool, count, builder_.constant(most, from));
    return builder_.make(Op::Choose, type, isLess, builder_.resize(count, type),
                         builder_.constant(most, type));
}

ExprId Operators::extreme(const Binary& node, const Type& type) {
    const Type at = common(node.left, node.right);
    const ExprId left = sharing_.small(operands_.as(node.left, at)),
                 right = sharing_.small(operands_.as(node.right, at));
    const ExprId isLess = builder_.make(Op::Lt, kBool, left, right);
    const bool isMin = node.op == BinaryOp::Min;
    return builder_.resize(
        builder_.make(Op::Choose, at, isLess, isMin ? left : right, isMin ? right : left), type);
}

ExprId Operators::boolean(const Unary& node) {
    const Meaning meaning = meaningOf(node.op);
    if (meaning.kind == OperatorKind::Logical)
        return builder_.logicalNot(operands_.boolean(node.operand));
    require(meaning.kind == OperatorKind::Comparison, "a unary operator that gives no bool");
    return builder_.make(meaning.op, kBool, operands_.exact(node.operand));
}

ExprId Operators::boolean(const Binary& node) {
    const Meaning meaning = meaningOf(node.op);
    switch (meaning.kind) {
    case OperatorKind::Comparison: {
        const Type at = common(node.left, node.right);
        const ExprId left = operands_.as(node.left, at);
        return builder_.make(meaning.op, kBool, left, operands_.as(node.right, at));
    }
    case OperatorKind::Logical: {
        const ExprId left = operands_.boolean(node.left);
        return builder_.make(meaning.op, kBool, left, operands_.boolean(node.right));
    }
    case OperatorKind::Modular:
    case OperatorKind::Whole:
    case OperatorKind::Floating: break;
    }
    throw InternalError("an operator that gives no bool of integers or bools");
}

}  // namespace smec::hdl
