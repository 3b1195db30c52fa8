// Operators on integers, bools and floats. Signed arithmetic is printed as such only where the
// intervals prove that it cannot overflow; everything else goes through unsigned words.

#include "ir/arithmetic.h"
#include "codegen/cpp/print/expression.h"

namespace smec::codegen::cpp {
namespace {

Word unsignedOf(Word word) {
    word.isSigned = false;
    return word;
}

Value composed(std::string text, const Word& type) { return {std::move(text), type, false, {}}; }
Value called(std::string text, const Word& type) { return {std::move(text), type, true, {}}; }

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
    default: return "?";
    }
}

/// Whether C++ converts a value of `from` to `to` without loss of low bits, and of sign where `to`
/// is signed.
bool isImplicit(const Word& from, const Word& to) {
    if (from == to) return true;
    if (from.isWide() || to.isWide()) return false;
    return to.isSigned ? from.bits < to.bits : from.bits <= to.bits;
}

/// Both operands so that C++ computes in `word`.
std::pair<Value, Value> operandsIn(const Word& word, Value left, Value right) {
    left = settle(left, word);
    right = settle(right, word);
    const bool bothPromoted =
        word == kInt && isImplicit(left.type, word) && isImplicit(right.type, word);
    if (!bothPromoted && left.type != word && right.type != word) left = convert(left, word);
    if (!isImplicit(left.type, word)) left = convert(left, word);
    if (!isImplicit(right.type, word)) right = convert(right, word);
    return {std::move(left), std::move(right)};
}

Value infix(const Value& left, const char* symbol, const Value& right, const Word& type) {
    return composed(fmt::format("{} {} {}", left.operand(), symbol, right.operand()), type);
}

/// Whether C++'s usual conversions compare the two by value.
bool comparesByValue(const Word& a, const Word& b) {
    if (a == b) return true;
    if (a.isWide() || b.isWide()) return false;
    if (a.isSigned == b.isSigned || (a.bits < 32 && b.bits < 32)) return true;
    const Word& sign = a.isSigned ? a : b;
    const Word& other = a.isSigned ? b : a;
    return other.bits < std::max(sign.bits, 32U);
}

}  // namespace

Value Expressions::unary(ir::ExprId id, const ir::Unary& node) const {
    const Value& x = values_[node.operand.index];
    const Word word = wordOfNode(id);
    switch (node.op) {
    case ir::UnaryOp::Not: return composed("!" + x.operand(), kBool);
    case ir::UnaryOp::FNeg: return composed("-" + x.operand(), x.type);
    case ir::UnaryOp::BitNot: return composed("~" + convert(x, word).operand(), word);
    case ir::UnaryOp::Neg: {
        const bool isExact =
            !word.isSigned || (holds(word, extent(id)) && holds(word, extent(node.operand)));
        const Word in = isExact ? word : unsignedOf(word);
        return convert(composed("-" + convert(x, in).operand(), in), word);
    }
    case ir::UnaryOp::Abs: {
        const Word in = wordFor(hull(extent(node.operand), extent(id)));
        return called(fmt::format("sme::absolute<{}>({})", nameOf(in), convert(x, in).text), in);
    }
    case ir::UnaryOp::Popcount:
        return called(
            fmt::format("sme::popcount({})", convert(x, unsignedOf(settle(x, kU64).type)).text),
            kU32);
    case ir::UnaryOp::Parity:
        return called(
            fmt::format("sme::parity({})", convert(x, unsignedOf(settle(x, kU64).type)).text),
            kBool);
    }
    return {};
}

/// Counts stay below 2^64, whatever the word they were computed in (lower sees to that).
Value shiftCount(const Value& count) { return count.type.isWide() ? convert(count, kU64) : count; }

Value Expressions::binary(ir::ExprId id, const ir::Binary& node) const {
    using enum ir::BinaryOp;
    switch (node.op) {
    case Add:
    case Sub:
    case Mul:
    case And:
    case Or:
    case Xor: return modular(id, node);
    case Shl: return shiftLeft(id, node);
    case Shr: return shiftRight(id, node);
    case Div:
    case Mod:
    case Min:
    case Max: return exact(id, node);
    case Lt:
    case Le:
    case Eq:
    case Ne: return comparison(node);
    case BoolAnd:
    case BoolOr:
    case BoolXor:
    case BoolEq: return logical(node);
    case FAdd:
    case FSub:
    case FMul:
    case FDiv:
    case FLt:
    case FLe:
    case FEq:
    case FNe:
    case FMin:
    case FMax: return floating(id, node);
    }
    return {};
}

