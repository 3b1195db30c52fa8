#include <array>

#include "ir/analysis.h"
#include "ir/arithmetic.h"

// Interval arithmetic. Every operator here is monotone in each operand on pieces of its domain, so
// the extremes lie at corners; the bitwise ones are bounded by the number of bits. A result beyond
// ±2^kIntegerBits is [-2^kIntegerBits, 2^kIntegerBits], which stands for everything.

namespace smec::ir {

Interval unbounded() {
    static const Integer limit = powerOfTwo(kIntegerBits);
    return {-limit, limit};
}

bool isUnbounded(const Interval& interval) {
    auto far = [](const Integer& x) {
        return x != 0 && bitLength(x < 0 ? Integer(-x) : x) > kIntegerBits;
    };
    return far(interval.low) || far(interval.high);
}

Interval intervalOf(const Scalar& type) {
    if (type.kind == ScalarKind::Bool) return {0, 1};
    if (type.kind != ScalarKind::Int) return {0, 0};
    if (!type.isSigned) return {0, powerOfTwo(type.width) - 1};
    const Integer half = powerOfTwo(type.width - 1);
    return {-half, half - 1};
}

Interval hull(const Interval& a, const Interval& b) {
    return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

Interval meet(const Interval& a, const Interval& b) {
    Interval both{std::max(a.low, b.low), std::min(a.high, b.high)};
    return both.low <= both.high ? both : a;
}

Interval wrapInterval(const Interval& x, std::uint32_t width, bool isSigned) {
    const Interval all = intervalOf({ScalarKind::Int, isSigned, width});
    if (all.contains(x.low) && all.contains(x.high)) return x;
    if (isUnbounded(x) || x.high - x.low > all.high - all.low) return all;
    const Integer low = wrapInteger(x.low, width, isSigned);
    const Integer high = low + (x.high - x.low);
    return high <= all.high ? Interval{low, high} : all;
}

Interval apply(UnaryOp op, const Interval& x) {
    switch (op) {
    case UnaryOp::Neg: return {-x.high, -x.low};
    case UnaryOp::BitNot: return {-x.high - 1, -x.low - 1};
    case UnaryOp::Abs:
        if (x.low >= 0) return x;
        if (x.high <= 0) return {-x.high, -x.low};
        return {0, std::max(Integer(-x.low), x.high)};
    case UnaryOp::Popcount: return {x.low > 0 ? 1 : 0, bitLength(x.high)};
    case UnaryOp::Not:
    case UnaryOp::FNeg:
    case UnaryOp::Parity: break;
    }
    return {0, 1};
}

namespace {

template <typename F>
Interval corners(const std::vector<Integer>& xs, const std::vector<Integer>& ys, F&& f) {
    std::optional<Interval> result;
    for (const Integer& x : xs) {
        for (const Integer& y : ys) {
            std::optional<Integer> value = f(x, y);
            if (!value) return unbounded();
            const Interval point{*value, *value};
            result = result ? hull(*result, point) : point;
        }
    }
    return result ? *result : Interval{0, 0};
}

Interval divide(const Interval& x, const Interval& y) {
    std::vector<Integer> divisors;
    auto piece = [&](const Integer& low, const Integer& high) {
        if (low > high) return;
        divisors.push_back(low);
        divisors.push_back(high);
    };
    piece(y.low, std::min(y.high, Integer(-1)));
    piece(std::max(y.low, Integer(1)), y.high);
    return corners({x.low, x.high}, divisors,
                   [](const Integer& a, const Integer& b) { return apply(BinaryOp::Div, a, b); });
}

Interval modulo(const Interval& x, const Interval& y) {
    const Integer largest = std::max(Integer(abs(y.low)), Integer(abs(y.high))) - 1;
    Integer smallest = 1;
    if (y.low > 0) smallest = y.low;
    if (y.high < 0) smallest = -y.high;
    if (largest < 0) return {0, 0};
    if (x.high < smallest && -smallest < x.low) return x;
    return {x.low < 0 ? std::max(x.low, Integer(-largest)) : Integer(0),
            x.high > 0 ? std::min(x.high, largest) : Integer(0)};
}

Interval shift(BinaryOp op, const Interval& x, const Interval& n) {
    const Interval count{std::max(n.low, Integer(0)), std::max(n.high, Integer(0))};
    return corners({x.low, x.high}, {count.low, count.high},
                   [&](const Integer& a, const Integer& b) { return apply(op, a, b); });
}

Interval bitwiseAnd(const Interval& x, const Interval& y) {
    if (x.low >= 0 && y.low >= 0) return {0, std::min(x.high, y.high)};
    if (x.low >= 0) return {0, x.high};
    if (y.low >= 0) return {0, y.high};
    const std::uint32_t bits = std::max(bitsOf(x, true), bitsOf(y, true));
    const bool negative = x.high < 0 && y.high < 0;
    return {-powerOfTwo(bits - 1), negative ? std::min(x.high, y.high) : std::max(x.high, y.high)};
}

Interval bitwiseOr(const Interval& x, const Interval& y) {
    const Integer low = x.low >= 0 && y.low >= 0 ? std::max(x.low, y.low) : std::min(x.low, y.low);
    if (x.high < 0 || y.high < 0) return {low, -1};
    return {low, powerOfTwo(bitLength(std::max(x.high, y.high))) - 1};
}

Interval bitwiseXor(const Interval& x, const Interval& y) {
    const std::uint32_t bits = std::max(bitsOf(x, true), bitsOf(y, true)) - 1;
    const Integer limit = powerOfTwo(bits);
    const bool neverNegative = (x.low >= 0 && y.low >= 0) || (x.high < 0 && y.high < 0);
    const bool alwaysNegative = (x.low >= 0 && y.high < 0) || (x.high < 0 && y.low >= 0);
    return {neverNegative ? Integer(0) : Integer(-limit),
            alwaysNegative ? Integer(-1) : Integer(limit - 1)};
}

Interval bounded(Interval result) { return isUnbounded(result) ? unbounded() : result; }

/// With an operand that may be anything.
Interval fromUnbounded(BinaryOp op, const Interval& x, const Interval& y) {
    if (op == BinaryOp::And && y.low >= 0 && !isUnbounded(y)) return {0, y.high};
    if (op == BinaryOp::And && x.low >= 0 && !isUnbounded(x)) return {0, x.high};
    if (op == BinaryOp::Mod && !isUnbounded(y)) return modulo(unbounded(), y);
    if (op == BinaryOp::Mod && !isUnbounded(x)) return hull(x, {0, 0});
    if (op == BinaryOp::Min) return {std::min(x.low, y.low), std::min(x.high, y.high)};
    if (op == BinaryOp::Max) return {std::max(x.low, y.low), std::max(x.high, y.high)};
    if (op == BinaryOp::Shr && !isUnbounded(x)) return shift(op, x, y);
    return unbounded();
}

}  // namespace

Interval apply(BinaryOp op, const Interval& x, const Interval& y) {
    if (isUnbounded(x) || isUnbounded(y)) return fromUnbounded(op, x, y);
    auto exact = [&](const Integer& a, const Integer& b) { return apply(op, a, b); };
    switch (op) {
    case BinaryOp::Add: return bounded({x.low + y.low, x.high + y.high});
    case BinaryOp::Sub: return bounded({x.low - y.high, x.high - y.low});
    case BinaryOp::Mul: return corners({x.low, x.high}, {y.low, y.high}, exact);
    case BinaryOp::Div: return divide(x, y);
    case BinaryOp::Mod: return modulo(x, y);
    case BinaryOp::Shl:
    case BinaryOp::Shr: return shift(op, x, y);
    case BinaryOp::And: return bitwiseAnd(x, y);
    case BinaryOp::Or: return bitwiseOr(x, y);
    case BinaryOp::Xor: return bitwiseXor(x, y);
    case BinaryOp::Min: return {std::min(x.low, y.low), std::min(x.high, y.high)};
    case BinaryOp::Max: return {std::max(x.low, y.low), std::max(x.high, y.high)};
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
    return {0, 1};
}

}  // namespace smec::ir
