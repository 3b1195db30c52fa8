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

namespace {

/// A parameter and where its argument goes.
struct Slot {
    const std::string* name;
    ast::ExprId* argument;
};

std::vector<Slot> slotsOf(Call& call) {
    std::vector<Slot> slots;
    std::size_t port = 0;
    std::size_t constant = 0;
    for (const ast::Param& param : *call.entity->params) {
        const bool isConst = param.kind == ast::ParamKind::Const;
        slots.push_back(
            {&param.name.text, isConst ? &call.constants[constant++] : &call.ports[port++]});
    }
    return slots;
}

/// The first argument by position after one by name; null when there is none.
const ast::Argument* misplaced(const std::vector<ast::Argument>& arguments) {
    const auto isNamed = [](const ast::Argument& argument) { return argument.name.has_value(); };
    const auto firstNamed = std::ranges::find_if(arguments, isNamed);
    const auto found = std::find_if_not(firstNamed, arguments.end(), isNamed);
    return found == arguments.end() ? nullptr : &*found;
}

bool assignByPosition(Tree& tree, const ast::InstanceDecl& decl, const Entity& entity,
                      const std::vector<Slot>& slots) {
    std::size_t count = 0;
    for (const ast::Argument& argument : decl.arguments) {
        if (argument.name) break;
        if (count < slots.size()) *slots[count].argument = argument.value;
        ++count;
    }
    if (count <= slots.size()) return true;
    tree.diagnostics
        .report(DiagId::TooManyArguments, decl.name.range, entity.name,
                counted(slots.size(), "argument"), counted(count, "argument"))
        .note(DiagId::DeclaredHere, entity.range, entity.name);
    return false;
}

bool assignByName(Tree& tree, const ast::Argument& argument, const Entity& entity,
                  const std::vector<Slot>& slots) {
    const ast::Identifier& name = *argument.name;
    const auto slot = std::ranges::find_if(
        slots, [&](const Slot& candidate) { return *candidate.name == name.text; });
    if (slot == slots.end()) {
        std::vector<std::string> names;
        for (const Slot& candidate : slots)
            names.push_back(*candidate.name);
        tree.diagnostics.report(DiagId::UnknownParameter, name.range, entity.name, name.text,
                                suggestion(name.text, names));
        return false;
    }
    const bool isTwice = slot->argument->valid();
    if (isTwice) tree.diagnostics.report(DiagId::ArgumentTwice, name.range, name.text, entity.name);
    *slot->argument = argument.value;
    return !isTwice;
}

}  // namespace

bool Calls::assign(const ast::InstanceDecl& decl, sema::ModuleId module, Call& call) {
    const Entity& entity = *call.entity;
    call.ports.resize(entity.ports.size());
    call.constants.resize(entity.constants.size());
    if (const ast::Argument* argument = misplaced(decl.arguments)) {
        tree_.diagnostics.report(DiagId::CallPositional,
                                 tree_.module(module)[argument->value].range);
        return false;
    }
    const std::vector<Slot> slots = slotsOf(call);
    bool isGood = assignByPosition(tree_, decl, entity, slots);
    for (const ast::Argument& argument : decl.arguments) {
        if (argument.name && !assignByName(tree_, argument, entity, slots)) isGood = false;
    }
    return isGood && checkMissing(decl, call);
}

bool Calls::checkMissing(const ast::InstanceDecl& decl, const Call& call) {
    const Entity& entity = *call.entity;
    bool isGood = true;
    const auto report = [&](const ast::Param& param) {
        tree_.diagnostics
            .report(DiagId::MissingArgument, decl.name.range, entity.name, param.name.text)
            .note(DiagId::DeclaredHere, param.name.range, param.name.text);
        isGood = false;
    };
    for (std::size_t i = 0; i < entity.ports.size(); ++i) {
        if (!call.ports[i].valid()) report(*entity.ports[i].ast);
    }
    for (std::size_t i = 0; i < entity.constants.size(); ++i) {
        const ast::Param& param = *entity.constants[i].ast;
        if (!call.constants[i].valid() && !param.defaultValue.valid()) report(param);
    }
    return isGood;
}

}  // namespace smec::elab