/// Operators whose low bits depend on the operands' low bits alone.
Value Expressions::modular(ir::ExprId id, const ir::Binary& node) const {
    const Word word = wordOfNode(id);
    const bool isBitwise =
        node.op == ir::BinaryOp::And || node.op == ir::BinaryOp::Or || node.op == ir::BinaryOp::Xor;
    const bool isExact = holds(word, extent(id)) && holds(word, extent(node.left))
                         && holds(word, extent(node.right));
    const Word in = word.isSigned && !isBitwise && !isExact ? unsignedOf(word) : word;

    Value rightOperand = values_[node.right.index];
    const char* symbol = symbolOf(node.op);
    const bool isNegative = rightOperand.constant && *rightOperand.constant < 0;
    const bool canTurn = isNegative && (!in.isSigned || holds(in, -*rightOperand.constant));
    if (node.op == ir::BinaryOp::Add && canTurn) {
        rightOperand = Value::ofInteger(-*rightOperand.constant);
        symbol = "-";
    }
    const auto [left, right] = operandsIn(in, values_[node.left.index], rightOperand);
    return convert(infix(left, symbol, right, in), word);
}

Value Expressions::shiftLeft(ir::ExprId id, const ir::Binary& node) const {
    const Word word = wordOfNode(id);
    const Word in = unsignedOf(word);
    const Value x = convert(values_[node.left.index], in);
    const Value count = shiftCount(values_[node.right.index]);
    if (facts(node.right).atMost < word.bits) {
        return convert(infix(x, "<<", settle(count, kInt), in), word);
    }
    return convert(called(fmt::format("sme::shiftLeft<{}>({}, {})", nameOf(in), x.text,
                                      settle(count, kU64).text),
                          in),
                   word);
}

/// In the operand's own word; what comes out fits it. Of limbs only those that are looked at.
Value Expressions::shiftRight(ir::ExprId id, const ir::Binary& node) const {
    const Value& x = values_[node.left.index];
    const Value count = shiftCount(values_[node.right.index]);
    if (const Word to = wordOfNode(id); x.type.isWide() && to.bits < x.type.bits) {
        return called(
            fmt::format("sme::bitsFrom<{}>({}, {})", nameOf(to), x.text, settle(count, kU64).text),
            to);
    }
    const Word in = x.type.isPromoted() ? kInt : x.type;
    if (facts(node.right).atMost < x.type.bits) return infix(x, ">>", settle(count, kInt), in);
    return called(
        fmt::format("sme::shiftRight<{}>({}, {})", nameOf(in), x.text, settle(count, kU64).text),
        in);
}

/// Operators that look at the whole value: in a word that holds operands and result.
Value Expressions::exact(ir::ExprId id, const ir::Binary& node) const {
    using enum ir::BinaryOp;
    const Word in = wordFor(hull(extent(id), hull(extent(node.left), extent(node.right))));
    const auto [left, right] = operandsIn(in, values_[node.left.index], values_[node.right.index]);
    const bool isDivision = node.op == Div || node.op == Mod;
    if (isDivision && facts(id).isProven) return infix(left, symbolOf(node.op), right, in);
    const char* name = node.op == Div   ? "divide"
                       : node.op == Mod ? "modulo"
                       : node.op == Min ? "minimum"
                                        : "maximum";
    return called(fmt::format("sme::{}<{}>({}, {})", name, nameOf(in), left.text, right.text), in);
}

/// The x of `(x & 1) != 0` in vector code; else invalid.
ir::ExprId Expressions::testedForLowBit(const ir::Binary& node) const {
    const ir::Body& body = *info_.body;
    const auto isNumber = [&](ir::ExprId id, int number) {
        const auto* constant = std::get_if<ir::ConstInt>(&body[id].node);
        return constant != nullptr && constant->value == number;
    };
    if (selects_ != Selects::Masks || node.op != ir::BinaryOp::Ne || !isNumber(node.right, 0))
        return {};
    const Word& word = values_[node.left.index].type;
    if (!word.isInt() || word.bits > 64) return {};
    if (const auto* wrap = std::get_if<ir::Wrap>(&body[node.left].node))
        return wrap->width == 1 && !wrap->isSigned ? wrap->operand : ir::ExprId{};
    const auto* mask = std::get_if<ir::Binary>(&body[node.left].node);
    const bool isMask =
        mask != nullptr && mask->op == ir::BinaryOp::And && isNumber(mask->right, 1);
    return isMask ? mask->left : ir::ExprId{};
}

/// In the word that x has in its lane.
Value Expressions::lowBit(const ir::Binary& node, ir::ExprId of) const {
    const Value& bit = values_[node.left.index];
    Word word = bit.type;
    for (const std::uint32_t bits : {16, 8}) {
        const Word smaller{WordKind::Int, extent(of).isNegative, bits};
        if (holds(smaller, extent(of))) word = Word{WordKind::Int, false, bits};
    }
    return called(fmt::format("sme::isOdd<{}>({})", nameOf(word), bit.text), kBool);
}

Value Expressions::comparison(const ir::Binary& node) const {
    if (const ir::ExprId x = testedForLowBit(node); x.valid()) return lowBit(node, x);
    Value left = values_[node.left.index];
    Value right = values_[node.right.index];
    const auto settleBeside = [](Value& constant, const Value& other) {
        if (!constant.constant || other.constant) return;
        const Word type = other.type.isPromoted() ? kInt : other.type;
        if (holds(type, *constant.constant)) constant = convert(constant, type);
    };
    settleBeside(left, right);
    settleBeside(right, left);
    if (!comparesByValue(left.type, right.type)) {
        const Word in = wordFor(hull(extent(node.left), extent(node.right)));
        left = convert(left, in);
        right = convert(right, in);
    }
    return infix(left, symbolOf(node.op), right, kBool);
}

