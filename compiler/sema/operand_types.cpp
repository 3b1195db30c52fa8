#include "sema/operand_types.h"

#include <algorithm>

#include "sema/context.h"

namespace smec::sema {

using hir::Integer;
using hir::IntType;
using hir::TypeId;
using hir::TypeTable;

TypeId operandType(TypeTable& types, TypeId declared) {
    const IntType* type = types.as<IntType>(declared);
    if (!type || type->flavour == hir::IntFlavour::Sized) return declared;
    return types.integer(type->width, type->isSigned);
}

TypeId smallestType(TypeTable& types, const Integer& value) {
    return types.integer(hir::bitsFor(value), value < 0);
}

TypeId joined(TypeTable& types, TypeId left, TypeId right) {
    if (left == right) return left;
    const IntType a = *types.as<IntType>(left), b = *types.as<IntType>(right);
    bool isSigned = a.isSigned || b.isSigned;
    auto widthIn = [&](const IntType& type) {
        return type.width + (isSigned && !type.isSigned ? 1 : 0);
    };
    return types.integer(std::max(widthIn(a), widthIn(b)), isSigned);
}

bool holds(const TypeTable& types, TypeId target, TypeId operand) {
    const IntType& into = *types.as<IntType>(target);
    const IntType& from = *types.as<IntType>(operand);
    if (into.flavour == hir::IntFlavour::Ranged) return true;
    if (into.isSigned == from.isSigned) return from.width <= into.width;
    return into.isSigned && from.width < into.width;
}

bool fits(const TypeTable& types, TypeId target, const Integer& value) {
    const IntType& type = *types.as<IntType>(target);
    if (type.flavour == hir::IntFlavour::Ranged) return value >= type.low && value <= type.high;
    if (value < 0) return type.isSigned && hir::bitsFor(value) <= type.width;
    return hir::bitsFor(value) <= (type.isSigned ? type.width - 1 : type.width) || value == 0;
}

bool fitsPattern(const TypeTable& types, TypeId target, const Integer& value) {
    return hir::bitsFor(value) <= types.as<IntType>(target)->width;
}

std::uint32_t widthOf(const hir::TypeTable& types, TypeId type) {
    const hir::IntType* integer = types.as<hir::IntType>(type);
    return integer ? integer->width : 1;
}

Interval intervalOf(const TypeTable& types, TypeId type) {
    if (types.as<IntType>(type)->width > kMaxBits) return Interval::everything();
    return {types.minimum(type), types.maximum(type), false};
}

TypeId narrowed(TypeTable& types, hir::BinaryOp op, TypeId joinedType, const Interval& e,
                const Integer& c) {
    Interval result = apply(op, e, Interval::of(c));
    Integer cap = types.maximum(joinedType);
    Integer largest = result.unbounded ? cap : std::min(cap, result.high);
    if (largest < 0) return joinedType;
    TypeId type = smallestType(types, largest);
    return holds(types, joinedType, type) ? type : joinedType;
}

std::string memberHint(const hir::TypeTable& types, TypeId enumeration, const hir::Integer& value) {
    const auto* type = types.as<hir::EnumType>(enumeration);
    const hir::EnumMember* member = type->memberOf(value);
    return member ? "; write '" + type->name + "." + member->name + "'" : "";
}

}  // namespace smec::sema
