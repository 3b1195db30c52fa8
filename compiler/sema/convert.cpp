#include <algorithm>

#include "sema/checker.h"
#include "sema/operand_types.h"

// What may be stored where: LANGUAGE.md section 3, "What may be stored".

namespace smec::sema {

using hir::TypeId;
using hir::TypeTable;
using hir::Value;

namespace {

/// A constant 0 or 1 is meant as a truth value; everything else is compared.
std::string boolHint(const Operand& operand, bool isInteger) {
    const bool isPlain = isInteger && operand.isConstant() && !operand.perInstance;
    if (isPlain && operand.value().integer() == 0) return "; write 'false'";
    if (isPlain && operand.value().integer() == 1) return "; write 'true'";
    return "; write '!= 0'";
}

}  // namespace

std::string Checker::typeName(const Operand& operand) {
    if (operand.isConstant() && operand.unsized) return core_.types().name(operand.type);
    return core_.types().name(core_.types().isInteger(operand.type) ? operand.type
                                                                    : operand.declared);
}

std::string Checker::described(const Operand& operand) {
    bool isNumber = core_.types().isInteger(operand.type) || core_.types().isFloat(operand.type);
    if (operand.isConstant() && isNumber && !operand.perInstance)
        return hir::toString(core_.types(), operand.type, operand.value());
    return typeName(operand);
}

void Checker::reportMismatch(const Operand& operand, const Destination& destination) {
    const TypeTable& types = core_.types();
    std::string target = types.name(destination.type), hint;
    bool fromInt = types.isInteger(operand.type), toInt = types.isInteger(destination.type);
    bool isCastable =
        toInt && types.as<hir::IntType>(destination.type)->flavour != hir::IntFlavour::Ranged;
    bool toNumber = isCastable || types.isFloat(destination.type);
    bool fromNumber = fromInt || types.isFloat(operand.type);
    if (types.is<hir::BoolType>(destination.type) && fromNumber)
        hint = boolHint(operand, fromInt);
    else if (toNumber && fromNumber)
        hint = "; cast with " + target + "(...)";
    else if (isCastable && types.is<hir::BoolType>(operand.type))
        hint = "; convert with " + target + "(...)";
    else if (isCastable && types.is<hir::EnumType>(operand.type))
        hint = "; cast with " + target + "(...)";
    else if (types.is<hir::EnumType>(destination.type) && fromInt)
        hint = "; cast with " + target + "(...)";
    else if (types.is<hir::ArrayType>(destination.type) && fromNumber)
        hint = "; only an initialiser fills an array";
    core_.report(DiagId::AssignType, operand.range, described(operand), destination.what, target,
                 hint);
}

bool Checker::convert(Operand& operand, const Destination& destination) {
    if (operand.isError() || core_.types().isError(destination.type)) return false;
    if (operand.kind == Operand::Kind::Bus) {
        core_.report(DiagId::NotAValue, operand.range, core_.text(operand.range), "a bus",
                     "; name one of its fields");
        return false;
    }
    if (operand.kind == Operand::Kind::Undefined) {
        operand = constantOperand(hir::defaultValue(core_.types(), destination.type),
                                  destination.type, operand.range);
        return true;
    }
    return operand.isConstant() ? convertConstant(operand, destination)
                                : convertValue(operand, destination);
}

bool Checker::convertValue(Operand& operand, const Destination& destination) {
    TypeTable& types = core_.types();
    bool bothIntegers = types.isInteger(operand.type) && types.isInteger(destination.type);
    bool ok = bothIntegers ? holds(types, destination.type, operand.type)
                           : operand.declared == destination.type;
    if (!ok && bothIntegers && core_.rules.narrows) {
        core_.report(DiagId::Narrowing, operand.range, typeName(operand), destination.what,
                     types.name(destination.type));
        operand = castTo(operand, operandType(types, destination.type), operand.range);
        return operand.isValue();
    }
    if (!ok) reportMismatch(operand, destination);
    return ok;
}

/// --smeil: a constant that does not fit wraps as other values do; those of ranges stay errors.
bool Checker::narrowConstant(Operand& operand, const Destination& destination) {
    const hir::IntType& type = *core_.types().as<hir::IntType>(destination.type);
    if (!core_.rules.narrows || type.flavour == hir::IntFlavour::Ranged) return false;
    core_.report(DiagId::Narrowing, operand.range, operand.integer().str(), destination.what,
                 core_.types().name(destination.type));
    if (operand.perInstance) dependOn(operand);
    Value kept{hir::wrap(operand.integer(), type.width, type.isSigned)};
    operand = constantOperand(std::move(kept), destination.type, operand.range);
    return true;
}

bool Checker::convertInteger(Operand& operand, const Destination& destination) {
    const hir::IntType& type = *core_.types().as<hir::IntType>(destination.type);
    bool isUnbounded = destination.isConstant && type.flavour == hir::IntFlavour::Unsized;
    bool ok = isUnbounded ? type.isSigned || operand.integer() >= 0
                          : fits(core_.types(), destination.type, operand.integer());
    if (!ok && !narrowConstant(operand, destination)) {
        core_.report(DiagId::ConstantFit, operand.range, operand.integer().str(), destination.what,
                     core_.types().name(destination.type),
                     core_.types().minimum(destination.type).str(),
                     core_.types().maximum(destination.type).str());
        return false;
    }
    if (isUnbounded) {
        operand.type = smallestType(core_.types(), operand.integer());
        operand.unsized = true;
    } else {
        operand.type = operandType(core_.types(), destination.type);
        operand.unsized = false;
    }
    return true;
}

namespace {

/// Element by element, by value.
bool fitsDeep(const TypeTable& types, TypeId target, const Value& value) {
    if (const hir::ArrayType* array = types.as<hir::ArrayType>(target)) {
        const Value::List* list = std::get_if<Value::List>(&value.data);
        return list && list->size() == array->count
               && std::all_of(list->begin(), list->end(), [&](const Value& one) {
                      return fitsDeep(types, array->element, one);
                  });
    }
    const hir::Integer* integer = std::get_if<hir::Integer>(&value.data);
    return integer && types.isInteger(target) && fits(types, target, *integer);
}

bool holdsIntegers(const TypeTable& types, TypeId type) {
    while (const hir::ArrayType* array = types.as<hir::ArrayType>(type))
        type = array->element;
    return types.isInteger(type);
}

}  // namespace

bool Checker::fillArray(Operand& operand, const Destination& destination) {
    const hir::ArrayType array = *core_.types().as<hir::ArrayType>(destination.type);
    Destination element = destination;
    element.type = array.element;
    if (!convertConstant(operand, element)) return false;
    operand.own = Value{Value::List(array.count, operand.value())};
    operand.shared = nullptr;
    return true;
}

bool Checker::convertConstant(Operand& operand, const Destination& destination) {
    const TypeTable& types = core_.types();
    TypeId target = destination.type;
    bool isNumber = types.isInteger(operand.type) || operand.floatLiteral;
    bool isScalar = !types.is<hir::ArrayType>(operand.type);
    bool ok = operand.declared == target;
    if (types.isInteger(target) && types.isInteger(operand.type)) {
        if (!convertInteger(operand, destination)) return false;
        ok = true;
    } else if (types.isFloat(target) && isNumber) {
        operand.own = foldCast(types, operand.value(), target).value;
        operand.shared = nullptr;
        operand.symbol = nullptr;
        ok = true;
    } else if (types.is<hir::ArrayType>(target) && isScalar && destination.isInitialiser) {
        if (!fillArray(operand, destination)) return false;
        ok = true;
    } else if (types.is<hir::ArrayType>(target) && !ok && holdsIntegers(types, operand.type)) {
        ok = fitsDeep(types, target, operand.value());
    }
    if (!ok) {
        reportMismatch(operand, destination);
        return false;
    }
    if (!operand.unsized) operand.type = operandType(core_.types(), target);
    operand.declared = target;
    operand.floatLiteral = false;
    operand.convertedTo = target;
    if (types.is<hir::ArrayType>(target) && !operand.shared) operand.symbol = nullptr;
    return true;
}

hir::ExprId Checker::store(Operand operand, const Destination& destination) {
    if (!convert(operand, destination)) return {};
    if (operand.isConstant()) {
        SiteNeeds needs;
        needs.fits = destination.type;
        return use(operand, std::move(needs));
    }
    const hir::IntType* type = core_.types().as<hir::IntType>(destination.type);
    if (!type) return operand.id;
    bool isRanged = type->flavour == hir::IntFlavour::Ranged;
    demand(operand, isRanged ? kAllBits : type->width);
    body_.canFail |=
        isRanged && !intervalOf(core_.types(), destination.type).contains(operand.interval);
    return operand.id;
}

// ---------------------------------------------------------------- constants

Operand Checker::constant(ast::ExprId expr, std::string_view what) {
    ++constantOnly_;
    Operand operand = check(expr);
    --constantOnly_;
    if (operand.isError() || operand.isConstant()) return operand;
    if (operand.kind == Operand::Kind::Undefined)
        core_.report(DiagId::UndefinedUse, operand.range);
    else if (operand.kind == Operand::Kind::Bus)
        core_.report(DiagId::NotAValue, operand.range, core_.text(operand.range), "a bus", "");
    else
        core_.report(DiagId::NotConstantValue, operand.range, what);
    return {};
}

std::optional<Value> Checker::constantFor(ast::ExprId expr, const Destination& destination,
                                          Operand* checked) {
    ++constantOnly_;
    Operand operand = checkFor(expr, destination);
    bool ok = convert(operand, destination);
    --constantOnly_;
    if (checked) *checked = operand;
    if (!ok) return std::nullopt;
    if (!operand.isConstant()) {
        core_.report(DiagId::NotConstantValue, operand.range, destination.what);
        return std::nullopt;
    }
    return operand.shared ? *operand.shared : std::move(operand.own);
}

std::optional<hir::Integer> Checker::integer(ast::ExprId expr, std::string_view what) {
    Operand operand = constant(expr, what);
    if (!operand.isConstant()) return std::nullopt;
    if (!core_.types().isInteger(operand.type)) {
        core_.report(DiagId::ConstantType, operand.range, what, "an integer", described(operand));
        return std::nullopt;
    }
    if (operand.perInstance) dependOn(operand);
    return operand.integer();
}

std::optional<std::uint64_t> Checker::size(ast::ExprId expr, std::string_view what) {
    auto value = integer(expr, what);
    if (!value) return std::nullopt;
    if (*value < 0 || *value > INT64_MAX) {
        core_.report(DiagId::SizeRange, module_[expr].range, what, value->str(),
                     *value < 0 ? "at least 0" : "below 2^63");
        return std::nullopt;
    }
    return value->convert_to<std::uint64_t>();
}

}  // namespace smec::sema
