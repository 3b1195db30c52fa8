#include "sema/check/conversions.h"

#include <algorithm>

#include "sema/operand_types.h"

// What may be stored where: docs/language.md, "What may be stored".

namespace smec::sema {

using hir::TypeId;
using hir::TypeTable;
using hir::Value;

namespace {

/// A constant 0 or 1 is meant as a truth value; everything else is compared.
std::string boolHint(const Operand& operand, bool isInteger, const std::string& source) {
    if (source == "'0'") return "; write 'false'";  // as in VHDL
    if (source == "'1'") return "; write 'true'";
    const bool isPlain = isInteger && operand.isConstant() && !operand.perInstance;
    if (isPlain && operand.value().integer() == 0) return "; write 'false'";
    if (isPlain && operand.value().integer() == 1) return "; write 'true'";
    return "; write '!= 0'";
}

/// `source`: with its quotes.
std::string textHint(bool toInteger, const std::string& source) {
    const bool isEscape = source.size() == 4 && source[1] == '\\';
    if (toInteger && (source.size() == 3 || isEscape))
        return "; write '" + source.substr(1, source.size() - 2) + "' in single quotes";
    return "; a text initialises an array of u8";
}

/// Element by element, by value.
bool fitsDeep(const TypeTable& types, TypeId target, const Value& value) {
    if (const hir::ArrayType* array = types.as<hir::ArrayType>(target)) {
        const Value::List* list = std::get_if<Value::List>(&value.data);
        return list && list->size() == array->count
               && list->all([&](const Value& one) { return fitsDeep(types, array->element, one); });
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

bool Conversions::castAllowed(const Operand& operand, TypeId type, SourceRange range) {
    const TypeTable& types = types_;
    bool fromInt = types.isInteger(operand.type), fromFloat = types.isFloat(operand.type);
    bool fromBool = operand.type == TypeTable::kBool,
         fromEnum = types.is<hir::EnumType>(operand.type);
    bool ok = operand.declared == type;
    if (types.isInteger(type))
        ok = fromInt || fromFloat || fromBool || fromEnum;
    else if (type == TypeTable::kBool)
        ok |= fromInt || fromFloat;
    else if (types.isFloat(type))
        ok |= fromInt || fromFloat;
    else if (types.is<hir::EnumType>(type))
        ok |= fromInt;
    if (types.is<hir::ArrayType>(type)) ok = false;
    if (ok) return true;
    bool viaInteger = (fromBool || fromEnum) && !types.is<hir::ArrayType>(type);
    reporter_.report(DiagId::BadCast, range, typeName(types_, operand), types.name(type),
                     viaInteger ? "; cast to an integer first" : "");
    return false;
}

Operand Conversions::castTo(Operand operand, TypeId type, SourceRange range) {
    if (operand.isError()) return {};
    TypeTable& types = types_;
    if (operand.kind == Operand::Kind::Undefined)
        return build_.constantOperand(hir::defaultValue(types, type), type, range);
    if (!operandsAreValues(reporter_, operand, operand) || !castAllowed(operand, type, range))
        return {};
    const hir::IntType* integer = types.as<hir::IntType>(type);
    bool isUnsized = integer && integer->flavour == hir::IntFlavour::Unsized;
    bool isRanged = integer && integer->flavour == hir::IntFlavour::Ranged;
    if (operand.isConstant()) {
        const hir::Integer* number = std::get_if<hir::Integer>(&operand.value().data);
        bool isKept = isUnsized && number && (integer->isSigned || *number >= 0);
        Folded folded = isKept ? Folded{operand.value()} : foldCast(types, operand.value(), type);
        if (!folded.ok() && nesting_.unevaluated) folded = {hir::defaultValue(types, type)};
        if (folded.failure == Failure::NoMember) {
            reporter_.report(DiagId::NoEnumMember, range, operand.integer().str(),
                             types.name(type));
            return {};
        }
        if (!folded.ok()) {
            reporter_.report(DiagId::ConstantFit, range, described(types_, operand), "the cast",
                             types.name(type), types.minimum(type).str(),
                             types.maximum(type).str());
            return {};
        }
        Operand result = isUnsized ? build_.unsizedConstant(folded.value.integer(), range)
                                   : build_.constantOperand(std::move(folded.value), type, range);
        merge(result, operand);
        return result;
    }
    build_.demand(operand, integer && !isRanged ? integer->width : kAllBits);
    build_.body().canFail |= isRanged || types.is<hir::EnumType>(type);
    TypeId written = isRanged ? type : operandType(types, type);
    return build_.valueOperand(build_.emit(written, range, hir::CastExpr{operand.id}), type, range);
}

void Conversions::reportMismatch(const Operand& operand, const Destination& destination) {
    const TypeTable& types = types_;
    std::string target = types.name(destination.type), hint;
    bool fromInt = types.isInteger(operand.type), toInt = types.isInteger(destination.type);
    bool isCastable =
        toInt && types.as<hir::IntType>(destination.type)->flavour != hir::IntFlavour::Ranged;
    bool toNumber = isCastable || types.isFloat(destination.type);
    bool fromNumber = fromInt || types.isFloat(operand.type);
    if (operand.type == TypeTable::kString)
        hint = textHint(toInt, reporter_.text(operand.range));
    else if (types.is<hir::BoolType>(destination.type) && fromNumber)
        hint = boolHint(operand, fromInt, reporter_.text(operand.range));
    else if (toNumber && fromNumber)
        hint = "; cast with " + target + "(...)";
    else if (isCastable && types.is<hir::BoolType>(operand.type))
        hint = "; convert with " + target + "(...)";
    else if (isCastable && types.is<hir::EnumType>(operand.type))
        hint = "; cast with " + target + "(...)";
    else if (types.is<hir::EnumType>(destination.type) && fromInt)
        hint = operand.isConstant() ? memberHint(types, destination.type, operand.integer())
                                    : "; cast with " + target + "(...)";
    else if (types.is<hir::ArrayType>(destination.type) && fromNumber)
        hint = "; only an initialiser fills an array";
    reporter_.report(DiagId::AssignType, operand.range, described(types_, operand),
                     destination.what, target, hint);
}

bool Conversions::convert(Operand& operand, const Destination& destination) {
    if (operand.isError() || types_.isError(destination.type)) return false;
    if (operand.kind == Operand::Kind::Bus) {
        reporter_.report(DiagId::NotAValue, operand.range, reporter_.text(operand.range), "a bus",
                         "; name one of its fields");
        return false;
    }
    if (operand.kind == Operand::Kind::Undefined) {
        operand = build_.constantOperand(hir::defaultValue(types_, destination.type),
                                         destination.type, operand.range);
        return true;
    }
    return operand.isConstant() ? convertConstant(operand, destination)
                                : convertValue(operand, destination);
}

bool Conversions::convertValue(Operand& operand, const Destination& destination) {
    TypeTable& types = types_;
    bool bothIntegers = types.isInteger(operand.type) && types.isInteger(destination.type);
    bool ok = bothIntegers ? holds(types, destination.type, operand.type)
                           : operand.declared == destination.type;
    if (!ok && bothIntegers && rules_.narrows) {
        reporter_.report(DiagId::Narrowing, operand.range, typeName(types_, operand),
                         destination.what, types.name(destination.type));
        operand = castTo(operand, operandType(types, destination.type), operand.range);
        return operand.isValue();
    }
    if (!ok) reportMismatch(operand, destination);
    return ok;
}

/// --smeil: a constant that does not fit wraps as other values do; those of ranges stay errors.
bool Conversions::narrowConstant(Operand& operand, const Destination& destination) {
    const hir::IntType& type = *types_.as<hir::IntType>(destination.type);
    if (!rules_.narrows || type.flavour == hir::IntFlavour::Ranged) return false;
    reporter_.report(DiagId::Narrowing, operand.range, operand.integer().str(), destination.what,
                     types_.name(destination.type));
    if (operand.perInstance) uses_.dependOn(operand);
    Value kept{hir::wrap(operand.integer(), type.width, type.isSigned)};
    operand = build_.constantOperand(std::move(kept), destination.type, operand.range);
    return true;
}

bool Conversions::convertInteger(Operand& operand, const Destination& destination) {
    const hir::IntType& type = *types_.as<hir::IntType>(destination.type);
    bool isUnbounded = destination.isConstant && type.flavour == hir::IntFlavour::Unsized;
    bool ok = isUnbounded ? type.isSigned || operand.integer() >= 0
                          : fits(types_, destination.type, operand.integer());
    if (!ok && !narrowConstant(operand, destination)) {
        reporter_.report(DiagId::ConstantFit, operand.range, operand.integer().str(),
                         destination.what, types_.name(destination.type),
                         types_.minimum(destination.type).str(),
                         types_.maximum(destination.type).str());
        return false;
    }
    if (isUnbounded) {
        operand.type = smallestType(types_, operand.integer());
        operand.unsized = true;
    } else {
        operand.type = operandType(types_, destination.type);
        operand.unsized = false;
    }
    return true;
}

bool Conversions::fillArray(Operand& operand, const Destination& destination) {
    const hir::ArrayType array = *types_.as<hir::ArrayType>(destination.type);
    Destination element = destination;
    element.type = array.element;
    if (!convertConstant(operand, element)) return false;
    operand.own = Value{Value::List(array.count, operand.value())};
    operand.shared = nullptr;
    return true;
}

bool Conversions::convertConstant(Operand& operand, const Destination& destination) {
    const TypeTable& types = types_;
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
    if (!operand.unsized) operand.type = operandType(types_, target);
    operand.declared = target;
    operand.floatLiteral = false;
    operand.convertedTo = target;
    if (types.is<hir::ArrayType>(target) && !operand.shared) operand.symbol = nullptr;
    return true;
}

hir::ExprId Conversions::store(Operand operand, const Destination& destination) {
    if (!convert(operand, destination)) return {};
    if (operand.isConstant()) {
        SiteNeeds needs;
        needs.fits = destination.type;
        return build_.use(operand, std::move(needs));
    }
    const hir::IntType* type = types_.as<hir::IntType>(destination.type);
    if (!type) return operand.id;
    bool isRanged = type->flavour == hir::IntFlavour::Ranged;
    build_.demand(operand, isRanged ? kAllBits : type->width);
    build_.body().canFail |=
        isRanged && !intervalOf(types_, destination.type).contains(operand.interval);
    return operand.id;
}

}  // namespace smec::sema
