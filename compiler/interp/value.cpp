#include "interp/value.h"

#include <bit>
#include <cmath>
#include <limits>

#include "source/internal_error.h"
#include "source/overloaded.h"

namespace smec::interp {

// ---------------------------------------------------------------- scalars

namespace {

const Integer kSmallest = std::numeric_limits<std::int64_t>::min();
const Integer kLargest = std::numeric_limits<std::int64_t>::max();

/// The low `width` bits (1 … 64) as a number.
Value fromBits(std::uint64_t bits, std::uint32_t width, bool isSigned) {
    const std::uint32_t unused = 64 - width;
    if (isSigned) return small(static_cast<std::int64_t>(bits << unused) >> unused);
    return unsignedNumber(bits << unused >> unused);
}

/// The low 64 bits in two's complement.
std::uint64_t lowBits(const Integer& value) {
    const Integer magnitude = abs(value) & std::numeric_limits<std::uint64_t>::max();
    const auto bits = static_cast<std::uint64_t>(magnitude);
    return value < 0 ? -bits : bits;
}

}  // namespace

Value unsignedNumber(std::uint64_t number) {
    if (number <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        return small(static_cast<std::int64_t>(number));
    }
    return Value{Integer(number)};
}

Value number(Integer value) {
    if (kSmallest <= value && value <= kLargest) return small(static_cast<std::int64_t>(value));
    return Value{std::move(value)};
}

Value real(float value) {
    return Value{std::isnan(value) ? std::numeric_limits<float>::quiet_NaN() : value};
}

Value real(double value) {
    return Value{std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value};
}

Integer toInteger(const Value& value) {
    if (value.isSmall()) return value.small();
    const auto* integer = std::get_if<Integer>(&value.data);
    require(integer != nullptr, "a number was expected");
    return *integer;
}

std::optional<std::uint64_t> toUnsigned(const Value& value) {
    if (value.isSmall()) {
        if (value.small() < 0) return std::nullopt;
        return static_cast<std::uint64_t>(value.small());
    }
    const Integer integer = toInteger(value);
    if (integer < 0 || integer > std::numeric_limits<std::uint64_t>::max()) return std::nullopt;
    return static_cast<std::uint64_t>(integer);
}

Value wrap(Value value, std::uint32_t width, bool isSigned) {
    if (value.isSmall()) {
        const std::int64_t v = value.small();
        if (width <= 64) return fromBits(static_cast<std::uint64_t>(v), width, isSigned);
        if (isSigned || v >= 0) return value;
    }
    const Integer integer = toInteger(value);
    if (width <= 64) return fromBits(lowBits(integer), width, isSigned);
    const Integer modulus = Integer(1) << width;
    Integer rest = integer % modulus;
    if (rest < 0) rest += modulus;
    if (isSigned && rest >= (modulus >> 1)) rest -= modulus;
    return number(std::move(rest));
}

std::uint32_t widthOf(const TypeTable& types, TypeId type) {
    return smec::visit(
        Overloaded{
            [](const hir::IntType& t) {
                return t.flavour == hir::IntFlavour::Unsized ? 64 : t.width;
            },
            [](const AnyOf<hir::EnumType, hir::FloatType> auto& t) { return t.width; },
            [](const hir::BoolType&) { return std::uint32_t{1}; },
            [](const AnyOf<hir::ErrorType, hir::StringType, hir::ArrayType,
                           hir::StructType> auto&) { return std::uint32_t{0}; },
        },
        types[type]);
}

bool isSignedType(const TypeTable& types, TypeId type) {
    return smec::visit(
        Overloaded{
            [](const AnyOf<hir::IntType, hir::EnumType> auto& t) { return t.isSigned; },
            [](const AnyOf<hir::ErrorType, hir::BoolType, hir::FloatType, hir::StringType,
                           hir::ArrayType, hir::StructType> auto&) { return false; },
        },
        types[type]);
}

Value fromHir(const hir::Value& value) {
    if (const auto* integer = std::get_if<Integer>(&value.data)) return number(*integer);
    if (const auto* truth = std::get_if<bool>(&value.data)) return small(*truth);
    if (const auto* single = std::get_if<float>(&value.data)) return real(*single);
    if (const auto* twice = std::get_if<double>(&value.data)) return real(*twice);
    const auto* list = std::get_if<hir::Value::List>(&value.data);
    if (!list) return small(0);  // texts are read where they are shown; 'U is 0
    return Value{list->mapped<Value>(fromHir)};
}

hir::Value toHir(const TypeTable& types, TypeId type, const Value& value) {
    if (const auto* single = std::get_if<float>(&value.data)) return {*single};
    if (const auto* twice = std::get_if<double>(&value.data)) return {*twice};
    if (!value.isList()) {
        if (types.as<hir::BoolType>(type)) return {value.isTrue()};
        return {toInteger(value)};
    }
    const auto* array = types.as<hir::ArrayType>(type);
    const auto* structure = types.as<hir::StructType>(type);
    require(array || structure, "a list has an array or struct type");
    if (array)
        return {value.list().mapped<hir::Value>(
            [&](const Value& element) { return toHir(types, array->element, element); })};
    hir::Value::List members;
    for (std::size_t i = 0; i < value.list().size(); ++i)
        members.push_back(toHir(types, structure->members[i].type, value.list()[i]));
    return {std::move(members)};
}

bool Value::operator==(const Value& other) const {
    if (data.index() != other.data.index()) return false;
    if (const auto* single = std::get_if<float>(&data))
        return std::bit_cast<std::uint32_t>(*single)
               == std::bit_cast<std::uint32_t>(std::get<float>(other.data));
    if (const auto* twice = std::get_if<double>(&data))
        return std::bit_cast<std::uint64_t>(*twice)
               == std::bit_cast<std::uint64_t>(std::get<double>(other.data));
    return data == other.data;
}

bool equals(const Value& value, const hir::Value& label) {
    if (const auto* integer = std::get_if<Integer>(&label.data)) {
        return value.isSmall() ? *integer == value.small() : *integer == toInteger(value);
    }
    if (const auto* truth = std::get_if<bool>(&label.data)) return value.isTrue() == *truth;
    return false;
}

}  // namespace smec::interp
