#include "sema/interval.h"

#include <algorithm>

namespace smec::sema {

using hir::Integer;

namespace {

Interval make(Integer low, Integer high) {
    if (hir::bitsFor(low) > kMaxBits || hir::bitsFor(high) > kMaxBits)
        return Interval::everything();
    return {std::move(low), std::move(high), false};
}

Interval multiply(const Interval& a, const Interval& b) {
    std::uint32_t widest = std::max(hir::bitsFor(a.low), hir::bitsFor(a.high))
                           + std::max(hir::bitsFor(b.low), hir::bitsFor(b.high));
    if (widest > kMaxBits + 2) return Interval::everything();
    if (a.low >= 0 && b.low >= 0) return make(a.low * b.low, a.high * b.high);
    Integer p = a.low * b.low, q = a.low * b.high, r = a.high * b.low, s = a.high * b.high;
    return make(std::min({p, q, r, s}), std::max({p, q, r, s}));
}

/// Truncating division; the extremes lie at the divisors nearest to zero and at the ends.
Interval divide(const Interval& a, const Interval& b) {
    if (a.unbounded) return a;
    Integer least = std::max(abs(a.low), abs(a.high));
    if (b.unbounded) return {Integer(-least), least, false};
    std::vector<Integer> divisors;
    for (const Integer& candidate : {b.low, b.high, Integer(1), Integer(-1)})
        if (candidate != 0 && candidate >= b.low && candidate <= b.high)
            divisors.push_back(candidate);
    if (divisors.empty()) return a;
    Interval result = Interval::of(a.low / divisors.front());
    for (const Integer& divisor : divisors) {
        result = unite(result, Interval::of(a.low / divisor));
        result = unite(result, Interval::of(a.high / divisor));
        if (a.low < 0 && a.high > 0) result = unite(result, Interval::of(0));
    }
    return result;
}

Interval modulo(const Interval& a, const Interval& b) {
    if (b.unbounded) return a.unbounded ? a : unite(a, Interval::of(0));
    Integer largest = std::max(abs(b.low), abs(b.high));
    if (largest > 0) --largest;
    bool canBeNegative = a.unbounded || a.low < 0;
    bool canBePositive = a.unbounded || a.high > 0;
    Integer high = !canBePositive ? Integer(0) : a.unbounded ? largest : std::min(largest, a.high);
    Integer low = !canBeNegative ? Integer(0)
                  : a.unbounded  ? Integer(-largest)
                                 : std::max(Integer(-largest), a.low);
    return {low, high, false};
}

std::uint32_t clampedCount(const Integer& count) {
    if (count <= 0) return 0;
    return count > 2 * kMaxBits ? 2 * kMaxBits : count.convert_to<std::uint32_t>();
}

Interval shiftLeft(const Interval& a, const Interval& b) {
    if (a.unbounded) return a;
    if (a.low == 0 && a.high == 0) return a;
    std::uint32_t least = b.unbounded ? 0 : clampedCount(b.low);
    std::uint32_t most = b.unbounded ? 2 * kMaxBits : clampedCount(b.high);
    std::uint32_t widest = std::max(hir::bitsFor(a.low), hir::bitsFor(a.high));
    if (widest + most > kMaxBits + 1) return Interval::everything();
    Integer low = a.low << (a.low < 0 ? most : least);
    Integer high = a.high << (a.high < 0 ? least : most);
    return make(std::move(low), std::move(high));
}

Interval shiftRight(const Interval& a, const Interval& b) {
    if (a.unbounded) return a;
    std::uint32_t least = b.unbounded ? 0 : clampedCount(b.low);
    std::uint32_t most = b.unbounded ? 2 * kMaxBits : clampedCount(b.high);
    Integer low = hir::shiftedRight(a.low, a.low < 0 ? least : most);
    Integer high = hir::shiftedRight(a.high, a.high < 0 ? most : least);
    return {std::move(low), std::move(high), false};
}

/// The largest value of as many bits, a sign not counted.
Integer ones(const Integer& value) {
    return (Integer(1) << (hir::bitsFor(value) - (value < 0 ? 1 : 0))) - 1;
}

Interval bitAnd(const Interval& a, const Interval& b) {
    bool aIsNatural = !a.unbounded && a.low >= 0, bIsNatural = !b.unbounded && b.low >= 0;
    if (aIsNatural && bIsNatural) return {0, std::min(a.high, b.high), false};
    if (aIsNatural) return {0, a.high, false};
    if (bIsNatural) return {0, b.high, false};
    if (a.unbounded || b.unbounded) return Interval::everything();
    std::uint32_t width = std::max(hir::bitsFor(a.low), hir::bitsFor(b.low));
    Integer high = std::max(Integer(0), std::max(a.high, b.high));
    return make(-(Integer(1) << (width - 1)), std::move(high));
}

Interval bitOrXor(const Interval& a, const Interval& b) {
    if (a.unbounded || b.unbounded) return Interval::everything();
    Integer high = std::max({ones(a.low), ones(a.high), ones(b.low), ones(b.high)});
    bool canBeNegative = a.low < 0 || b.low < 0;
    return make(canBeNegative ? Integer(-high - 1) : Integer(0), high);
}

}  // namespace

Interval unite(const Interval& left, const Interval& right) {
    if (left.unbounded || right.unbounded) return Interval::everything();
    return {std::min(left.low, right.low), std::max(left.high, right.high), false};
}

Interval apply(hir::BinaryOp op, const Interval& a, const Interval& b) {
    using enum hir::BinaryOp;
    switch (op) {
    case Div: return divide(a, b);
    case Mod: return modulo(a, b);
    case Shl: return shiftLeft(a, b);
    case Shr: return shiftRight(a, b);
    case And: return bitAnd(a, b);
    case Or:
    case Xor: return bitOrXor(a, b);
    case Mul:
    case Add:
    case Sub: break;
    case Lt:
    case Gt:
    case Le:
    case Ge:
    case Eq:
    case Ne:
    case LogicalAnd:
    case LogicalOr: return Interval::everything();  // bools have none
    }
    if (a.unbounded || b.unbounded) return Interval::everything();
    if (op == Add) return make(a.low + b.low, a.high + b.high);
    if (op == Sub) return make(a.low - b.high, a.high - b.low);
    return multiply(a, b);
}

Interval negate(const Interval& a) {
    if (a.unbounded) return a;
    return {Integer(-a.high), Integer(-a.low), false};
}

Interval absolute(const Interval& a) {
    if (a.unbounded || a.low >= 0) return a;
    Integer high = std::max(Integer(-a.low), a.high);
    return {a.high < 0 ? Integer(-a.high) : Integer(0), std::move(high), false};
}

Interval minimum(const Interval& a, const Interval& b) {
    if (a.unbounded || b.unbounded) return Interval::everything();
    return {std::min(a.low, b.low), std::min(a.high, b.high), false};
}

Interval maximum(const Interval& a, const Interval& b) {
    if (a.unbounded || b.unbounded) return Interval::everything();
    return {std::max(a.low, b.low), std::max(a.high, b.high), false};
}

}  // namespace smec::sema
