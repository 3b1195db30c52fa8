#include "sema/check/function_calls.h"

#include <algorithm>
#include <fmt/format.h>

#include "sema/check/call_arguments.h"
#include "sema/check/expressions.h"
#include "sema/evaluate.h"
#include "sema/operand_types.h"

namespace smec::sema {

using hir::TypeId;
using hir::Value;

Operand FunctionCalls::call(Symbol& symbol, const ast::Call& node, SourceRange range) {
    symbol.used = true;
    const FunctionVersion* version = functions_.version(symbol, range);
    const auto ordered =
        version ? orderArguments(reporter_, module_, node, namesOf(*version), "argument", range)
                : std::nullopt;
    if (!ordered) {
        expressions_.checkAll(node.arguments);
        return {};
    }
    for (const FunctionVersion::Dependency& dependency : version->dependencies)
        uses_.touch(dependency.expr);
    const std::vector<Destination> parameters = parametersOf(*version, symbol.name);
    auto arguments = checkArguments(*ordered, parameters);
    if (!arguments) return {};
    const bool allConstant = std::ranges::all_of(*arguments, &Operand::isConstant);
    if (allConstant && !version->folds && nesting_.constantOnly) {
        const bool isForeign = design_.functions[version->id.index].body.callsForeign;
        reporter_.report(isForeign ? DiagId::ConstantExtern : DiagId::ConstantOutput, range);
        return {};
    }
    if (allConstant && version->folds) {
        bool isFolded = true;
        Operand result = fold(*version, *arguments, range, isFolded);
        if (isFolded) return result;
    }
    return emit(*version, std::move(*arguments), parameters, range);
}

std::vector<std::string> FunctionCalls::namesOf(const FunctionVersion& version) const {
    const hir::Function& function = design_.functions[version.id.index];
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < function.paramCount; ++i)
        names.push_back(function.body.vars[i].name);
    return names;
}

std::vector<Destination> FunctionCalls::parametersOf(const FunctionVersion& version,
                                                     std::string_view callee) const {
    const hir::Function& function = design_.functions[version.id.index];
    std::vector<Destination> parameters;
    for (std::uint32_t i = 0; i < function.paramCount; ++i) {
        const hir::Variable& var = function.body.vars[i];
        parameters.push_back(
            {var.type, fmt::format("parameter '{}' of '{}'", var.name, callee), false, false});
    }
    return parameters;
}

std::optional<std::vector<Operand>>
FunctionCalls::checkArguments(const std::vector<ast::ExprId>& ordered,
                              const std::vector<Destination>& parameters) {
    std::vector<Operand> arguments;
    bool ok = true;
    for (std::size_t i = 0; i < ordered.size(); ++i) {
        arguments.push_back(expressions_.checkFor(ordered[i], parameters[i]));
        ok &= conversions_.convert(arguments.back(), parameters[i]);
    }
    return ok ? std::optional(std::move(arguments)) : std::nullopt;
}

Operand FunctionCalls::emit(const FunctionVersion& version, std::vector<Operand> arguments,
                            const std::vector<Destination>& parameters, SourceRange range) {
    for (const FunctionVersion::Dependency& dependency : version.dependencies)
        uses_.dependOn(dependency.expr);
    std::vector<hir::ExprId> ids;
    for (std::size_t i = 0; i < arguments.size(); ++i)
        ids.push_back(conversions_.store(std::move(arguments[i]), parameters[i]));
    const hir::Function& function = design_.functions[version.id.index];
    hir::Body& body = build_.body();
    body.canTrace |= function.body.canTrace;
    body.canFail |= function.body.canFail;
    body.callsForeign |= function.body.callsForeign;
    const TypeId given = function.result;
    Operand result = build_.valueOperand(
        build_.emit(operandType(types_, given), range, hir::CallExpr{version.id, std::move(ids)}),
        given, range);
    if (given == version.result) return result;
    return conversions_.castTo(std::move(result), version.result, range);
}

Operand FunctionCalls::fold(const FunctionVersion& version, const std::vector<Operand>& arguments,
                            SourceRange range, bool& folded) {
    TypeId type = design_.functions[version.id.index].result;
    Operand result = build_.constantOperand(hir::defaultValue(types_, type), type, range);
    std::vector<Value> values;
    for (const Operand& argument : arguments) {
        merge(result, argument);
        values.push_back(argument.value());
    }
    result.perInstance |= !version.dependencies.empty();
    const bool isNeeded{nesting_.constantOnly};
    Evaluator evaluator(design_, steps_.limit(isNeeded));
    auto value = evaluator.call(version.id, std::move(values));
    if (value) {
        Operand exact = build_.constantOperand(std::move(*value), type, range);
        exact.perInstance = result.perInstance;
        exact.siteSafe = result.siteSafe;
        return exact;
    }
    steps_.count(evaluator.failure(), isNeeded);
    if (evaluator.failure() == Failure::TooManySteps && !isNeeded) {
        folded = false;  // it may well run for long where it is not needed as a constant
        return {};
    }
    if (nesting_.unevaluated) return result;
    reporter_.reportFailure(evaluator.failure(), range, evaluator.where());
    return {};
}

}  // namespace smec::sema
