#include <algorithm>

#include "sema/check/bodies.h"
#include "sema/check/constant_checker.h"

// A function is checked once for each set of values of the instance's constants it uses; most use
// none, so once.

namespace smec::sema {

namespace {

std::optional<TypedValue> valueAt(Core& core, ExprRef ref, const Scope& scope) {
    const auto* name = std::get_if<ast::Name>(&core.modules.expr(ref).node);
    Symbol* symbol = name ? scope.find(name->text) : nullptr;
    if (symbol && std::holds_alternative<ConstSymbol>(symbol->node)
        && core.constantSymbols.evaluate(*symbol))
        return std::get<ConstSymbol>(symbol->node).value;
    ConstantChecker checker(core, scope);
    Operand operand = checker.constant(ref.expr, "a constant");
    if (!operand.isConstant()) return std::nullopt;
    return TypedValue{operand.value(), operand.type};
}

}  // namespace

bool Functions::sameDependencies(const FunctionVersion& version, const Scope& scope) {
    return std::all_of(version.dependencies.begin(), version.dependencies.end(),
                       [&](const FunctionVersion::Dependency& dependency) {
                           std::optional<TypedValue> value = valueAt(core_, dependency.expr, scope);
                           return value && value->type == dependency.value.type
                                  && value->value == dependency.value.value;
                       });
}

std::unique_ptr<FunctionVersion> Functions::check(const FuncSymbol& symbol) {
    const Scope& scope = *symbol.scope;
    std::uint64_t errorsBefore = core_.reporter.errors();
    auto version = std::make_unique<FunctionVersion>();
    CheckedFunction checked = symbol.external
                                  ? sema::checkForeignFunction(core_, scope, *symbol.external)
                                  : sema::checkFunction(core_, scope, *symbol.decl);
    hir::Function& function = checked.function;
    version->result = checked.result;
    for (const ExprRef& ref : checked.dependencies)
        if (auto value = valueAt(core_, ref, scope))
            version->dependencies.push_back({ref, std::move(*value)});
    bool failed =
        core_.reporter.errors() != errorsBefore || function.result == hir::TypeTable::kError;
    if (failed) return version;
    version->folds = !function.body.canTrace && !function.body.callsForeign;
    version->id = hir::FunctionId{static_cast<std::uint32_t>(core_.design.functions.size())};
    core_.design.functions.push_back(std::move(function));
    return version;
}

const FunctionVersion* Functions::version(const Symbol& symbol, SourceRange use) {
    const FuncSymbol& node = std::get<FuncSymbol>(symbol.node);
    const void* decl = node.decl;
    if (node.external) decl = node.external;
    auto& versions = versions_[decl];
    for (const auto& version : versions)
        if (sameDependencies(*version, *node.scope))
            return version->id.index == UINT32_MAX ? nullptr : version.get();
    if (!busy_.insert(decl).second) {
        core_.reporter.report(DiagId::Recursion, use, symbol.name);
        return nullptr;
    }
    auto version = check(node);
    busy_.erase(decl);
    const FunctionVersion* result = version.get();
    // What failed quietly is checked again when somebody listens.
    if (core_.reporter.isQuiet() && result->id.index == UINT32_MAX) return nullptr;
    versions_[decl].push_back(std::move(version));
    return result->id.index == UINT32_MAX ? nullptr : result;
}

}  // namespace smec::sema
