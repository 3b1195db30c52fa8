#include "ir/arithmetic.h"

#include <algorithm>
#include <bit>
#include <functional>

#include "source/internal_error.h"

namespace smec::ir {

bool Constant::operator==(const Constant& other) const {
    const double *mine = std::get_if<double>(&value), *theirs = std::get_if<double>(&other.value);
    if (!mine || !theirs) return !mine && !theirs && value == other.value;
    return std::bit_cast<std::uint64_t>(*mine) == std::bit_cast<std::uint64_t>(*theirs);
}

std::size_t hashOf(const Constants& constants) {
    return constants.hash([](const Constant& constant) {
        if (const auto* number = std::get_if<double>(&constant.value))
            return std::hash<std::uint64_t>{}(std::bit_cast<std::uint64_t>(*number));
        const auto& limbs = std::get<Integer>(constant.value).backend();
        return static_cast<std::size_t>(limbs.limbs()[0]) * 2 + limbs.sign();
    });
}

Integer powerOfTwo(std::uint32_t count) { return Integer(1) << count; }

std::uint32_t bitLength(const Integer& value) {
    return value == 0 ? 0 : static_cast<std::uint32_t>(boost::multiprecision::msb(value)) + 1;
}

Integer wrapInteger(const Integer& value, std::uint32_t width, bool isSigned) {
    Integer modulus = powerOfTwo(width);
    Integer result = value % modulus;
    if (result < 0) result += modulus;
    if (isSigned && result >= (modulus >> 1)) result -= modulus;
    return result;
}

std::uint32_t bitsOf(const Interval& interval, bool isSigned) {
    std::uint32_t bits = 0;
    if (interval.low < 0) bits = bitLength(-interval.low - 1);
    if (interval.high > 0) bits = std::max(bits, bitLength(interval.high));
    return std::max(1U, bits + (isSigned ? 1U : 0U));
}

std::optional<Integer> apply(UnaryOp op, const Integer& x) {
    switch (op) {
    case UnaryOp::Neg: return Integer(-x);
    case UnaryOp::BitNot: return Integer(-x - 1);
    case UnaryOp::Abs: return Integer(x < 0 ? Integer(-x) : x);
    case UnaryOp::Popcount: {
        if (x < 0) return std::nullopt;
        Integer count = 0;
        for (std::uint32_t i = 0, n = bitLength(x); i < n; ++i)
            count += bit_test(x, i) ? 1 : 0;
        return count;
    }
    case UnaryOp::Not:
    case UnaryOp::FNeg:
    case UnaryOp::Parity: return std::nullopt;
    }
    return std::nullopt;
}

namespace {

std::uint32_t magnitudeBits(const Integer& x) { return bitLength(x < 0 ? Integer(-x) : x); }

std::optional<Integer> shiftLeft(const Integer& x, const Integer& n) {
    if (n < 0) return std::nullopt;
    if (x == 0) return Integer(0);
    if (n + magnitudeBits(x) > kIntegerBits) return std::nullopt;
    return Integer(x << static_cast<std::uint32_t>(n));
}

std::optional<Integer> shiftRight(const Integer& x, const Integer& n) {
    if (n < 0) return std::nullopt;
    if (n > magnitudeBits(x)) return Integer(x < 0 ? -1 : 0);
    const auto count = static_cast<std::uint32_t>(n);
    if (x >= 0) return Integer(x >> count);
    return Integer(-((-x - 1) >> count) - 1);
}

/// Bitwise operators through the non-negative complement where an operand is negative.
Integer bitwise(BinaryOp op, const Integer& x, const Integer& y) {
    const std::uint32_t bits = std::max(magnitudeBits(x), magnitudeBits(y)) + 1;
    const Integer a = wrapInteger(x, bits, false), b = wrapInteger(y, bits, false);
    Integer result = op == BinaryOp::And  ? Integer(a & b)
                     : op == BinaryOp::Or ? Integer(a | b)
                                          : Integer(a ^ b);
    return wrapInteger(result, bits, true);
}

}  // namespace

std::optional<Integer> apply(BinaryOp op, const Integer& x, const Integer& y) {
    switch (op) {
    case BinaryOp::Add: return Integer(x + y);
    case BinaryOp::Sub: return Integer(x - y);
    case BinaryOp::Mul:
        if (magnitudeBits(x) + magnitudeBits(y) > kIntegerBits) return std::nullopt;
        return Integer(x * y);
    case BinaryOp::Div: return y == 0 ? std::nullopt : std::optional(Integer(x / y));
    case BinaryOp::Mod: return y == 0 ? std::nullopt : std::optional(Integer(x % y));
    case BinaryOp::Shl: return shiftLeft(x, y);
    case BinaryOp::Shr: return shiftRight(x, y);
    case BinaryOp::And:
    case BinaryOp::Or:
    case BinaryOp::Xor: return bitwise(op, x, y);
    case BinaryOp::Min: return std::min(x, y);
    case BinaryOp::Max: return std::max(x, y);
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

bool compare(BinaryOp op, const Integer& x, const Integer& y) {
    if (op == BinaryOp::Lt) return x < y;
    if (op == BinaryOp::Le) return x <= y;
    require(op == BinaryOp::Eq || op == BinaryOp::Ne, "a comparison was expected");
    return (x == y) == (op == BinaryOp::Eq);
}

Rounds roundsOf(LoopKind kind, const Integer& from, const Integer& to) {
    const bool isDown = kind == LoopKind::Down || (kind == LoopKind::Either && from > to);
    const Integer count = (isDown ? from - to : to - from) + 1;
    return {from, isDown ? -1 : 1, std::max(count, Integer(0))};
}

std::optional<Rounds> roundsOf(const Body& body, const For& loop) {
    const auto* from = std::get_if<ConstInt>(&body[loop.from].node);
    const auto* to = std::get_if<ConstInt>(&body[loop.to].node);
    if (!from || !to) return std::nullopt;
    return roundsOf(loop.kind, from->value, to->value);
}

}  // namespace smec::ir
