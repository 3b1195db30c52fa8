#include <algorithm>

#include <fmt/format.h>

#include "sema/checker.h"
#include "sema/evaluate.h"
#include "sema/list_builder.h"
#include "sema/operand_types.h"
#include "syntax/foreign_types.h"

// Casts, struct literals and calls of functions: what a call is depends on what its callee names.

namespace smec::sema {

using hir::TypeId;
using hir::TypeTable;
using hir::Value;

namespace {

std::string counted(std::size_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string areGiven(std::size_t count) {
    return fmt::format("{} {}", count, count == 1 ? "is" : "are");
}

}  // namespace

Operand Checker::call(ast::ExprId, const ast::Call& node, SourceRange range) {
    const ast::Expr& callee = module_[node.callee];
    const ast::Name* name = std::get_if<ast::Name>(&callee.node);
    bool failed = false;
    Symbol* symbol = nullptr;
    if (name) {
        bool isReserved = false;
        if (auto type = builtinType(core_.types(), name->text, isReserved))
            return cast(node, *type, range);
        if (isReserved) {
            core_.report(DiagId::TypeWidth, callee.range, name->text);
            return {};
        }
        symbol = scope_->find(name->text);
    } else {
        symbol = symbolAt(node.callee, failed);
    }
    if (failed) return {};
    if (symbol && std::holds_alternative<FuncSymbol>(symbol->node))
        return callFunction(*symbol, node, range);
    if (symbol && std::holds_alternative<TypeSymbol>(symbol->node)) {
        symbol->used = true;
        if (!core_.resolve(*symbol)) return {};
        const TypeSymbol& type = std::get<TypeSymbol>(symbol->node);
        if (type.shape) {
            core_.report(DiagId::NotAFunction, callee.range, symbol->name, "a bus type");
            return {};
        }
        dependOn(type);
        return cast(node, type.type, range);
    }
    bool isKnown = false;
    if (name) {
        Operand result = builtinCall(name->text, node, range, isKnown);
        if (isKnown) return result;
    }
    for (const ast::Argument& argument : node.arguments)
        check(argument.value);
    if (symbol && isUnimported(*symbol)) return {};
    if (const auto* paren = std::get_if<ast::Paren>(&callee.node)) {
        const std::string type = syntax::nativeType(core_.text(module_[paren->inner].range));
        if (!type.empty()) {
            core_.report(DiagId::OtherLanguage, callee.range,
                         fmt::format("the language has no '({0})'; a cast is '{0}(...)'", type));
            return {};
        }
    }
    bool isVariable = name && (findLocal(name->text) || portNames_.contains(name->text));
    if (symbol || isVariable || !name) {
        core_.report(DiagId::NotAFunction, callee.range, core_.text(callee.range),
                     symbol       ? kindOf(*symbol)
                     : isVariable ? "a variable"
                                  : "an expression");
        return {};
    }
    bool isSize = name->text == "u" || name->text == "i";
    const std::string native = syntax::nativeType(name->text);
    std::string hint = isSize            ? "; name the type with 'type' to cast to it"
                       : !native.empty() ? "; a cast is '" + native + "(...)'"
                                         : core_.suggestion(*scope_, name->text);
    core_.report(DiagId::UnknownFunction, callee.range, name->text, hint);
    return {};
}

// ---------------------------------------------------------------- casts

Operand Checker::cast(const ast::Call& node, TypeId type, SourceRange range) {
    if (core_.types().is<hir::StructType>(type)) return structLiteral(node, type, range);
    if (core_.types().isError(type)) return {};
    if (node.arguments.size() != 1 || node.arguments[0].name) {
        core_.report(DiagId::CallCount, range, core_.types().name(type), "1 value",
                     areGiven(node.arguments.size()));
        return {};
    }
    const std::size_t mark = namedConstants_;
    Operand operand = check(node.arguments[0].value);
    judgeStored(operand, type, mark);
    return castTo(std::move(operand), type, range);
}

bool Checker::castAllowed(const Operand& operand, TypeId type, SourceRange range) {
    const TypeTable& types = core_.types();
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
    core_.report(DiagId::BadCast, range, typeName(operand), types.name(type),
                 viaInteger ? "; cast to an integer first" : "");
    return false;
}

Operand Checker::castTo(Operand operand, TypeId type, SourceRange range) {
    if (operand.isError()) return {};
    TypeTable& types = core_.types();
    if (operand.kind == Operand::Kind::Undefined)
        return constantOperand(hir::defaultValue(types, type), type, range);
    if (!operandsAreValues(operand, operand) || !castAllowed(operand, type, range)) return {};
    const hir::IntType* integer = types.as<hir::IntType>(type);
    bool isUnsized = integer && integer->flavour == hir::IntFlavour::Unsized;
    bool isRanged = integer && integer->flavour == hir::IntFlavour::Ranged;
    if (operand.isConstant()) {
        const hir::Integer* number = std::get_if<hir::Integer>(&operand.value().data);
        bool isKept = isUnsized && number && (integer->isSigned || *number >= 0);
        Folded folded = isKept ? Folded{operand.value()} : foldCast(types, operand.value(), type);
        if (!folded.ok() && unevaluated_ > 0) folded = {hir::defaultValue(types, type)};
        if (folded.failure == Failure::NoMember) {
            core_.report(DiagId::NoEnumMember, range, operand.integer().str(), types.name(type));
            return {};
        }
        if (!folded.ok()) {
            core_.report(DiagId::ConstantFit, range, described(operand), "the cast",
                         types.name(type), types.minimum(type).str(), types.maximum(type).str());
            return {};
        }
        Operand result = isUnsized ? unsizedConstant(folded.value.integer(), range)
                                   : constantOperand(std::move(folded.value), type, range);
        merge(result, operand);
        return result;
    }
    demand(operand, integer && !isRanged ? integer->width : kAllBits);
    body_.canFail |= isRanged || types.is<hir::EnumType>(type);
    TypeId written = isRanged ? type : operandType(types, type);
    return valueOperand(emit(written, range, hir::CastExpr{operand.id}), type, range);
}

// ---------------------------------------------------------------- arguments

std::optional<std::vector<ast::ExprId>>
Checker::orderArguments(const ast::Call& node, const std::vector<std::string>& names,
                        std::string_view what, SourceRange range) {
    std::string callee = core_.text(module_[node.callee].range);
    std::vector<ast::ExprId> ordered(names.size());
    bool ok = true, sawName = false;
    std::size_t next = 0;
    if (node.arguments.size() > names.size()) {
        core_.report(DiagId::CallCount, range, callee, counted(names.size(), what),
                     areGiven(node.arguments.size()));
        return std::nullopt;
    }
    for (const ast::Argument& argument : node.arguments) {
        std::size_t place = next;
        if (argument.name) {
            sawName = true;
            place = static_cast<std::size_t>(
                std::find(names.begin(), names.end(), argument.name->text) - names.begin());
            if (place == names.size()) {
                std::string nearest = nearestName(argument.name->text, names);
                core_.report(DiagId::CallName, argument.name->range, callee, what,
                             argument.name->text,
                             nearest.empty() ? "" : "; did you mean '" + nearest + "'?");
                ok = false;
                continue;
            }
        } else {
            if (sawName) {
                core_.report(DiagId::CallPositional, module_[argument.value].range);
                ok = false;
                continue;
            }
            ++next;
        }
        if (ordered[place].valid())
            core_.report(DiagId::CallTwice, module_[argument.value].range, names[place]);
        ok &= !ordered[place].valid();
        ordered[place] = argument.value;
    }
    if (!ok) return std::nullopt;
    auto missing =
        std::find_if(ordered.begin(), ordered.end(), [](ast::ExprId id) { return !id.valid(); });
    if (missing == ordered.end()) return ordered;
    if (sawName)
        core_.report(DiagId::CallMissing, range, callee,
                     names[static_cast<std::size_t>(missing - ordered.begin())]);
    else
        core_.report(DiagId::CallCount, range, callee, counted(names.size(), what),
                     areGiven(node.arguments.size()));
    return std::nullopt;
}

Operand Checker::structLiteral(const ast::Call& node, TypeId type, SourceRange range) {
    const hir::StructType structure = *core_.types().as<hir::StructType>(type);
    std::vector<std::string> names;
    for (const hir::StructMember& member : structure.members)
        names.push_back(member.name);
    auto ordered = orderArguments(node, names, "member", range);
    if (!ordered) {
        for (const ast::Argument& argument : node.arguments)
            check(argument.value);
        return {};
    }
    ListBuilder list;
    for (std::size_t i = 0; i < names.size(); ++i) {
        Destination destination{structure.members[i].type,
                                fmt::format("member '{}' of '{}'", names[i], structure.name), true,
                                false};
        list.types.push_back(destination.type);
        Operand operand = checkFor((*ordered)[i], destination);
        if (!convert(operand, destination))
            list.failed = true;
        else
            list.add(std::move(operand));
    }
    if (names.size() == 1) list.types.push_back(list.types[0]);
    return finishList(list, type, range);
}

// ---------------------------------------------------------------- functions

Operand Checker::callFunction(Symbol& symbol, const ast::Call& node, SourceRange range) {
    symbol.used = true;
    const FunctionVersion* version = core_.function(symbol, range);
    if (!version) {
        for (const ast::Argument& argument : node.arguments)
            check(argument.value);
        return {};
    }
    const hir::Function& function = core_.design.functions[version->id.index];
    TypeId given = function.result, resultType = version->result;
    bool canTrace = function.body.canTrace, canFail = function.body.canFail;
    bool callsForeign = function.body.callsForeign;
    std::vector<std::string> names;
    std::vector<TypeId> types;
    for (std::uint32_t i = 0; i < function.paramCount; ++i) {
        names.push_back(function.body.vars[i].name);
        types.push_back(function.body.vars[i].type);
    }
    auto ordered = orderArguments(node, names, "argument", range);
    if (!ordered) {
        for (const ast::Argument& argument : node.arguments)
            check(argument.value);
        return {};
    }
    for (const FunctionVersion::Dependency& dependency : version->dependencies)
        touched_.push_back(dependency.expr);
    std::vector<Operand> arguments;
    std::vector<Destination> destinations;
    bool ok = true, allConstant = true;
    for (std::size_t i = 0; i < names.size(); ++i) {
        destinations.push_back(
            {types[i], fmt::format("parameter '{}' of '{}'", names[i], symbol.name), false, false});
        Operand operand = checkFor((*ordered)[i], destinations[i]);
        ok &= convert(operand, destinations[i]);
        allConstant &= operand.isConstant();
        arguments.push_back(std::move(operand));
    }
    if (!ok) return {};
    if (allConstant && !version->folds && constantOnly_ > 0) {
        core_.report(callsForeign ? DiagId::ConstantExtern : DiagId::ConstantOutput, range);
        return {};
    }
    if (allConstant && version->folds) {
        bool isFolded = true;
        Operand result = foldCall(*version, arguments, range, isFolded);
        if (isFolded) return result;
    }
    for (const FunctionVersion::Dependency& dependency : version->dependencies)
        dependencies_.push_back(dependency.expr);
    std::vector<hir::ExprId> ids;
    for (std::size_t i = 0; i < arguments.size(); ++i)
        ids.push_back(store(std::move(arguments[i]), destinations[i]));
    body_.canTrace |= canTrace;
    body_.canFail |= canFail;
    body_.callsForeign |= callsForeign;
    Operand result = valueOperand(
        emit(operandType(core_.types(), given), range, hir::CallExpr{version->id, std::move(ids)}),
        given, range);
    return given == resultType ? result : castTo(std::move(result), resultType, range);
}

Operand Checker::foldCall(const FunctionVersion& version, const std::vector<Operand>& arguments,
                          SourceRange range, bool& folded) {
    TypeId type = core_.design.functions[version.id.index].result;
    Operand result = constantOperand(hir::defaultValue(core_.types(), type), type, range);
    std::vector<Value> values;
    for (const Operand& argument : arguments) {
        merge(result, argument);
        values.push_back(argument.value());
    }
    result.perInstance |= !version.dependencies.empty();
    const bool isNeeded = constantOnly_ > 0;
    Evaluator evaluator(core_.design, core_.stepLimit(isNeeded));
    auto value = evaluator.call(version.id, std::move(values));
    if (value) {
        Operand exact = constantOperand(std::move(*value), type, range);
        exact.perInstance = result.perInstance;
        exact.siteSafe = result.siteSafe;
        return exact;
    }
    core_.countFailure(evaluator.failure(), isNeeded);
    if (evaluator.failure() == Failure::TooManySteps && !isNeeded) {
        folded = false;  // it may well run for long where it is not needed as a constant
        return {};
    }
    if (unevaluated_ > 0) return result;
    core_.reportFailure(evaluator.failure(), range, evaluator.where());
    return {};
}

}  // namespace smec::sema
