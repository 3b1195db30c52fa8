#include "sema/check/calls.h"

#include <algorithm>
#include <fmt/format.h>

#include "sema/check/builtins.h"
#include "sema/check/conversions.h"
#include "sema/check/expressions.h"
#include "sema/check/judgements.h"
#include "sema/check/list_builder.h"
#include "sema/check/lists.h"
#include "sema/check/names.h"
#include "sema/evaluate.h"
#include "sema/operand_types.h"
#include "syntax/foreign_types.h"

namespace smec::sema {

using hir::TypeId;
using hir::Value;

namespace {

std::string areGiven(std::size_t count) {
    return fmt::format("{} {}", count, count == 1 ? "is" : "are");
}

}  // namespace

Operand Calls::call(ast::ExprId, const ast::Call& node, SourceRange range) {
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
        symbol = scope_.find(name->text);
    } else {
        symbol = names_.symbolAt(node.callee, failed);
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
        uses_.dependOn(type);
        return cast(node, type.type, range);
    }
    bool isKnown = false;
    if (name) {
        Operand result = builtins_.builtinCall(name->text, node, range, isKnown);
        if (isKnown) return result;
    }
    const bool ofClock = name && !symbol && syntax::looksAtClock(name->text);
    for (const ast::Argument& argument : node.arguments)
        if (!ofClock) expressions_.check(argument.value);  // there is no clk to complain about
    if (symbol && isUnimported(*symbol)) return {};
    if (const auto* paren = std::get_if<ast::Paren>(&callee.node)) {
        const std::string type = syntax::nativeType(core_.text(module_[paren->inner].range));
        if (!type.empty()) {
            core_.report(DiagId::OtherLanguage, callee.range,
                         fmt::format("the language has no '({0})'; a cast is '{0}(...)'", type));
            return {};
        }
    }
    if (const auto* member = std::get_if<ast::Member>(&callee.node);
        member && !symbol && syntax::isLength(member->name.text)) {
        core_.report(DiagId::OtherLanguage, callee.range,
                     fmt::format("the language has no '.{}()'; write 'len({})'", member->name.text,
                                 core_.text(module_[member->base].range)));
        return {};
    }
    bool isVariable = name && (locals_.find(name->text) || ports_.find(name->text));
    if (symbol || isVariable || !name) {
        core_.report(DiagId::NotAFunction, callee.range, core_.text(callee.range),
                     symbol       ? kindOf(*symbol)
                     : isVariable ? "a variable"
                                  : "an expression");
        return {};
    }
    core_.reportUnknownWith([&] { return hintFor(name->text); }, DiagId::UnknownFunction,
                            callee.range, name->text);
    return {};
}

std::string Calls::hintFor(const std::string& unknown) {
    if (unknown == "u" || unknown == "i") return "; name the type with 'type' to cast to it";
    const std::string native = syntax::nativeType(unknown);
    if (!native.empty()) return "; a cast is '" + native + "(...)'";
    return core_.importHint(scope_.module(), unknown, NameKind::Function,
                            core_.suggestion(scope_, unknown));
}

Operand Calls::cast(const ast::Call& node, TypeId type, SourceRange range) {
    if (core_.types().is<hir::StructType>(type)) return structLiteral(node, type, range);
    if (core_.types().isError(type)) return {};
    if (node.arguments.size() != 1 || node.arguments[0].name) {
        core_.report(DiagId::CallCount, range, core_.types().name(type), "1 value",
                     areGiven(node.arguments.size()));
        return {};
    }
    const std::size_t mark = uses_.named();
    Operand operand = expressions_.check(node.arguments[0].value);
    judgements_.stored(operand, type, mark);
    return conversions_.castTo(std::move(operand), type, range);
}

