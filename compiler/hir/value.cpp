#include "hir/value.h"

#include <bit>

#include "source/overloaded.h"

namespace smec::hir {

bool Value::operator==(const Value& other) const {
    if (data.index() != other.data.index()) return false;
    if (const double* mine = std::get_if<double>(&data))
        return std::bit_cast<std::uint64_t>(*mine)
               == std::bit_cast<std::uint64_t>(std::get<double>(other.data));
    if (const float* mine = std::get_if<float>(&data))
        return std::bit_cast<std::uint32_t>(*mine)
               == std::bit_cast<std::uint32_t>(std::get<float>(other.data));
    return data == other.data;
}

namespace {

Value defaultOfInteger(const IntType& type) {
    bool zeroFits = type.flavour != IntFlavour::Ranged || (type.low <= 0 && type.high >= 0);
    return Value{zeroFits ? Integer(0) : type.low};
}

Value defaultOfStruct(const TypeTable& types, const StructType& type) {
    Value::List members;
    for (const StructMember& member : type.members)
        members.push_back(defaultValue(types, member.type));
    return Value{std::move(members)};
}

}  // namespace

Value defaultValue(const TypeTable& types, TypeId id) {
    struct Maker {
        const TypeTable& types;
        Value operator()(const ErrorType&) const { return {}; }
        Value operator()(const BoolType&) const { return Value{false}; }
        Value operator()(const IntType& type) const { return defaultOfInteger(type); }
        Value operator()(const FloatType& type) const {
            return type.width == 32 ? Value{0.0f} : Value{0.0};
        }
        Value operator()(const StringType&) const { return Value{std::string()}; }
        Value operator()(const ArrayType& type) const {
            return Value{Value::List(type.count, defaultValue(types, type.element))};
        }
        Value operator()(const EnumType& type) const {
            return Value{type.members.empty() ? Integer(0) : type.members.front().value};
        }
        Value operator()(const StructType& type) const { return defaultOfStruct(types, type); }
    };
    return smec::visit(Maker{types}, types[id]);
}

Integer wrap(const Integer& value, std::uint32_t width, bool isSigned) {
    if (value >= 0 && bitsFor(value) <= (isSigned ? width - 1 : width)) return value;
    if (value == 0) return value;
    Integer modulus = Integer(1) << width;
    Integer result = value % modulus;
    if (result < 0) result += modulus;
    if (isSigned && bit_test(result, width - 1)) result -= modulus;
    return result;
}

}  // namespace smec::hir
