#include "elab/const_arguments.h"

#include <algorithm>

#include "elab/scopes.h"

namespace smec::elab {

namespace {

std::string describe(const Entity& entity, const ConstParam& param) {
    return fmt::format("parameter '{}' of '{}'", param.ast->name.text, entity.name);
}

}  // namespace

void ConstArguments::resolve(const Entity& entity, ConstParam& param) {
    if (param.resolved) return;
    param.resolved = true;
    const sema::Scope& scope = tree_.context.moduleScope(entity.module);
    if (param.ast->type) {
        param.type = tree_.context.resolveType(*param.ast->type, scope);
        param.failed = tree_.design.types.isError(param.type);
    }
    if (!param.ast->defaultValue.valid() || param.failed) return;
    const sema::ExprRef value{entity.module, param.ast->defaultValue};
    if (!param.ast->type) {
        param.fallback = tree_.context.constant(value, scope);
    } else if (auto converted =
                   tree_.context.constantFor(value, scope, param.type, describe(entity, param))) {
        param.fallback = sema::TypedValue{std::move(*converted), param.type};
    }
}

std::optional<sema::TypedValue> ConstArguments::valueOf(const Entity& entity, ConstParam& param,
                                                        ast::ExprId argument,
                                                        const sema::Scope* outer,
                                                        const sema::Scope* inner) {
    hir::TypeId type;
    if (!param.depends) {
        resolve(entity, param);
        if (param.failed) return std::nullopt;
        if (!argument.valid()) return param.fallback;
        type = param.type;
    } else if (param.ast->type) {
        type = tree_.context.resolveType(*param.ast->type, *inner);
        if (tree_.design.types.isError(type)) return std::nullopt;
    }
    const bool isDefault = !argument.valid();
    const sema::Scope& scope = isDefault ? *inner : *outer;
    const sema::ExprRef expr{scope.module(), isDefault ? param.ast->defaultValue : argument};
    if (!param.ast->type) return tree_.context.constant(expr, scope);
    auto value = tree_.context.constantFor(expr, scope, type, describe(entity, param));
    if (!value) return std::nullopt;
    return sema::TypedValue{std::move(*value), type};
}

Outcome ConstArguments::evaluate(NodeId id) {
    Entity& entity = const_cast<Entity&>(*tree_.nodes[id].entity);
    const ast::InstanceDecl* decl = tree_.nodes[id].decl;
    Frame& frame = *tree_.frameOf(tree_.nodes[id].parent);
    const Call& call = calls_.of(*decl, tree_.moduleOf(frame));
    const bool needsInner = std::ranges::any_of(entity.constants, &ConstParam::depends);
    std::unique_ptr<sema::Scope> inner;
    if (needsInner) inner = makeScope(tree_, id);
    const sema::Scope* outer =
        entity.constants.empty() ? nullptr : &rounds_.enter({frame, tree_.nodes[id].iteration});
    std::vector<std::uint64_t> tuple;
    bool isGood = true;
    for (std::size_t i = 0; i < entity.constants.size(); ++i) {
        ConstParam& param = entity.constants[i];
        const auto value = valueOf(entity, param, call.constants[i], outer, inner.get());
        if (inner) {
            addSymbol(tree_, *inner, param.ast->name, value ? valueSymbol(*value) : failedSymbol());
        }
        isGood = isGood && value;
        if (value) tuple.push_back(tree_.packed(value->value, value->type));
    }
    if (!isGood) return kStageFailed;
    tree_.nodes[id].constants = tree_.constantTuples.intern(tuple);
    return {};
}

}  // namespace smec::elab
