#include "sema/check/constant_checker.h"
#include "sema/core.h"

// Scopes of modules: first every module's own declarations, then the names it imports, so that
// modules may be listed in any order.

namespace smec::sema {

namespace {

/// Words a declaration cannot take: types, and names with two underscores in a row.
std::optional<std::string> whyReserved(hir::TypeTable& types, std::string_view name) {
    bool isReserved = false;
    builtinType(types, name, isReserved);
    if (isReserved) return "; it is the name of a type";
    if (name.find("__") != std::string_view::npos) return "; names do not contain '__'";
    return std::nullopt;
}

}  // namespace

Symbol* Core::add(Scope& scope, Symbol symbol) {
    if (auto why = whyReserved(types(), symbol.name))
        report(DiagId::ReservedName, symbol.range, symbol.name, *why);
    SourceRange range = symbol.range;
    Symbol* existing = nullptr;
    Symbol* added = scope.add(std::move(symbol), &existing);
    if (existing && existing->range != range)
        report(DiagId::DuplicateName, range, existing->name)
            .note(DiagId::FirstDeclared, existing->range, existing->name);
    return added;
}

namespace {

struct Declarer {
    Core& core;
    Scope& scope;

    void put(const ast::Identifier& name, decltype(Symbol::node) node) const {
        core.add(scope, Symbol{name.text, name.range, false, std::move(node)});
    }
    void operator()(const ast::ConstDecl& decl) const {
        ConstSymbol symbol;
        symbol.decl = &decl;
        symbol.scope = &scope;
        put(decl.name, std::move(symbol));
    }
    void operator()(const ast::EnumDecl& decl) const {
        TypeSymbol symbol;
        symbol.enumDecl = &decl;
        symbol.scope = &scope;
        put(decl.name, std::move(symbol));
    }
    void operator()(const ast::TypeDecl& decl) const {
        TypeSymbol symbol;
        symbol.decl = &decl;
        symbol.scope = &scope;
        put(decl.name, std::move(symbol));
    }
    void operator()(const ast::FuncDecl& decl) const {
        put(decl.name, FuncSymbol{&decl, nullptr, &scope});
    }
    void operator()(const ast::ExternFunc& decl) const {
        put(decl.name, FuncSymbol{nullptr, &decl, &scope});
    }
    void operator()(const ast::ProcDecl& decl) const {
        put(decl.name, EntitySymbol{&decl, nullptr, scope.module()});
    }
    void operator()(const ast::NetworkDecl& decl) const {
        put(decl.name, EntitySymbol{nullptr, &decl, scope.module()});
    }
    void operator()(const ast::Import&) const {}
    void operator()(const ast::BusDecl&) const {}
    void operator()(const ast::VarDecl& decl) const { put(decl.name, VarSymbol{&decl, {}}); }
    void operator()(const ast::InstanceDecl&) const {}
    void operator()(const ast::GenerateFor&) const {}
    void operator()(const ast::GenerateIf&) const {}
};

std::string pathText(const std::vector<ast::Identifier>& path) {
    std::string text;
    for (const ast::Identifier& part : path)
        text += (text.empty() ? "" : ".") + part.text;
    return text;
}

}  // namespace

void Core::declare(Scope& scope, const std::vector<ast::Decl>& decls) {
    for (const ast::Decl& decl : decls)
        std::visit(Declarer{*this, scope}, decl.node);
}

void Core::buildScopes() {
    for (std::size_t i = 0; i < program.modules.size(); ++i)
        moduleScopes_.push_back(
            std::make_unique<Scope>(nullptr, ModuleId{static_cast<std::uint32_t>(i)}));
}

void Core::checkModules() {
    for (std::size_t i = 0; i < program.modules.size(); ++i)
        declare(*moduleScopes_[i], program.modules[i].ast.decls);
    for (std::size_t i = 0; i < program.modules.size(); ++i)
        importInto(i);
    for (std::size_t i = 0; i < program.modules.size(); ++i)
        checkDeclarations(*moduleScopes_[i], program.modules[i].ast.decls);
}

Symbol* Core::exported(ModuleId id, std::string_view name) const {
    Symbol* symbol = moduleScopes_[id.index]->findHere(name);
    bool isOwn = symbol && symbol->range.file == module(id).file
                 && !std::holds_alternative<ModuleSymbol>(symbol->node);
    return isOwn ? symbol : nullptr;
}

void Core::importNames(Scope& scope, const ast::Import& import, ModuleId from) {
    for (const ast::Identifier& name : import.names) {
        Symbol* symbol = exported(from, name.text);
        if (!symbol) {
            report(DiagId::UnknownImport, name.range, pathText(import.path), name.text,
                   suggestion(*moduleScopes_[from.index], name.text));
            scope.add(Symbol{name.text, name.range, true, ModuleSymbol{}});
        } else if (!scope.share(*symbol)) {
            Symbol* existing = scope.findHere(name.text);
            report(DiagId::DuplicateName, name.range, name.text)
                .note(DiagId::FirstDeclared, existing->range, name.text);
        }
    }
}

void Core::importInto(std::size_t number) {
    const Program::Entry& entry = program.modules[number];
    Scope& scope = *moduleScopes_[number];
    std::size_t next = 0;
    for (const ast::Decl& decl : entry.ast.decls) {
        const ast::Import* import = std::get_if<ast::Import>(&decl.node);
        if (!import) continue;
        ModuleId from = next < entry.imports.size() ? entry.imports[next] : ModuleId{};
        ++next;
        if (!import->names.empty()) {
            if (from.valid()) importNames(scope, *import, from);
            continue;
        }
        const ast::Identifier& name = import->alias ? *import->alias : import->path.back();
        add(scope, Symbol{name.text, name.range, false, ModuleSymbol{from}});
    }
}

void Core::checkDeclaration(const Scope& scope, const ast::Decl& decl) {
    auto symbolOf = [&](const ast::Identifier& name) {
        Symbol* symbol = scope.findHere(name.text);
        return symbol && symbol->range == name.range ? symbol : nullptr;
    };
    if (const auto* node = std::get_if<ast::ConstDecl>(&decl.node)) {
        if (Symbol* symbol = symbolOf(node->name)) evaluate(*symbol);
    } else if (const auto* type = std::get_if<ast::TypeDecl>(&decl.node)) {
        if (Symbol* symbol = symbolOf(type->name)) resolve(*symbol);
    } else if (const auto* enumeration = std::get_if<ast::EnumDecl>(&decl.node)) {
        if (Symbol* symbol = symbolOf(enumeration->name)) resolve(*symbol);
    } else if (const auto* func = std::get_if<ast::FuncDecl>(&decl.node)) {
        if (Symbol* symbol = symbolOf(func->name)) function(*symbol, func->name.range);
    } else if (const auto* external = std::get_if<ast::ExternFunc>(&decl.node)) {
        if (Symbol* symbol = symbolOf(external->name)) function(*symbol, external->name.range);
    }
}

void Core::checkDeclarations(const Scope& scope, const std::vector<ast::Decl>& decls) {
    for (const ast::Decl& decl : decls)
        checkDeclaration(scope, decl);
}

std::vector<Core::EnumHit> Core::enumMembers(const Scope& from, std::string_view name) {
    std::vector<EnumHit> hits;
    for (const Scope* scope = &from; scope; scope = scope->parent()) {
        for (Symbol* symbol : scope->enums()) {
            if (from.find(symbol->name) != symbol || !resolve(*symbol)) continue;
            hir::TypeId type = std::get<TypeSymbol>(symbol->node).type;
            const hir::EnumType* enumeration = types().as<hir::EnumType>(type);
            if (!enumeration) continue;
            for (const hir::EnumMember& member : enumeration->members)
                if (member.name == name) hits.push_back({symbol, &member, type});
        }
    }
    return hits;
}

std::vector<std::string> Core::memberNames(const Scope& from) {
    std::vector<std::string> names;
    for (const Scope* scope = &from; scope; scope = scope->parent())
        for (const Symbol* symbol : scope->enums())
            for (const ast::EnumMember& member :
                 std::get<TypeSymbol>(symbol->node).enumDecl->members)
                names.push_back(member.name.text);
    return names;
}

}  // namespace smec::sema
