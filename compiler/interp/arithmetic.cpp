#include "interp/arithmetic.h"

#include <bit>
#include <cmath>
#include <limits>

#include "source/internal_error.h"

namespace smec::interp {

namespace {

using hir::BinaryOp;

/// More bits than any target or intermediate may need (65,536), and than a product of two such.
constexpr std::int64_t kLongestShift = 131'072;

template <typename T>
Value compared(BinaryOp op, const T& left, const T& right) {
    switch (op) {
    case BinaryOp::Lt: return small(left < right);
    case BinaryOp::Gt: return small(left > right);
    case BinaryOp::Le: return small(left <= right);
    case BinaryOp::Ge: return small(left >= right);
    case BinaryOp::Eq: return small(left == right);
    case BinaryOp::Ne: return small(left != right);
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
    throw InternalError("no such operator on these operands");
}

template <typename T>
Value binaryFloat(BinaryOp op, T left, T right) {
    switch (op) {
    case BinaryOp::Add: return real(left + right);
    case BinaryOp::Sub: return real(left - right);
    case BinaryOp::Mul: return real(left * right);
    case BinaryOp::Div: return real(left / right);
    case BinaryOp::Lt:
    case BinaryOp::Gt:
    case BinaryOp::Le:
    case BinaryOp::Ge:
    case BinaryOp::Eq:
    case BinaryOp::Ne: return compared(op, left, right);
    case BinaryOp::Mod:
    case BinaryOp::Shl:
    case BinaryOp::Shr:
    case BinaryOp::And:
    case BinaryOp::Or:
    case BinaryOp::Xor:
    case BinaryOp::LogicalAnd:
    case BinaryOp::LogicalOr: break;
    }
    throw InternalError("no such operator on these operands");
}

Value shiftRight(const Value& value, const Value& count) {
    if (!count.isSmall() || count.small() > kLongestShift)
        return small(compareIntegers(value, small(0)) < 0 ? -1 : 0);
    if (value.isSmall()) return small(value.small() >> std::min<std::int64_t>(count.small(), 63));
    // Of x < 0 by way of its complement: Boost 1.74 loses the sign when the lowest limb of the
    // magnitude is 1.
    const Integer integer = toInteger(value);
    const auto distance = static_cast<unsigned>(count.small());
    if (integer >= 0) return number(integer >> distance);
    return number(-1 - ((-1 - integer) >> distance));
}

Value shiftLeft(const Value& value, const Value& count) {
    if (!count.isSmall() || count.small() > kLongestShift) return small(0);
    return number(toInteger(value) << static_cast<unsigned>(count.small()));
}

/// The result when it fits; the exact one is found with `Integer` otherwise.
std::optional<std::int64_t> binarySmall(BinaryOp op, std::int64_t left, std::int64_t right) {
    std::int64_t result = 0;
    switch (op) {
    case BinaryOp::Add:
        return __builtin_add_overflow(left, right, &result) ? std::nullopt : std::optional(result);
    case BinaryOp::Sub:
        return __builtin_sub_overflow(left, right, &result) ? std::nullopt : std::optional(result);
    case BinaryOp::Mul:
        return __builtin_mul_overflow(left, right, &result) ? std::nullopt : std::optional(result);
    case BinaryOp::Div: return right == -1 ? std::nullopt : std::optional(left / right);
    case BinaryOp::Mod: return right == -1 ? 0 : left % right;
    case BinaryOp::Shl:
        if (right > 62 || (left << right) >> right != left) return std::nullopt;
        return left << right;
    case BinaryOp::Shr: return left >> std::min<std::int64_t>(right, 63);
    case BinaryOp::And: return left & right;
    case BinaryOp::Or: return left | right;
    case BinaryOp::Xor: return left ^ right;
    case BinaryOp::Lt:
    case BinaryOp::Gt:
    case BinaryOp::Le:
    case BinaryOp::Ge:
    case BinaryOp::Eq:
    case BinaryOp::Ne: return compared(op, left, right).small();
    case BinaryOp::LogicalAnd:
    case BinaryOp::LogicalOr: break;
    }
    throw InternalError("no such operator on these operands");
}

Value binaryLarge(BinaryOp op, const Value& leftValue, const Value& rightValue) {
    const Integer left = toInteger(leftValue);
    const Integer right = toInteger(rightValue);
    switch (op) {
    case BinaryOp::Add: return number(left + right);
    case BinaryOp::Sub: return number(left - right);
    case BinaryOp::Mul: return number(left * right);
    case BinaryOp::Div: return number(left / right);
    case BinaryOp::Mod: return number(left % right);
    case BinaryOp::Shl: return shiftLeft(leftValue, rightValue);
    case BinaryOp::Shr: return shiftRight(leftValue, rightValue);
    case BinaryOp::And: return number(left & right);
    case BinaryOp::Or: return number(left | right);
    case BinaryOp::Xor: return number(left ^ right);
    case BinaryOp::Lt:
    case BinaryOp::Gt:
    case BinaryOp::Le:
    case BinaryOp::Ge:
    case BinaryOp::Eq:
    case BinaryOp::Ne: return compared(op, left, right);
    case BinaryOp::LogicalAnd:
    case BinaryOp::LogicalOr: break;
    }
    throw InternalError("no such operator on these operands");
}

}  // namespace

Value negate(const Value& operand) {
    if (const auto* single = std::get_if<float>(&operand.data)) return real(-*single);
    if (const auto* twice = std::get_if<double>(&operand.data)) return real(-*twice);
    return binary(BinaryOp::Sub, small(0), operand);
}

Value complement(const Value& operand, std::uint32_t width, bool isSigned) {
    Value flipped = binary(BinaryOp::Sub, small(-1), operand);  // -x - 1
    return isSigned ? flipped : wrap(std::move(flipped), width, false);
}

Value binary(BinaryOp op, const Value& left, const Value& right) {
    if (left.isSmall() && right.isSmall()) {
        if (const auto result = binarySmall(op, left.small(), right.small())) return small(*result);
    } else if (const auto* single = std::get_if<float>(&left.data)) {
        return binaryFloat(op, *single, std::get<float>(right.data));
    } else if (const auto* twice = std::get_if<double>(&left.data)) {
        return binaryFloat(op, *twice, std::get<double>(right.data));
    }
    return binaryLarge(op, left, right);
}

int compareIntegers(const Value& left, const Value& right) {
    if (left.isSmall() && right.isSmall()) {
        return left.small() < right.small() ? -1 : left.small() > right.small();
    }
    const int order = toInteger(left).compare(toInteger(right));
    return order < 0 ? -1 : order > 0;
}

bool bitOf(const Value& value, std::uint64_t index) {
    if (value.isSmall()) return (value.small() >> std::min<std::uint64_t>(index, 63) & 1) != 0;
    return binary(BinaryOp::And, shiftRight(value, unsignedNumber(index)), small(1)).isTrue();
}

Value bitsOf(const Value& value, std::uint32_t high, std::uint32_t low) {
    return wrap(shiftRight(value, small(low)), high - low + 1, false);
}

Value withBits(const Value& value, std::uint64_t high, std::uint64_t low, const Value& bits) {
    const auto width = static_cast<std::uint32_t>(high - low + 1);
    const Value mask = shiftLeft(number((Integer(1) << width) - 1), unsignedNumber(low));
    const Value kept = binary(BinaryOp::And, value, complement(mask, 1, true));
    const Value set = shiftLeft(wrap(bits, width, false), unsignedNumber(low));
    return binary(BinaryOp::Or, kept, set);
}

Value append(const Value& high, const Value& low, std::uint32_t width) {
    return binary(BinaryOp::Or, shiftLeft(high, small(width)), wrap(low, width, false));
}

std::uint32_t popcount(const Value& nonNegative) {
    if (nonNegative.isSmall())
        return static_cast<std::uint32_t>(
            std::popcount(static_cast<std::uint64_t>(nonNegative.small())));
    std::uint32_t count = 0;
    for (Integer rest = toInteger(nonNegative); rest != 0; rest >>= 64) {
        const Integer limb = rest & std::numeric_limits<std::uint64_t>::max();
        count += static_cast<std::uint32_t>(std::popcount(static_cast<std::uint64_t>(limb)));
    }
    return count;
}

Value magnitude(const Value& value) {
    if (const auto* single = std::get_if<float>(&value.data)) return real(std::fabs(*single));
    if (const auto* twice = std::get_if<double>(&value.data)) return real(std::fabs(*twice));
    return compareIntegers(value, small(0)) < 0 ? negate(value) : value;
}

Value toFloat(const Value& value, std::uint32_t floatWidth) {
    if (value.isSmall()) {
        const std::int64_t v = value.small();
        return floatWidth == 32 ? real(static_cast<float>(v)) : real(static_cast<double>(v));
    }
    // The top 64 bits, of which the last also says whether anything below is set, round like the
    // whole number.
    const Integer integer = toInteger(value);
    const Integer size = abs(integer);
    const unsigned bits = msb(size) + 1;
    const unsigned dropped = bits > 64 ? bits - 64 : 0;
    auto top = static_cast<std::uint64_t>(size >> dropped);
    if (dropped > 0 && lsb(size) < dropped) top |= 1;
    const int exponent = static_cast<int>(dropped);
    if (floatWidth == 32) {
        const float result = std::ldexp(static_cast<float>(top), exponent);
        return real(integer < 0 ? -result : result);
    }
    const double result = std::ldexp(static_cast<double>(top), exponent);
    return real(integer < 0 ? -result : result);
}

Value toSaturated(const Value& realValue, const Integer& low, const Integer& high) {
    const auto* single = std::get_if<float>(&realValue.data);
    const double value = std::trunc(single ? *single : std::get<double>(realValue.data));
    if (std::isnan(value)) return small(0);
    if (std::isinf(value)) return number(value < 0 ? low : high);
    int exponent = 0;
    const double fraction =
        std::frexp(value, &exponent);  // value = fraction * 2^exponent, fraction in ±[0.5, 1)
    Integer integer = static_cast<std::int64_t>(std::ldexp(fraction, 53));
    if (exponent >= 53)
        integer <<= static_cast<unsigned>(exponent - 53);
    else
        integer /= Integer(1) << static_cast<unsigned>(std::min(53 - exponent, 64));
    if (integer < low) return number(low);
    if (integer > high) return number(high);
    return number(std::move(integer));
}

}  // namespace smec::interp
