#include "elab/calls.h"

#include <algorithm>

namespace smec::elab {

const Call& Calls::of(const ast::InstanceDecl& decl, sema::ModuleId module) {
    const auto [at, isNew] = calls_.try_emplace(&decl);
    Call& call = at->second;
    if (!isNew) return call;
    Entity* entity = find(decl, module);
    if (!entity) return call;
    call.entity = entity;
    if (!assign(decl, module, call)) call.entity = nullptr;
    return call;
}

Entity* Calls::unknown(SourceRange range, std::string_view name, const sema::Scope& scope) {
    if (!tree_.context.isNews(range, name)) return nullptr;
    std::vector<std::string> candidates;
    const bool isWorthIt = mayAdvise(tree_);
    for (std::string& visible : isWorthIt ? scope.visibleNames() : std::vector<std::string>{}) {
        const sema::Symbol* symbol = scope.find(visible);
        if (std::holds_alternative<sema::EntitySymbol>(symbol->node))
            candidates.push_back(std::move(visible));
    }
    tree_.diagnostics.report(
        DiagId::UnknownEntity, range, name,
        tree_.context.importHint(scope.module(), name, suggestion(name, candidates)));
    return nullptr;
}

/// Entities are declared in modules only: an instance or bus of the same name does not hide them.
Entity* Calls::find(const ast::InstanceDecl& decl, sema::ModuleId module) {
    const ast::Expr& expr = tree_.expr({module, decl.entity});
    const sema::Scope* scope = &tree_.context.moduleScope(module);
    std::string_view name;
    if (const auto* simple = std::get_if<ast::Name>(&expr.node)) {
        name = simple->text;
    } else if (const auto* member = std::get_if<ast::Member>(&expr.node)) {
        const auto* alias = std::get_if<ast::Name>(&tree_.expr({module, member->base}).node);
        const sema::Symbol* symbol = alias ? scope->find(alias->text) : nullptr;
        if (!symbol || !std::holds_alternative<sema::ModuleSymbol>(symbol->node)) {
            tree_.diagnostics.report(DiagId::UnknownEntity, expr.range,
                                     alias ? std::string_view(alias->text) : "?", "");
            return nullptr;
        }
        symbol->used = true;
        if (sema::isUnimported(*symbol)) return nullptr;
        scope = &tree_.context.moduleScope(std::get<sema::ModuleSymbol>(symbol->node).module);
        name = member->name.text;
    }
    const sema::Symbol* symbol = scope->findHere(name);
    if (!symbol) return unknown(expr.range, name, *scope);
    symbol->used = true;
    if (sema::isUnimported(*symbol)) return nullptr;
    if (const auto* entity = std::get_if<sema::EntitySymbol>(&symbol->node))
        return &tree_.entities.of(*entity);
    const bool isModule = std::holds_alternative<sema::ModuleSymbol>(symbol->node);
    const std::string hint = isModule ? tree_.context.importHint(module, name, {}) : "";
    tree_.diagnostics
        .report(DiagId::NotAnEntity, expr.range, name,
                hint.empty() ? "only these can be instantiated" : hint.substr(2))
        .note(DiagId::DeclaredHere, symbol->range, name);
    return nullptr;
}

bool Calls::assign(const ast::InstanceDecl& decl, sema::ModuleId module, Call& call) {
    const Entity& entity = *call.entity;
    call.ports.resize(entity.ports.size());
    call.constants.resize(entity.constants.size());
    std::vector<ast::ExprId*> slots;
    std::vector<std::string> names;
    std::size_t port = 0;
    std::size_t constant = 0;
    for (const ast::Param& param : *entity.params) {
        slots.push_back(param.kind == ast::ParamKind::Const ? &call.constants[constant++]
                                                            : &call.ports[port++]);
        names.push_back(param.name.text);
    }
    bool good = true;
    std::size_t position = 0;
    bool isNamed = false;
    for (const ast::Argument& argument : decl.arguments) {
        if (argument.name) {
            isNamed = true;
            continue;
        }
        if (isNamed && good) {
            tree_.diagnostics.report(DiagId::CallPositional,
                                     tree_.module(module)[argument.value].range);
            good = false;
        }
        if (position < slots.size()) *slots[position] = argument.value;
        ++position;
    }
    if (!good) return false;
    if (position > slots.size()) {
        tree_.diagnostics
            .report(DiagId::TooManyArguments, decl.name.range, entity.name,
                    counted(slots.size(), "argument"), counted(position, "argument"))
            .note(DiagId::DeclaredHere, entity.range, entity.name);
        good = false;
    }
    for (const ast::Argument& argument : decl.arguments) {
        if (!argument.name) continue;
        const auto found = std::find(names.begin(), names.end(), argument.name->text);
        if (found == names.end()) {
            tree_.diagnostics.report(DiagId::UnknownParameter, argument.name->range, entity.name,
                                     argument.name->text, suggestion(argument.name->text, names));
            good = false;
            continue;
        }
        ast::ExprId& slot = *slots[static_cast<std::size_t>(found - names.begin())];
        if (slot.valid()) {
            tree_.diagnostics.report(DiagId::ArgumentTwice, argument.name->range,
                                     argument.name->text, entity.name);
            good = false;
        }
        slot = argument.value;
    }
    if (good) checkMissing(decl, call, good);
    return good;
}

void Calls::checkMissing(const ast::InstanceDecl& decl, Call& call, bool& good) {
    const Entity& entity = *call.entity;
    const auto report = [&](const ast::Param& param) {
        tree_.diagnostics
            .report(DiagId::MissingArgument, decl.name.range, entity.name, param.name.text)
            .note(DiagId::DeclaredHere, param.name.range, param.name.text);
        good = false;
    };
    for (std::size_t i = 0; i < entity.ports.size(); ++i) {
        if (!call.ports[i].valid()) report(*entity.ports[i].ast);
    }
    for (std::size_t i = 0; i < entity.constants.size(); ++i) {
        const ast::Param& param = *entity.constants[i].ast;
        if (!call.constants[i].valid() && !param.defaultValue.valid()) report(param);
    }
}

}  // namespace smec::elab
