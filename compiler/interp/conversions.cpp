#include "interp/conversions.h"

#include <fmt/format.h>

#include "interp/arithmetic.h"
#include "source/internal_error.h"
#include "source/overloaded.h"

namespace smec::interp {

Value stored(const Context& context, Value value, TypeId type, SourceRange range) {
    const TypeFacts& facts = context.types[type.index];
    switch (facts.kind) {
    case TypeFacts::Kind::Integer: return wrap(std::move(value), facts.width, facts.isSigned);
    case TypeFacts::Kind::Ranged:
        if (compareIntegers(value, facts.low) >= 0 && compareIntegers(value, facts.high) <= 0)
            return value;
        if (context.settings.unchecked) return wrap(std::move(value), facts.width, facts.isSigned);
        throw Failure{fmt::format("value {} is outside of the range {} to {}",
                                  toInteger(value).str(), toInteger(facts.low).str(),
                                  toInteger(facts.high).str()),
                      range};
    case TypeFacts::Kind::Array: {
        const TypeId element = std::get<hir::ArrayType>(context.design.types[type]).element;
        value.list().transform([&](const Value& v) { return stored(context, v, element, range); });
        return value;
    }
    case TypeFacts::Kind::Struct: {
        const auto& members = std::get<hir::StructType>(context.design.types[type]).members;
        for (std::size_t i = 0; i < members.size(); ++i)
            value.list().edit(i) = stored(context, value.list()[i], members[i].type, range);
        return value;
    }
    case TypeFacts::Kind::Other: return value;
    }
    throw InternalError("unknown kind of type");
}

namespace {

Value castToBool(const Value& value) {
    const auto* single = std::get_if<float>(&value.data);
    const auto* twice = std::get_if<double>(&value.data);
    return small(single  ? *single != 0
                 : twice ? *twice != 0
                         : compareIntegers(value, small(0)) != 0);
}

Value castToFloat(const Value& value, std::uint32_t width) {
    if (const auto* single = std::get_if<float>(&value.data))
        return width == 32 ? value : real(double{*single});
    if (const auto* twice = std::get_if<double>(&value.data))
        return width == 64 ? value : real(static_cast<float>(*twice));
    return toFloat(value, width);
}

Value castToEnum(const Context& context, Value value, TypeId to, SourceRange range) {
    const auto& enumeration = std::get<hir::EnumType>(context.design.types[to]);
    const Integer number = toInteger(value);
    for (const hir::EnumMember& member : enumeration.members) {
        if (member.value == number) return value;
    }
    if (context.settings.unchecked)
        return wrap(std::move(value), enumeration.width, enumeration.isSigned);
    throw Failure{fmt::format("{} is no member of enum '{}'", number.str(), enumeration.name),
                  range};
}

}  // namespace

Value cast(const Context& context, Value value, TypeId from, TypeId to, SourceRange range) {
    const TypeTable& types = context.design.types;
    return smec::visit(
        Overloaded{
            [&](const hir::BoolType&) { return castToBool(value); },
            [&](const hir::FloatType& target) { return castToFloat(value, target.width); },
            [&](const hir::EnumType&) {
                return to == from ? std::move(value)
                                  : castToEnum(context, std::move(value), to, range);
            },
            [&](const hir::IntType&) {
                if (value.isFloat())
                    return toSaturated(value, types.minimum(to), types.maximum(to));
                return stored(context, std::move(value), to, range);
            },
            [&](const AnyOf<hir::ErrorType, hir::StringType, hir::ArrayType,
                            hir::StructType> auto&) {
                return stored(context, std::move(value), to, range);
            },
        },
        types[to]);
}

}  // namespace smec::interp
