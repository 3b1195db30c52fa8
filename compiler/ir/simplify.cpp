#include "ir/arithmetic.h"
#include "ir/builder.h"
#include "ir/visit.h"
#include "source/overloaded.h"

// The builder's algebra. Each rule returns an expression that is already in the body (or builds a
// smaller one), or nothing when the node stays as it is. Floats are left alone: what the target
// computes is what counts.
//   u8:  Wrap(a & 255, 8)  ->  a      x % 8 (x >= 0)  ->  Wrap(x, 3)      !(a < b)  ->  b <= a

namespace smec::ir {

namespace {

bool isPowerOfTwo(const Integer& x) { return x > 0 && (x & (x - 1)) == 0; }

}  // namespace

std::optional<ExprId> Builder::simplify(const Expr& expr) {
    return std::visit(
        Overloaded{
            [&](const Unary& n) { return simplify(n); },
            [&](const Binary& n) { return simplify(n); },
            [&](const Select& n) { return simplify(n); },
            [&](const Wrap& n) { return simplify(n); },
            [&](const Convert& n) { return simplify(n); },
            [](const AnyOf<ConstInt, ConstBool, ConstFloat, ReadColumn, ReadInput, ReadLocal,
                           ReadTable, Cycle, Seed> auto&) -> std::optional<ExprId> {
                return std::nullopt;
            },
        },
        expr.node);
}

std::optional<ExprId> Builder::simplifyNot(ExprId operand) {
    if (const bool* value = boolean(operand)) return constant(!*value);
    if (const auto* inner = std::get_if<Unary>(&body_[operand].node))
        return inner->operand;  // the only boolean one is Not
    const auto* node = std::get_if<Binary>(&body_[operand].node);
    if (!node) return std::nullopt;
    const Binary n = *node;
    switch (n.op) {
    case BinaryOp::Lt: return binary(BinaryOp::Le, n.right, n.left);
    case BinaryOp::Le: return binary(BinaryOp::Lt, n.right, n.left);
    case BinaryOp::Eq: return binary(BinaryOp::Ne, n.left, n.right);
    case BinaryOp::Ne: return binary(BinaryOp::Eq, n.left, n.right);
    case BinaryOp::BoolEq: return binary(BinaryOp::BoolXor, n.left, n.right);
    case BinaryOp::BoolXor: return binary(BinaryOp::BoolEq, n.left, n.right);
    default: return std::nullopt;
    }
}

std::optional<ExprId> Builder::simplify(const Unary& node) {
    if (node.op == UnaryOp::Not) {
        const auto* inner = std::get_if<Unary>(&body_[node.operand].node);
        if (inner && inner->op != UnaryOp::Not) return std::nullopt;  // !parity(x)
        return simplifyNot(node.operand);
    }
    if (node.op == UnaryOp::Abs && interval(node.operand).low >= 0) return node.operand;
    if (const auto* inner = std::get_if<Unary>(&body_[node.operand].node)) {
        const bool involution = node.op == UnaryOp::Neg || node.op == UnaryOp::BitNot;
        if (involution && inner->op == node.op) return inner->operand;
    }
    const Integer* value = integer(node.operand);
    if (!value) return std::nullopt;
    if (node.op == UnaryOp::Parity) {
        auto count = apply(UnaryOp::Popcount, *value);
        return count ? std::optional(constant(*count % 2 != 0)) : std::nullopt;
    }
    auto result = apply(node.op, *value);
    return result ? std::optional(constant(*result)) : std::nullopt;
}

std::optional<ExprId> Builder::simplify(const Binary& node) {
    if (isLogical(node.op)) return simplifyLogical(node);
    if (isIntegerComparison(node.op)) return simplifyComparison(node);
    if (!isArithmetic(node.op)) return std::nullopt;
    const Integer* left = integer(node.left);
    const Integer* right = integer(node.right);
    if (left && right) {
        auto result = apply(node.op, *left, *right);
        return result ? std::optional(constant(*result)) : std::nullopt;
    }
    const bool commutes = node.op == BinaryOp::Add || node.op == BinaryOp::Mul
                          || node.op == BinaryOp::And || node.op == BinaryOp::Or
                          || node.op == BinaryOp::Xor || node.op == BinaryOp::Min
                          || node.op == BinaryOp::Max;
    if (left && commutes)
        return binary(node.op, node.right, node.left);  // constants stand on the right
    switch (node.op) {
    case BinaryOp::Add:
    case BinaryOp::Sub:
    case BinaryOp::Mul:
    case BinaryOp::Min:
    case BinaryOp::Max: return simplifyLinear(node);
    case BinaryOp::Div:
    case BinaryOp::Mod: return simplifyDivision(node);
    default: return simplifyBits(node);
    }
}

std::optional<ExprId> Builder::simplifyLinear(const Binary& node) {
    const Integer* right = integer(node.right);
    const Interval& x = interval(node.left);
    const Interval& y = interval(node.right);
    switch (node.op) {
    case BinaryOp::Add:
        if (right && *right == 0) return node.left;
        break;
    case BinaryOp::Sub:
        if (right && *right == 0) return node.left;
        if (node.left == node.right) return constant(Integer(0));
        break;
    case BinaryOp::Mul:
        if (right && *right == 1) return node.left;
        break;
    case BinaryOp::Min:
        if (x.high <= y.low || node.left == node.right) return node.left;
        if (y.high <= x.low) return node.right;
        break;
    default:  // Max
        if (x.low >= y.high || node.left == node.right) return node.left;
        if (y.low >= x.high) return node.right;
        break;
    }
    return std::nullopt;
}

std::optional<ExprId> Builder::simplifyDivision(const Binary& node) {
    const Integer* right = integer(node.right);
    if (!right || *right <= 0) return std::nullopt;
    const Interval x = interval(node.left);
    if (*right == 1) return node.op == BinaryOp::Div ? node.left : constant(Integer(0));
    if (node.op == BinaryOp::Mod && -*right < x.low && x.high < *right) return node.left;
    if (x.low < 0 || !isPowerOfTwo(*right)) return std::nullopt;
    const std::uint32_t bits = bitLength(*right) - 1;
    if (node.op == BinaryOp::Mod) return wrap(node.left, bits, false);
    return binary(BinaryOp::Shr, node.left, constant(Integer(bits)));
}

std::optional<ExprId> Builder::simplifyBits(const Binary& node) {
    const bool shift = node.op == BinaryOp::Shl || node.op == BinaryOp::Shr;
    const Integer* right = integer(node.right);
    if (!shift && node.left == node.right)
        return node.op == BinaryOp::Xor ? constant(Integer(0)) : node.left;
    if (!right) return std::nullopt;
    if (*right == 0) return node.op == BinaryOp::And ? constant(Integer(0)) : node.left;
    if (node.op != BinaryOp::And) return std::nullopt;
    if (*right == -1) return node.left;
    if (isPowerOfTwo(*right + 1)) return wrap(node.left, bitLength(*right), false);
    return std::nullopt;
}

std::optional<ExprId> Builder::simplifyComparison(const Binary& node) {
    const Interval x = interval(node.left);
    const Interval y = interval(node.right);
    const bool known = !isUnbounded(x) && !isUnbounded(y);
    const bool equal = node.left == node.right;
    const bool apart = known && (x.high < y.low || y.high < x.low);
    switch (node.op) {
    case BinaryOp::Lt:
        if (equal || (known && x.low >= y.high)) return constant(false);
        if (known && x.high < y.low) return constant(true);
        break;
    case BinaryOp::Le:
        if (equal || (known && x.high <= y.low)) return constant(true);
        if (known && x.low > y.high) return constant(false);
        break;
    case BinaryOp::Eq:
        if (equal || (known && x.low == x.high && x == y)) return constant(true);
        if (apart) return constant(false);
        break;
    default:  // Ne
        if (equal || (known && x.low == x.high && x == y)) return constant(false);
        if (apart) return constant(true);
        break;
    }
    const auto* fromBool = std::get_if<Convert>(&body_[node.left].node);  // bool(u1(b)), u1(b) == 1
    const Integer* right = integer(node.right);
    const bool equality = node.op == BinaryOp::Eq || node.op == BinaryOp::Ne;
    if (!equality || !right || !fromBool || fromBool->op != ConvertOp::BoolToInt)
        return std::nullopt;
    const ExprId operand = fromBool->operand;
    const bool straight = (*right == 1) == (node.op == BinaryOp::Eq);
    return straight ? operand : unary(UnaryOp::Not, operand);
}

std::optional<ExprId> Builder::simplifyLogical(const Binary& node) {
    const bool* left = boolean(node.left);
    const bool* right = boolean(node.right);
    const bool same = node.left == node.right;
    auto keepOrNot = [&](bool keep, ExprId id) { return keep ? id : unary(UnaryOp::Not, id); };
    switch (node.op) {
    case BinaryOp::BoolAnd:
        if (left) return *left ? node.right : node.left;
        if (right) return *right ? node.left : node.right;
        if (same) return node.left;
        break;
    case BinaryOp::BoolOr:
        if (left) return *left ? node.left : node.right;
        if (right) return *right ? node.right : node.left;
        if (same) return node.left;
        break;
    case BinaryOp::BoolXor:
        if (left) return keepOrNot(!*left, node.right);
        if (right) return keepOrNot(!*right, node.left);
        if (same) return constant(false);
        break;
    default:  // BoolEq
        if (left) return keepOrNot(*left, node.right);
        if (right) return keepOrNot(*right, node.left);
        if (same) return constant(true);
        break;
    }
    return std::nullopt;
}

std::optional<ExprId> Builder::simplify(const Select& node) {
    if (const bool* value = boolean(node.condition)) return *value ? node.yes : node.no;
    if (node.yes == node.no) return node.yes;
    const auto* condition = std::get_if<Unary>(&body_[node.condition].node);
    if (condition && condition->op == UnaryOp::Not)
        return select(condition->operand, node.no, node.yes);
    if (body_[node.yes].type != ExprType::Bool) return std::nullopt;
    const bool* yes = boolean(node.yes);
    const bool* no = boolean(node.no);
    if (yes && no) return *yes ? node.condition : unary(UnaryOp::Not, node.condition);
    if (yes && *yes) return binary(BinaryOp::BoolOr, node.condition, node.no);
    if (no && !*no) return binary(BinaryOp::BoolAnd, node.condition, node.yes);
    return std::nullopt;
}

std::optional<ExprId> Builder::simplify(const Wrap& node) {
    if (const Integer* value = integer(node.operand))
        return constant(wrapInteger(*value, node.width, node.isSigned));
    const Interval& x = interval(node.operand);
    const bool fits = node.isSigned ? bitsOf(x, true) <= node.width
                                    : x.low >= 0 && bitsOf(x, false) <= node.width;
    if (fits) return node.operand;
    const auto* inner = std::get_if<Wrap>(&body_[node.operand].node);
    if (inner && inner->width >= node.width) return wrap(inner->operand, node.width, node.isSigned);
    return std::nullopt;
}

std::optional<ExprId> Builder::simplify(const Convert& node) {
    if (node.op == ConvertOp::IntToBool)
        return binary(BinaryOp::Ne, node.operand, constant(Integer(0)));
    if (node.op != ConvertOp::BoolToInt) return std::nullopt;
    if (const bool* value = boolean(node.operand)) return constant(Integer(*value ? 1 : 0));
    return std::nullopt;
}

}  // namespace smec::ir
