#include "sema/declarations.h"

#include "sema/core.h"
#include "source/overloaded.h"

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

Symbol* Declarations::add(Scope& scope, Symbol symbol) {
    if (auto why = whyReserved(types_, symbol.name))
        reporter_.report(DiagId::ReservedName, symbol.range, symbol.name, *why);
    SourceRange range = symbol.range;
    Symbol* existing = nullptr;
    Symbol* added = scope.add(std::move(symbol), &existing);
    if (existing && existing->range != range)
        reporter_.report(DiagId::DuplicateName, range, existing->name)
            .note(DiagId::FirstDeclared, existing->range, existing->name);
    return added;
}

namespace {

struct Declarer {
    Declarations& declarations;
    Scope& scope;

    void put(const ast::Identifier& name, decltype(Symbol::node) node) const {
        declarations.add(scope, Symbol{name.text, name.range, false, std::move(node)});
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
    void operator()(const ast::VarDecl& decl) const { put(decl.name, VarSymbol{&decl, {}}); }
    void operator()(const AnyOf<ast::Import, ast::BusDecl, ast::InstanceDecl, ast::GenerateFor,
                                ast::GenerateIf> auto&) const {}
};

std::string pathText(const std::vector<ast::Identifier>& path) {
    std::string text;
    for (const ast::Identifier& part : path)
        text += (text.empty() ? "" : ".") + part.text;
    return text;
}

}  // namespace

void Declarations::declare(Scope& scope, const std::vector<ast::Decl>& decls) {
    for (const ast::Decl& decl : decls)
        smec::visit(Declarer{*this, scope}, decl.node);
}

void Declarations::declareModules() {
    const auto count = static_cast<std::uint32_t>(modules_.program().modules.size());
    for (std::uint32_t i = 0; i < count; ++i)
        declare(modules_.scope({i}), modules_.module({i}).decls);
    for (std::uint32_t i = 0; i < count; ++i)
        importInto({i});
}

void Declarations::importNames(Scope& scope, const ast::Import& import, ModuleId from) {
    for (const ast::Identifier& name : import.names) {
        Symbol* symbol = modules_.exported(from, name.text);
        if (!symbol) {
            reporter_.report(DiagId::UnknownImport, name.range, pathText(import.path), name.text,
                             hints_.suggestion(modules_.scope(from), name.text));
            scope.add(Symbol{name.text, name.range, true, ModuleSymbol{}});
        } else if (!scope.share(*symbol)) {
            Symbol* existing = scope.findHere(name.text);
            reporter_.report(DiagId::DuplicateName, name.range, name.text)
                .note(DiagId::FirstDeclared, existing->range, name.text);
        }
    }
}

void Declarations::importInto(ModuleId module) {
    const Program::Entry& entry = modules_.entry(module);
    Scope& scope = modules_.scope(module);
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

}  // namespace smec::sema