std::optional<std::vector<ast::ExprId>> Calls::orderArguments(const ast::Call& node,
                                                              const std::vector<std::string>& names,
                                                              std::string_view what,
                                                              SourceRange range) {
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
                core_.report(DiagId::CallName, argument.name->range, callee, what,
                             argument.name->text, Core::hintAmong(argument.name->text, names));
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

Operand Calls::structLiteral(const ast::Call& node, TypeId type, SourceRange range) {
    const hir::StructType structure = *core_.types().as<hir::StructType>(type);
    std::vector<std::string> names;
    for (const hir::StructMember& member : structure.members)
        names.push_back(member.name);
    auto ordered = orderArguments(node, names, "member", range);
    if (!ordered) {
        for (const ast::Argument& argument : node.arguments)
            expressions_.check(argument.value);
        return {};
    }
    ListBuilder list;
    for (std::size_t i = 0; i < names.size(); ++i) {
        Destination destination{structure.members[i].type,
                                fmt::format("member '{}' of '{}'", names[i], structure.name), true,
                                false};
        list.types.push_back(destination.type);
        Operand operand = expressions_.checkFor((*ordered)[i], destination);
        if (!conversions_.convert(operand, destination))
            list.failed = true;
        else
            list.add(std::move(operand));
    }
    if (names.size() == 1) list.types.push_back(list.types[0]);
    return lists_.finish(list, type, range);
}

Operand Calls::callFunction(Symbol& symbol, const ast::Call& node, SourceRange range) {
    symbol.used = true;
    const FunctionVersion* version = core_.function(symbol, range);
    if (!version) {
        for (const ast::Argument& argument : node.arguments)
            expressions_.check(argument.value);
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
            expressions_.check(argument.value);
        return {};
    }
    for (const FunctionVersion::Dependency& dependency : version->dependencies)
        uses_.touch(dependency.expr);
    std::vector<Operand> arguments;
    std::vector<Destination> destinations;
    bool ok = true, allConstant = true;
    for (std::size_t i = 0; i < names.size(); ++i) {
        destinations.push_back(
            {types[i], fmt::format("parameter '{}' of '{}'", names[i], symbol.name), false, false});
        Operand operand = expressions_.checkFor((*ordered)[i], destinations[i]);
        ok &= conversions_.convert(operand, destinations[i]);
        allConstant &= operand.isConstant();
        arguments.push_back(std::move(operand));
    }
    if (!ok) return {};
    if (allConstant && !version->folds && nesting_.constantOnly) {
        core_.report(callsForeign ? DiagId::ConstantExtern : DiagId::ConstantOutput, range);
        return {};
    }
    if (allConstant && version->folds) {
        bool isFolded = true;
        Operand result = foldCall(*version, arguments, range, isFolded);
        if (isFolded) return result;
    }
    for (const FunctionVersion::Dependency& dependency : version->dependencies)
        uses_.dependOn(dependency.expr);
    std::vector<hir::ExprId> ids;
    for (std::size_t i = 0; i < arguments.size(); ++i)
        ids.push_back(conversions_.store(std::move(arguments[i]), destinations[i]));
    build_.body().canTrace |= canTrace;
    build_.body().canFail |= canFail;
    build_.body().callsForeign |= callsForeign;
    Operand result = build_.valueOperand(build_.emit(operandType(core_.types(), given), range,
                                                     hir::CallExpr{version->id, std::move(ids)}),
                                         given, range);
    return given == resultType ? result : conversions_.castTo(std::move(result), resultType, range);
}

Operand Calls::foldCall(const FunctionVersion& version, const std::vector<Operand>& arguments,
                        SourceRange range, bool& folded) {
    TypeId type = core_.design.functions[version.id.index].result;
    Operand result = build_.constantOperand(hir::defaultValue(core_.types(), type), type, range);
    std::vector<Value> values;
    for (const Operand& argument : arguments) {
        merge(result, argument);
        values.push_back(argument.value());
    }
    result.perInstance |= !version.dependencies.empty();
    const bool isNeeded{nesting_.constantOnly};
    Evaluator evaluator(core_.design, core_.stepLimit(isNeeded));
    auto value = evaluator.call(version.id, std::move(values));
    if (value) {
        Operand exact = build_.constantOperand(std::move(*value), type, range);
        exact.perInstance = result.perInstance;
        exact.siteSafe = result.siteSafe;
        return exact;
    }
    core_.countFailure(evaluator.failure(), isNeeded);
    if (evaluator.failure() == Failure::TooManySteps && !isNeeded) {
        folded = false;  // it may well run for long where it is not needed as a constant
        return {};
    }
    if (nesting_.unevaluated) return result;
    core_.reportFailure(evaluator.failure(), range, evaluator.where());
    return {};
}

}  // namespace smec::sema
