// Operators on integers, bools and floats. Signed arithmetic is printed as such only where the
// intervals prove that it cannot overflow; everything else goes through unsigned words.

#include "codegen/cpp/print/arithmetic.h"

#include "ir/arithmetic.h"
#include "source/internal_error.h"

namespace smec::codegen::cpp {
namespace {

const char* symbolOf(ir::BinaryOp op) {
    using enum ir::BinaryOp;
    switch (op) {
    case Add:
    case FAdd: return "+";
    case Sub:
    case FSub: return "-";
    case Mul:
    case FMul: return "*";
    case Div:
    case FDiv: return "/";
    case Mod: return "%";
    case And:
    case BoolAnd: return "&";
    case Or:
    case BoolOr: return "|";
    case Xor: return "^";
    case Lt:
    case FLt: return "<";
    case Le:
    case FLe: return "<=";
    case Eq:
    case FEq: return "==";
    case Ne:
    case FNe: return "!=";
    case Shl: return "<<";
    case Shr: return ">>";
    case Min:
    case Max:
    case BoolXor:
    case BoolEq:
    case FMin:
    case FMax: break;  // functions
    }
    throw InternalError("codegen: an operator that C++ does not have");
}

/// Counts stay below 2^64, whatever the word they were computed in (lower sees to that).
Value shiftCount(const Value& count) { return count.type.isWide() ? convert(count, kU64) : count; }

/// Operators whose low bits depend on the operands' low bits alone.
Value modular(ir::BinaryOp op, const Operand& left, const Operand& right, const ExprFacts& facts) {
    const Word word = facts.word;
    const bool isBitwise =
        op == ir::BinaryOp::And || op == ir::BinaryOp::Or || op == ir::BinaryOp::Xor;
    const Word in = word.isSigned && !isBitwise && !facts.isProven ? unsignedOf(word) : word;

    Value added = right.value;
    const char* symbol = symbolOf(op);
    const bool isNegative = added.constant && *added.constant < 0;
    const bool canTurn = isNegative && (!in.isSigned || holds(in, -*added.constant));
    if (op == ir::BinaryOp::Add && canTurn) {
        added = Value::ofInteger(-*added.constant);
        symbol = "-";
    }
    const auto [x, y] = operandsIn(in, left.value, added);
    return convert(infix(x, symbol, y, in), word);
}

Value shiftLeft(const Operand& left, const Operand& right, const ExprFacts& facts) {
    const Word word = facts.word;
    const Word in = unsignedOf(word);
    const Value x = convert(left.value, in);
    const Value count = shiftCount(right.value);
    if (facts.isProven) {
        return convert(infix(x, "<<", settle(count, kInt), in), word);
    }
    return convert(plain(fmt::format("sme::shiftLeft<{}>({}, {})", nameOf(in), x.text,
                                     settle(count, kU64).text),
                         in),
                   word);
}

/// In the operand's own word; what comes out fits it. Of limbs only those that are looked at.
Value shiftRight(const Operand& left, const Operand& right, const ExprFacts& facts) {
    const Value& x = left.value;
    const Value count = shiftCount(right.value);
    if (const Word to = facts.word; x.type.isWide() && to.bits < x.type.bits) {
        return plain(
            fmt::format("sme::bitsFrom<{}>({}, {})", nameOf(to), x.text, settle(count, kU64).text),
            to);
    }
    const Word in = x.type.isPromoted() ? kInt : x.type;
    if (right.facts.atMost < x.type.bits) return infix(x, ">>", settle(count, kInt), in);
    return plain(
        fmt::format("sme::shiftRight<{}>({}, {})", nameOf(in), x.text, settle(count, kU64).text),
        in);
}

/// Operators that look at the whole value: in a word that holds operands and result.
Value exact(ir::BinaryOp op, const Operand& left, const Operand& right, const ExprFacts& facts) {
    using enum ir::BinaryOp;
    const Word in = wordFor(hull(facts.extent, hull(left.facts.extent, right.facts.extent)));
    const auto [x, y] = operandsIn(in, left.value, right.value);
    const bool isDivision = op == Div || op == Mod;
    if (isDivision && facts.isProven) return infix(x, symbolOf(op), y, in);
    const char* name = op == Div   ? "divide"
                       : op == Mod ? "modulo"
                       : op == Min ? "minimum"
                                   : "maximum";
    return plain(fmt::format("sme::{}<{}>({}, {})", name, nameOf(in), x.text, y.text), in);
}

Value comparison(ir::BinaryOp op, const Operand& left, const Operand& right) {
    Value x = left.value;
    Value y = right.value;
    const auto settleBeside = [](Value& constant, const Value& other) {
        if (!constant.constant || other.constant) return;
        const Word type = other.type.isPromoted() ? kInt : other.type;
        if (holds(type, *constant.constant)) constant = convert(constant, type);
    };
    settleBeside(x, y);
    settleBeside(y, x);
    if (!comparesByValue(x.type, y.type)) {
        const Word in = wordFor(hull(left.facts.extent, right.facts.extent));
        x = convert(x, in);
        y = convert(y, in);
    }
    return infix(x, symbolOf(op), y, kBool);
}

/// Both sides are pure, so no branch is needed: & and | keep loops vectorisable.
Value logical(ir::BinaryOp op, const Value& left, const Value& right) {
    if (op == ir::BinaryOp::BoolXor || op == ir::BinaryOp::BoolEq) {
        const char* name = op == ir::BinaryOp::BoolXor ? "differ" : "same";
        return plain(fmt::format("sme::{}({}, {})", name, left.text, right.text), kBool);
    }
    return infix(left, symbolOf(op), right, kBool);
}

Value floating(ir::BinaryOp op, const Value& left, const Value& right) {
    using enum ir::BinaryOp;
    const bool isComparison = op == FLt || op == FLe || op == FEq || op == FNe;
    if (op == FMin || op == FMax) {
        const char* name = op == FMin ? "minimum" : "maximum";
        return plain(
            fmt::format("sme::{}<{}>({}, {})", name, nameOf(left.type), left.text, right.text),
            left.type);
    }
    return infix(left, symbolOf(op), right, isComparison ? kBool : left.type);
}

}  // namespace

Value shortCircuit(ir::BinaryOp op, const Value& left, const Value& right) {
    return infix(left, op == ir::BinaryOp::BoolAnd ? "&&" : "||", right, kBool);
}

Value applyUnary(ir::UnaryOp op, const Operand& operand, const ExprFacts& facts) {
    const Value& x = operand.value;
    const Word word = facts.word;
    switch (op) {
    case ir::UnaryOp::Not: return composed("!" + x.operand(), kBool);
    case ir::UnaryOp::FNeg: return composed("-" + x.operand(), x.type);
    case ir::UnaryOp::BitNot: return composed("~" + convert(x, word).operand(), word);
    case ir::UnaryOp::Neg: {
        const Word in = facts.isProven ? word : unsignedOf(word);
        return convert(composed("-" + convert(x, in).operand(), in), word);
    }
    case ir::UnaryOp::Abs: {
        const Word in = wordFor(hull(operand.facts.extent, facts.extent));
        return plain(fmt::format("sme::absolute<{}>({})", nameOf(in), convert(x, in).text), in);
    }
    case ir::UnaryOp::Popcount:
        return plain(
            fmt::format("sme::popcount({})", convert(x, unsignedOf(settle(x, kU64).type)).text),
            kU32);
    case ir::UnaryOp::Parity:
        return plain(
            fmt::format("sme::parity({})", convert(x, unsignedOf(settle(x, kU64).type)).text),
            kBool);
    }
    return {};
}

Value applyBinary(ir::BinaryOp op, const Operand& left, const Operand& right,
                  const ExprFacts& facts) {
    using enum ir::BinaryOp;
    switch (op) {
    case Add:
    case Sub:
    case Mul:
    case And:
    case Or:
    case Xor: return modular(op, left, right, facts);
    case Shl: return shiftLeft(left, right, facts);
    case Shr: return shiftRight(left, right, facts);
    case Div:
    case Mod:
    case Min:
    case Max: return exact(op, left, right, facts);
    case Lt:
    case Le:
    case Eq:
    case Ne: return comparison(op, left, right);
    case BoolAnd:
    case BoolOr:
    case BoolXor:
    case BoolEq: return logical(op, left.value, right.value);
    case FAdd:
    case FSub:
    case FMul:
    case FDiv:
    case FLt:
    case FLe:
    case FEq:
    case FNe:
    case FMin:
    case FMax: return floating(op, left.value, right.value);
    }
    return {};
}

}  // namespace smec::codegen::cpp