/// Both sides are pure, so no branch is needed: & and | keep loops vectorisable.
Value Expressions::logical(const ir::Binary& node) const {
    const Value& left = values_[node.left.index];
    const Value& right = values_[node.right.index];
    if (node.op == ir::BinaryOp::BoolXor || node.op == ir::BinaryOp::BoolEq) {
        const char* name = node.op == ir::BinaryOp::BoolXor ? "differ" : "same";
        return called(fmt::format("sme::{}({}, {})", name, left.text, right.text), kBool);
    }
    return infix(left, symbolOf(node.op), right, kBool);
}

Value Expressions::floating(ir::ExprId, const ir::Binary& node) const {
    using enum ir::BinaryOp;
    const Value& left = values_[node.left.index];
    const Value& right = values_[node.right.index];
    const bool isComparison = node.op == FLt || node.op == FLe || node.op == FEq || node.op == FNe;
    if (node.op == FMin || node.op == FMax) {
        const char* name = node.op == FMin ? "minimum" : "maximum";
        return called(
            fmt::format("sme::{}<{}>({}, {})", name, nameOf(left.type), left.text, right.text),
            left.type);
    }
    return infix(left, symbolOf(node.op), right, isComparison ? kBool : left.type);
}

/// In the smallest word that holds the value.
Value Expressions::maskedSelect(ir::ExprId id, const ir::Select& node) const {
    Word type =
        (*info_.body)[id].type == ir::ExprType::Int ? wordOfNode(id) : values_[node.yes.index].type;
    if (type.isInt()) {
        for (const std::uint32_t bits : {8, 16, 32}) {
            const Word smaller{WordKind::Int, extent(id).isNegative, bits};
            if (bits >= type.bits || !holds(smaller, extent(id))) continue;
            type = smaller;
            break;
        }
    }
    return {fmt::format("sme::choose<{}>({}, {}, {})", nameOf(type),
                        values_[node.condition.index].text,
                        convert(values_[node.yes.index], type).text,
                        convert(values_[node.no.index], type).text),
            type,
            true,
            {}};
}

Value Expressions::select(ir::ExprId id, const ir::Select& node) const {
    if (selects_ == Selects::Masks) return maskedSelect(id, node);
    Value yes = values_[node.yes.index];
    Value no = values_[node.no.index];
    const bool isInt = (*info_.body)[id].type == ir::ExprType::Int;
    if (isInt && (yes.constant || no.constant || yes.type != no.type)) {
        yes = convert(yes, wordOfNode(id));
        no = convert(no, wordOfNode(id));
    }
    const Word type = yes.type;
    return composed(fmt::format("{} ? {} : {}", values_[node.condition.index].operand(),
                                yes.operand(), no.operand()),
                    type);
}

Value Expressions::wrap(ir::ExprId id, const ir::Wrap& node) const {
    const Word word = wordOfNode(id);
    const Value& x = values_[node.operand.index];
    const ir::Scalar target{ir::ScalarKind::Int, node.isSigned, node.width};
    const bool fits = facts(id).isProven;
    if (fits || node.width > word.bits)
        return fits && holds(x.type, extent(node.operand)) ? x : convert(x, word);

    const Word stored = storedWord(target);
    if (stored.bits == node.width) return convert(x, stored);
    if (!node.isSigned) {
        const Word in = unsignedOf(word);
        if (in.isWide())
            return called(fmt::format("sme::zeroExtend<{}>({})", node.width, convert(x, in).text),
                          in);
        const auto [left, right] = operandsIn(in, x, Value::ofInteger(ir::intervalOf(target).high));
        return infix(left, "&", right, in);
    }
    const Word in = unsignedOf(word);
    Word result = word;
    result.isSigned = true;
    return called(fmt::format("sme::signExtend<{}>({})", node.width, convert(x, in).text), result);
}

Value Expressions::conversion(ir::ExprId id, const ir::Convert& node) const {
    const Value& x = values_[node.operand.index];
    const ir::ExprType type = (*info_.body)[id].type;
    const Word target = type == ir::ExprType::F32 ? kF32 : kF64;
    switch (node.op) {
    case ir::ConvertOp::IntToBool: return convert(settle(x, kU64), kBool);
    case ir::ConvertOp::BoolToInt: return called(fmt::format("u32({})", x.text), kU32);
    case ir::ConvertOp::IntToFloat:
        return called(fmt::format("{}({})", nameOf(target), x.text), target);
    case ir::ConvertOp::FloatToFloat: return convert(x, target);
    case ir::ConvertOp::FloatToInt: {
        const Word word = variableWord({ir::ScalarKind::Int, node.isSigned, node.width});
        const char* name = node.width > 128 ? "toWideInteger" : "toInteger";
        return called(fmt::format("sme::{}<{}, {}>({})", name, node.width, node.isSigned, x.text),
                      word);
    }
    }
    return {};
}

}  // namespace smec::codegen::cpp
