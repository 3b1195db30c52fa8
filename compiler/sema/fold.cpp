#include "sema/fold.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sema/interval.h"
#include "source/internal_error.h"
#include "source/overloaded.h"

namespace smec::sema {

using hir::Integer;
using hir::Value;
using enum hir::BinaryOp;

namespace {

Folded failed(Failure failure) { return {{}, failure}; }

Folded limited(Integer value) {
    if (hir::bitsFor(value) > kMaxBits) return failed(Failure::TooManyBits);
    return {Value{std::move(value)}};
}

template <typename T>
bool compare(hir::BinaryOp op, const T& left, const T& right) {
    switch (op) {
    case Lt: return left < right;
    case Gt: return left > right;
    case Le: return left <= right;
    case Ge: return left >= right;
    case Eq: return left == right;
    case Ne: return left != right;
    case Add:
    case Sub:
    case Mul:
    case Div:
    case Mod:
    case Shl:
    case Shr:
    case And:
    case Or:
    case Xor:
    case LogicalAnd:
    case LogicalOr: break;
    }
    throw InternalError("no such operator on these operands");
}

Folded shiftLeft(const Integer& left, const Integer& count) {
    if (count < 0) return failed(Failure::NegativeShift);
    if (left == 0) return {Value{Integer(0)}};
    if (count > kMaxBits) return failed(Failure::TooManyBits);
    return limited(left << count.convert_to<std::uint32_t>());
}

Folded shiftRight(const Integer& left, const Integer& count) {
    if (count < 0) return failed(Failure::NegativeShift);
    if (count > kMaxBits) return {Value{Integer(left < 0 ? -1 : 0)}};
    return {Value{hir::shiftedRight(left, count.convert_to<std::uint32_t>())}};
}

Folded multiply(const Integer& left, const Integer& right) {
    if (hir::bitsFor(left) + hir::bitsFor(right) > kMaxBits + 2)
        return failed(Failure::TooManyBits);
    return limited(left * right);
}

Folded integers(hir::BinaryOp op, const Integer& left, const Integer& right) {
    switch (op) {
    case Add: return limited(left + right);
    case Sub: return limited(left - right);
    case Mul: return multiply(left, right);
    case Div:
        return right == 0 ? failed(Failure::DivisionByZero) : Folded{Value{Integer(left / right)}};
    case Mod:
        return right == 0 ? failed(Failure::DivisionByZero) : Folded{Value{Integer(left % right)}};
    case Shl: return shiftLeft(left, right);
    case Shr: return shiftRight(left, right);
    case And: return {Value{Integer(left & right)}};
    case Or: return {Value{Integer(left | right)}};
    case Xor: return {Value{Integer(left ^ right)}};
    case Lt:
    case Gt:
    case Le:
    case Ge:
    case Eq:
    case Ne: return {Value{compare(op, left, right)}};
    case LogicalAnd:
    case LogicalOr: break;
    }
    throw InternalError("no such operator on these operands");
}

Folded booleans(hir::BinaryOp op, bool left, bool right) {
    switch (op) {
    case And:
    case LogicalAnd: return {Value{left && right}};
    case Or:
    case LogicalOr: return {Value{left || right}};
    case Xor: return {Value{left != right}};
    case Lt:
    case Gt:
    case Le:
    case Ge:
    case Eq:
    case Ne: return {Value{compare(op, left, right)}};
    case Add:
    case Sub:
    case Mul:
    case Div:
    case Mod:
    case Shl:
    case Shr: break;
    }
    throw InternalError("no such operator on these operands");
}

template <typename Float>
Folded floats(hir::BinaryOp op, Float left, Float right) {
    switch (op) {
    case Add: return {Value{canonical(left + right)}};
    case Sub: return {Value{canonical(left - right)}};
    case Mul: return {Value{canonical(left * right)}};
    case Div: return {Value{canonical(left / right)}};
    case Lt:
    case Gt:
    case Le:
    case Ge:
    case Eq:
    case Ne: return {Value{compare(op, left, right)}};
    case Mod:
    case Shl:
    case Shr:
    case And:
    case Or:
    case Xor:
    case LogicalAnd:
    case LogicalOr: break;
    }
    throw InternalError("no such operator on these operands");
}

Integer integerFrom(double value, const hir::TypeTable& types, hir::TypeId to) {
    if (std::isnan(value)) return 0;
    Integer low = types.minimum(to), high = types.maximum(to);
    if (std::isinf(value)) return value < 0 ? low : high;
    Integer exact(std::trunc(value));
    return std::clamp(exact, low, high);
}

/// Of an integer, exactly rounded to nearest even.
template <typename Float>
Float floatFrom(const Integer& value) {
    Integer magnitude = abs(value);
    std::uint32_t bits = hir::bitsFor(magnitude);
    if (bits > 1100)
        return value < 0 ? -std::numeric_limits<Float>::infinity()
                         : std::numeric_limits<Float>::infinity();
    constexpr std::uint32_t kDigits = std::numeric_limits<Float>::digits;
    std::uint32_t drop = bits > kDigits ? bits - kDigits : 0;
    Integer kept = magnitude >> drop;
    if (drop > 0) {
        Integer rest = magnitude - (kept << drop), half = Integer(1) << (drop - 1);
        if (rest > half || (rest == half && bit_test(kept, 0))) ++kept;
    }
    Float result =
        std::ldexp(static_cast<Float>(kept.convert_to<std::uint64_t>()), static_cast<int>(drop));
    return value < 0 ? -result : result;
}

template <typename Float>
Float toFloat(const Value& value) {
    if (const float* single = std::get_if<float>(&value.data)) return static_cast<Float>(*single);
    if (const double* number = std::get_if<double>(&value.data)) return static_cast<Float>(*number);
    if (const bool* flag = std::get_if<bool>(&value.data)) return *flag ? 1 : 0;
    return floatFrom<Float>(value.integer());
}

Folded castToInteger(const hir::TypeTable& types, const Value& value, hir::TypeId to) {
    const hir::IntType& type = *types.as<hir::IntType>(to);
    Integer result;
    if (const bool* flag = std::get_if<bool>(&value.data))
        result = *flag ? 1 : 0;
    else if (const float* single = std::get_if<float>(&value.data))
        result = integerFrom(static_cast<double>(*single), types, to);
    else if (const double* number = std::get_if<double>(&value.data))
        result = integerFrom(*number, types, to);
    else
        result = value.integer();
    if (type.flavour == hir::IntFlavour::Ranged) {
        if (result < type.low || result > type.high) return failed(Failure::OutOfRange);
        return {Value{std::move(result)}};
    }
    return {Value{hir::wrap(result, type.width, type.isSigned)}};
}

Folded castToBool(const Value& value) {
    if (const bool* flag = std::get_if<bool>(&value.data)) return {Value{*flag}};
    if (const float* single = std::get_if<float>(&value.data)) return {Value{*single != 0}};
    if (const double* number = std::get_if<double>(&value.data)) return {Value{*number != 0}};
    return {Value{value.integer() != 0}};
}

Integer natural(const Value& value, std::uint32_t width) {
    if (const bool* flag = std::get_if<bool>(&value.data)) return *flag ? 1 : 0;
    return hir::wrap(value.integer(), width, false);
}

Folded castToEnum(const hir::EnumType& type, const Value& value) {
    Integer number = natural(value, 1);
    if (std::holds_alternative<Integer>(value.data)) number = value.integer();
    if (type.memberOf(number)) return {Value{number}};
    return failed(Failure::NoMember);
}

std::uint32_t countOnes(const Integer& value) {
    std::uint32_t count = 0;
    if (value == 0) return 0;
    for (std::uint32_t bit = 0; bit <= msb(value); ++bit)
        count += bit_test(value, bit);
    return count;
}

Folded negated(const Value& value) {
    if (const float* single = std::get_if<float>(&value.data)) return {Value{canonical(-*single)}};
    if (const double* number = std::get_if<double>(&value.data))
        return {Value{canonical(-*number)}};
    return limited(-value.integer());
}

Folded complemented(const Integer& value, const hir::IntType& type) {
    if (type.isSigned) return limited(-value - 1);
    return {Value{Integer((Integer(1) << type.width) - 1 - hir::wrap(value, type.width, false))}};
}

}  // namespace

double canonical(double value) {
    return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value;
}

float canonical(float value) {
    return std::isnan(value) ? std::numeric_limits<float>::quiet_NaN() : value;
}

Folded foldBinary(hir::BinaryOp op, const Value& left, const Value& right) {
    if (const bool* flag = std::get_if<bool>(&left.data))
        return booleans(op, *flag, right.boolean());
    if (const float* single = std::get_if<float>(&left.data))
        return floats(op, *single, std::get<float>(right.data));
    if (const double* number = std::get_if<double>(&left.data))
        return floats(op, *number, std::get<double>(right.data));
    return integers(op, left.integer(), right.integer());
}

Folded foldUnary(const hir::TypeTable& types, hir::UnaryOp op, const Value& value,
                 hir::TypeId type) {
    switch (op) {
    case hir::UnaryOp::Not: return {Value{!value.boolean()}};
    case hir::UnaryOp::Negate: return negated(value);
    case hir::UnaryOp::Complement:
        return complemented(value.integer(), *types.as<hir::IntType>(type));
    }
    throw InternalError("no such operator on these operands");
}

Folded foldCast(const hir::TypeTable& types, const Value& value, hir::TypeId to) {
    return smec::visit(Overloaded{
                           [&](const hir::IntType&) { return castToInteger(types, value, to); },
                           [&](const hir::BoolType&) { return castToBool(value); },
                           [&](const hir::FloatType& type) {
                               return type.width == 32
                                          ? Folded{Value{canonical(toFloat<float>(value))}}
                                          : Folded{Value{canonical(toFloat<double>(value))}};
                           },
                           [&](const hir::EnumType& type) { return castToEnum(type, value); },
                           [&](const AnyOf<hir::ErrorType, hir::StringType, hir::ArrayType,
                                           hir::StructType> auto&) { return Folded{value}; },
                       },
                       types[to]);
}

Folded foldBuiltin(hir::Builtin builtin, std::span<const Value> values,
                   std::span<const std::uint32_t> widths, std::uint32_t count) {
    using enum hir::Builtin;
    Integer result = 0;
    switch (builtin) {
    case Cat:
        for (std::size_t i = 0; i < values.size(); ++i)
            result = (result << widths[i]) | natural(values[i], widths[i]);
        return {Value{result}};
    case Rep:
        for (std::uint32_t i = 0; i < count; ++i)
            result = (result << widths[0]) | natural(values[0], widths[0]);
        return {Value{result}};
    case Min:
    case Max: {
        const Integer &left = values[0].integer(), &right = values[1].integer();
        return {Value{(left < right) == (builtin == Min) ? left : right}};
    }
    case Abs: return {Value{Integer(abs(values[0].integer()))}};
    case Popcount: return {Value{Integer(countOnes(natural(values[0], widths[0])))}};
    case Any: return {Value{natural(values[0], widths[0]) != 0}};
    case All: return {Value{countOnes(natural(values[0], widths[0])) == widths[0]}};
    case Parity: return {Value{countOnes(natural(values[0], widths[0])) % 2 == 1}};
    case Cycle:
    case Random: break;
    }
    return failed(Failure::Prints);
}

bool bitOf(const Integer& value, std::uint64_t index) {
    return (hir::shiftedRight(value, index) & 1) != 0;
}

Integer sliceOf(const Integer& value, std::uint32_t high, std::uint32_t low) {
    return hir::wrap(hir::shiftedRight(value, low), high - low + 1, false);
}

}  // namespace smec::sema
