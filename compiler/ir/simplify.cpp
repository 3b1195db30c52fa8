#include "ir/simplify.h"

#include "ir/arithmetic.h"
#include "ir/builder.h"
#include "ir/operators.h"
#include "ir/visit.h"
#include "source/overloaded.h"

// The builder's algebra. Each rule returns an expression that is already in the body (or builds a
// smaller one), or nothing when the node stays as it is. Floats are left alone: what the target
// computes is what counts.
//   u8:  Wrap(a & 255, 8)  ->  a      x % 8 (x >= 0)  ->  Wrap(x, 3)      !(a < b)  ->  b <= a
//   b << 2 | b << 1 | b  ->  b ? 7 : 0, of a bool
//   cat(a, b, c) == 5  ->  a & !b & c, of bools; cat(a, b) != 0  ->  a | b

namespace smec::ir {

namespace {

bool isPowerOfTwo(const Integer& x) { return x > 0 && (x & (x - 1)) == 0; }

std::optional<ExprId> simplifyNot(Builder& build, ExprId operand) {
    if (const bool* value = build.boolean(operand)) return build.constant(!*value);
    if (const auto* inner = std::get_if<Unary>(&build.body()[operand].node))
        return inner->operand;  // the only boolean one is Not
    const auto* node = std::get_if<Binary>(&build.body()[operand].node);
    if (!node) return std::nullopt;
    const Binary n = *node;
    switch (n.op) {
    case BinaryOp::Lt: return build.binary(BinaryOp::Le, n.right, n.left);
    case BinaryOp::Le: return build.binary(BinaryOp::Lt, n.right, n.left);
    case BinaryOp::Eq: return build.binary(BinaryOp::Ne, n.left, n.right);
    case BinaryOp::Ne: return build.binary(BinaryOp::Eq, n.left, n.right);
    case BinaryOp::BoolEq: return build.binary(BinaryOp::BoolXor, n.left, n.right);
    case BinaryOp::BoolXor: return build.binary(BinaryOp::BoolEq, n.left, n.right);
    case BinaryOp::BoolAnd:
    case BinaryOp::BoolOr:
    case BinaryOp::FLt:
    case BinaryOp::FLe:
    case BinaryOp::FEq:
    case BinaryOp::FNe:  // of floats, which may be no numbers
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
    case BinaryOp::Min:
    case BinaryOp::Max:
    case BinaryOp::FAdd:
    case BinaryOp::FSub:
    case BinaryOp::FMul:
    case BinaryOp::FDiv:
    case BinaryOp::FMin:
    case BinaryOp::FMax: break;
    }
    return std::nullopt;
}

std::optional<ExprId> simplifyNode(Builder& build, const Unary& node) {
    if (node.op == UnaryOp::Not) {
        const auto* inner = std::get_if<Unary>(&build.body()[node.operand].node);
        if (inner && inner->op != UnaryOp::Not) return std::nullopt;  // !parity(x)
        return simplifyNot(build, node.operand);
    }
    if (node.op == UnaryOp::Abs && build.interval(node.operand).low >= 0) return node.operand;
    if (const auto* inner = std::get_if<Unary>(&build.body()[node.operand].node)) {
        const bool involution = node.op == UnaryOp::Neg || node.op == UnaryOp::BitNot;
        if (involution && inner->op == node.op) return inner->operand;
    }
    const Integer* value = build.integer(node.operand);
    if (!value) return std::nullopt;
    if (node.op == UnaryOp::Parity) {
        auto count = apply(UnaryOp::Popcount, *value);
        return count ? std::optional(build.constant(*count % 2 != 0)) : std::nullopt;
    }
    auto result = apply(node.op, *value);
    return result ? std::optional(build.constant(*result)) : std::nullopt;
}

std::optional<ExprId> simplifyLinear(Builder& build, const Binary& node) {
    const Integer* right = build.integer(node.right);
    const Interval& x = build.interval(node.left);
    const Interval& y = build.interval(node.right);
    if (node.op == BinaryOp::Add) {
        if (right && *right == 0) return node.left;
    } else if (node.op == BinaryOp::Sub) {
        if (right && *right == 0) return node.left;
        if (node.left == node.right) return build.constant(Integer(0));
    } else if (node.op == BinaryOp::Mul) {
        if (right && *right == 1) return node.left;
    } else if (node.op == BinaryOp::Min) {
        if (x.high <= y.low || node.left == node.right) return node.left;
        if (y.high <= x.low) return node.right;
    } else if (node.op == BinaryOp::Max) {
        if (x.low >= y.high || node.left == node.right) return node.left;
        if (y.low >= x.high) return node.right;
    }
    return std::nullopt;
}

std::optional<ExprId> simplifyDivision(Builder& build, const Binary& node) {
    const Integer* right = build.integer(node.right);
    if (!right || *right <= 0) return std::nullopt;
    const Interval x = build.interval(node.left);
    if (*right == 1) return node.op == BinaryOp::Div ? node.left : build.constant(Integer(0));
    if (node.op == BinaryOp::Mod && -*right < x.low && x.high < *right) return node.left;
    if (x.low < 0 || !isPowerOfTwo(*right)) return std::nullopt;
    const std::uint32_t bits = bitLength(*right) - 1;
    if (node.op == BinaryOp::Mod) return build.wrap(node.left, bits, false);
    return build.binary(BinaryOp::Shr, node.left, build.constant(Integer(bits)));
}

bool isBit(const Builder& build, ExprId id) {
    const auto* convert = std::get_if<Convert>(&build.body()[id].node);
    return convert && convert->op == ConvertOp::BoolToInt;
}

/// The word that is shifted to the left by a constant, and by how many bits.
std::optional<std::pair<ExprId, std::uint32_t>> shiftedLeft(const Builder& build, ExprId id) {
    const auto* shift = std::get_if<Binary>(&build.body()[id].node);
    if (!shift || shift->op != BinaryOp::Shl) return std::nullopt;
    const Integer* count = build.integer(shift->right);
    if (!count || *count <= 0 || *count > 65'536) return std::nullopt;
    return std::pair(shift->left, static_cast<std::uint32_t>(*count));
}

/// What is `mask` while a bit is set, else 0: bits that repeat one, as in a sign's extension.
struct Repeated {
    ExprId bit;
    Integer mask;
};
std::optional<Repeated> repeatedBit(const Builder& build, ExprId id) {
    if (const auto shifted = shiftedLeft(build, id); shifted && isBit(build, shifted->first))
        return Repeated{std::get<Convert>(build.body()[shifted->first].node).operand,
                        powerOfTwo(shifted->second)};
    if (isBit(build, id))
        return Repeated{std::get<Convert>(build.body()[id].node).operand, Integer(1)};
    const auto* choice = std::get_if<Select>(&build.body()[id].node);
    if (!choice) return std::nullopt;
    const Integer* yes = build.integer(choice->yes);
    const Integer* no = build.integer(choice->no);
    if (!yes || !no || *yes <= 0 || *no != 0) return std::nullopt;
    return Repeated{choice->condition, *yes};
}

ExprId masked(Builder& build, const Repeated& repeated) {
    return build.select(repeated.bit, build.constant(repeated.mask), build.constant(Integer(0)));
}

/// (x << a) << b; and of what repeats a bit.
std::optional<ExprId> simplifyShift(Builder& build, const Binary& node) {
    const Integer* count = build.integer(node.right);
    if (node.op != BinaryOp::Shl || !count || *count <= 0 || *count > 65'536) return std::nullopt;
    const auto more = static_cast<std::uint32_t>(*count);
    if (const auto inner = shiftedLeft(build, node.left); inner && inner->second + more <= 65'536)
        return build.binary(BinaryOp::Shl, inner->first,
                            build.constant(Integer(inner->second + more)));
    const auto repeated = repeatedBit(build, node.left);
    if (!repeated || isBit(build, node.left)) return std::nullopt;
    return masked(build, {repeated->bit, Integer(repeated->mask << more)});
}

/// b | b << 1, and (x | b) << 1 | b: one mask for each bit that is repeated.
std::optional<ExprId> simplifyRepeated(Builder& build, const Binary& node) {
    if (node.op != BinaryOp::Or) return std::nullopt;
    const auto right = repeatedBit(build, node.right);
    if (!right) return std::nullopt;
    const auto left = repeatedBit(build, node.left);
    if (left && left->bit == right->bit)
        return masked(build, {right->bit, Integer(left->mask | right->mask)});
    const auto shifted = shiftedLeft(build, node.left);
    const auto* joined =
        shifted ? std::get_if<Binary>(&build.body()[shifted->first].node) : nullptr;
    if (!joined || joined->op != BinaryOp::Or) return std::nullopt;
    const ExprId others = joined->left;
    const auto inner = repeatedBit(build, joined->right);
    if (!inner || inner->bit != right->bit) return std::nullopt;
    const ExprId both =
        masked(build, {right->bit, Integer((inner->mask << shifted->second) | right->mask)});
    const ExprId moved =
        build.binary(BinaryOp::Shl, others, build.constant(Integer(shifted->second)));
    return build.binary(BinaryOp::Or, moved, both);
}

std::optional<ExprId> simplifyBits(Builder& build, const Binary& node) {
    const bool isShift = node.op == BinaryOp::Shl || node.op == BinaryOp::Shr;
    const Integer* right = build.integer(node.right);
    if (!isShift && node.left == node.right)
        return node.op == BinaryOp::Xor ? build.constant(Integer(0)) : node.left;
    if (const auto repeated = simplifyRepeated(build, node)) return repeated;
    if (const auto shift = simplifyShift(build, node)) return shift;
    if (!right) return std::nullopt;
    if (*right == 0) return node.op == BinaryOp::And ? build.constant(Integer(0)) : node.left;
    if (node.op != BinaryOp::And) return std::nullopt;
    if (*right == -1) return node.left;
    if (isPowerOfTwo(*right + 1)) return build.wrap(node.left, bitLength(*right), false);
    return std::nullopt;
}

/// x << n == c, where c >= 0; and (x << n | y) == c, where x or y is one bit or y a constant: word
/// by word, since or, shift and comparison cost more than two comparisons, or none of a bit. `value` is
/// a copy: expressions are added before it is used for the last time.
std::optional<ExprId> simplifyJoined(Builder& build, const Binary& node, const Integer value) {
    const bool isEqual = node.op == BinaryOp::Eq;
    if (const auto alone = shiftedLeft(build, node.left)) {
        const Integer upper = value >> alone->second;
        if ((upper << alone->second) != value) return build.constant(!isEqual);
        return build.binary(node.op, alone->first, build.constant(upper));
    }
    const auto* joined = std::get_if<Binary>(&build.body()[node.left].node);
    if (!joined || joined->op != BinaryOp::Or) return std::nullopt;
    const ExprId low = joined->right;
    const auto high = shiftedLeft(build, joined->left);
    if (!high) return std::nullopt;
    const Interval& y = build.interval(low);
    if (y.low < 0 || y.high >= powerOfTwo(high->second)) return std::nullopt;
    if (!isBit(build, low) && !isBit(build, high->first) && !build.integer(low))
        return std::nullopt;
    const Integer upper = value >> high->second;
    const ExprId first = build.binary(node.op, high->first, build.constant(upper));
    const ExprId second =
        build.binary(node.op, low, build.constant(Integer(value - (upper << high->second))));
    return build.binary(isEqual ? BinaryOp::BoolAnd : BinaryOp::BoolOr, first, second);
}

std::optional<ExprId> simplifyComparison(Builder& build, const Binary& node) {
    const Interval x = build.interval(node.left);
    const Interval y = build.interval(node.right);
    const bool known = !isUnbounded(x) && !isUnbounded(y);
    const bool equal = node.left == node.right;
    const bool apart = known && (x.high < y.low || y.high < x.low);
    if (node.op == BinaryOp::Lt) {
        if (equal || (known && x.low >= y.high)) return build.constant(false);
        if (known && x.high < y.low) return build.constant(true);
    } else if (node.op == BinaryOp::Le) {
        if (equal || (known && x.high <= y.low)) return build.constant(true);
        if (known && x.low > y.high) return build.constant(false);
    } else if (node.op == BinaryOp::Eq) {
        if (equal || (known && x.low == x.high && x == y)) return build.constant(true);
        if (apart) return build.constant(false);
    } else if (node.op == BinaryOp::Ne) {
        if (equal || (known && x.low == x.high && x == y)) return build.constant(false);
        if (apart) return build.constant(true);
    }
    const auto* fromBool =
        std::get_if<Convert>(&build.body()[node.left].node);  // bool(u1(b)), u1(b) == 1
    const Integer* right = build.integer(node.right);
    const bool equality = node.op == BinaryOp::Eq || node.op == BinaryOp::Ne;
    if (equality && right && *right >= 0) {
        if (const auto joined = simplifyJoined(build, node, *right)) return joined;
    }
    if (!equality || !right || !fromBool || fromBool->op != ConvertOp::BoolToInt)
        return std::nullopt;
    const ExprId operand = fromBool->operand;
    const bool straight = (*right == 1) == (node.op == BinaryOp::Eq);
    return straight ? operand : build.unary(UnaryOp::Not, operand);
}

std::optional<ExprId> simplifyLogical(Builder& build, const Binary& node) {
    const bool* left = build.boolean(node.left);
    const bool* right = build.boolean(node.right);
    const bool same = node.left == node.right;
    auto keepOrNot = [&](bool keep, ExprId id) {
        return keep ? id : build.unary(UnaryOp::Not, id);
    };
    if (node.op == BinaryOp::BoolAnd) {
        if (left) return *left ? node.right : node.left;
        if (right) return *right ? node.left : node.right;
        if (same) return node.left;
    } else if (node.op == BinaryOp::BoolOr) {
        if (left) return *left ? node.left : node.right;
        if (right) return *right ? node.right : node.left;
        if (same) return node.left;
    } else if (node.op == BinaryOp::BoolXor) {
        if (left) return keepOrNot(!*left, node.right);
        if (right) return keepOrNot(!*right, node.left);
        if (same) return build.constant(false);
    } else if (node.op == BinaryOp::BoolEq) {
        if (left) return keepOrNot(*left, node.right);
        if (right) return keepOrNot(*right, node.left);
        if (same) return build.constant(true);
    }
    return std::nullopt;
}

std::optional<ExprId> simplifyArithmetic(Builder& build, const Binary& node) {
    switch (node.op) {
    case BinaryOp::Add:
    case BinaryOp::Sub:
    case BinaryOp::Mul:
    case BinaryOp::Min:
    case BinaryOp::Max: return simplifyLinear(build, node);
    case BinaryOp::Div:
    case BinaryOp::Mod: return simplifyDivision(build, node);
    case BinaryOp::And:
    case BinaryOp::Or:
    case BinaryOp::Xor:
    case BinaryOp::Shl:
    case BinaryOp::Shr: return simplifyBits(build, node);
    case BinaryOp::Lt:
    case BinaryOp::Le:
    case BinaryOp::Eq:
    case BinaryOp::Ne:
    case BinaryOp::BoolAnd:
    case BinaryOp::BoolOr:
    case BinaryOp::BoolXor:
    case BinaryOp::BoolEq:
    case BinaryOp::FAdd:
    case BinaryOp::FSub:
    case BinaryOp::FMul:
    case BinaryOp::FDiv:
    case BinaryOp::FLt:
    case BinaryOp::FLe:
    case BinaryOp::FEq:
    case BinaryOp::FNe:
    case BinaryOp::FMin:
    case BinaryOp::FMax: break;
    }
    return std::nullopt;
}

std::optional<ExprId> simplifyNode(Builder& build, const Binary& node) {
    if (isLogical(node.op)) return simplifyLogical(build, node);
    if (isIntegerComparison(node.op)) return simplifyComparison(build, node);
    if (!isArithmetic(node.op)) return std::nullopt;
    const Integer* left = build.integer(node.left);
    const Integer* right = build.integer(node.right);
    if (left && right) {
        auto result = apply(node.op, *left, *right);
        return result ? std::optional(build.constant(*result)) : std::nullopt;
    }
    if (left && factsOf(node.op).commutes)
        return build.binary(node.op, node.right, node.left);  // constants stand on the right
    return simplifyArithmetic(build, node);
}

std::optional<ExprId> simplifyNode(Builder& build, const Select& node) {
    if (const bool* value = build.boolean(node.condition)) return *value ? node.yes : node.no;
    if (node.yes == node.no) return node.yes;
    const auto* condition = std::get_if<Unary>(&build.body()[node.condition].node);
    if (condition && condition->op == UnaryOp::Not)
        return build.select(condition->operand, node.no, node.yes);
    if (build.body()[node.yes].type != ExprType::Bool) return std::nullopt;
    const bool* yes = build.boolean(node.yes);
    const bool* no = build.boolean(node.no);
    if (yes && no) return *yes ? node.condition : build.unary(UnaryOp::Not, node.condition);
    if (yes && *yes) return build.binary(BinaryOp::BoolOr, node.condition, node.no);
    if (no && !*no) return build.binary(BinaryOp::BoolAnd, node.condition, node.yes);
    return std::nullopt;
}

std::optional<ExprId> simplifyNode(Builder& build, const Wrap& node) {
    if (const Integer* value = build.integer(node.operand))
        return build.constant(wrapInteger(*value, node.width, node.isSigned));
    const Interval& x = build.interval(node.operand);
    const bool fits = node.isSigned ? bitsOf(x, true) <= node.width
                                    : x.low >= 0 && bitsOf(x, false) <= node.width;
    if (fits) return node.operand;
    const auto* inner = std::get_if<Wrap>(&build.body()[node.operand].node);
    if (inner && inner->width >= node.width)
        return build.wrap(inner->operand, node.width, node.isSigned);
    return std::nullopt;
}

std::optional<ExprId> simplifyNode(Builder& build, const Convert& node) {
    if (node.op == ConvertOp::IntToBool)
        return build.binary(BinaryOp::Ne, node.operand, build.constant(Integer(0)));
    if (node.op != ConvertOp::BoolToInt) return std::nullopt;
    if (const bool* value = build.boolean(node.operand))
        return build.constant(Integer(*value ? 1 : 0));
    return std::nullopt;
}

}  // namespace

std::optional<ExprId> simplify(Builder& build, const Expr& expr) {
    return smec::visit(
        Overloaded{
            [&](const Unary& n) { return simplifyNode(build, n); },
            [&](const Binary& n) { return simplifyNode(build, n); },
            [&](const Select& n) { return simplifyNode(build, n); },
            [&](const Wrap& n) { return simplifyNode(build, n); },
            [&](const Convert& n) { return simplifyNode(build, n); },
            [](const AnyOf<ConstInt, ConstBool, ConstFloat, ReadColumn, ReadInput, ReadLocal,
                           ReadTable, Cycle, Seed> auto&) -> std::optional<ExprId> {
                return std::nullopt;
            },
        },
        expr.node);
}

}  // namespace smec::ir
