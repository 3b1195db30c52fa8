#include "sema/core.h"

#include "source/overloaded.h"

namespace smec::sema {

Core::Core(const Program& program, const SourceManager& sources, Diagnostics& diagnostics,
           hir::Design& designOf, const Rules& rulesOf, const Limits& limitsOf)
    : design(designOf),
      rules(rulesOf),
      limits(limitsOf),
      modules(program),
      reporter(modules, sources, diagnostics, limits),
      hints(reporter, modules),
      declarations(reporter, modules, hints, designOf.types),
      constantSymbols(*this),
      typeSymbols(*this),
      busTypes(*this),
      functions(*this),
      pool(designOf),
      steps(limits.steps),
      unused(reporter, modules) {}

namespace {

void checkDeclaration(Core& core, const Scope& scope, const ast::Decl& decl) {
    auto symbolOf = [&](const ast::Identifier& name) {
        Symbol* symbol = scope.findHere(name.text);
        return symbol && symbol->range == name.range ? symbol : nullptr;
    };
    const auto resolve = [&](const auto& node) {
        if (Symbol* symbol = symbolOf(node.name)) core.typeSymbols.resolve(*symbol);
    };
    const auto check = [&](const auto& node) {
        if (Symbol* symbol = symbolOf(node.name)) core.functions.version(*symbol, node.name.range);
    };
    smec::visit(
        Overloaded{[&](const ast::ConstDecl& node) {
                       if (Symbol* symbol = symbolOf(node.name))
                           core.constantSymbols.evaluate(*symbol);
                   },
                   [&](const AnyOf<ast::TypeDecl, ast::EnumDecl> auto& node) { resolve(node); },
                   [&](const AnyOf<ast::FuncDecl, ast::ExternFunc> auto& node) { check(node); },
                   [](const AnyOf<ast::Import, ast::VarDecl, ast::BusDecl, ast::InstanceDecl,
                                  ast::GenerateFor, ast::GenerateIf, ast::ProcDecl,
                                  ast::NetworkDecl> auto&) {}},
        decl.node);
}

}  // namespace

void checkDeclarations(Core& core, const Scope& scope, const std::vector<ast::Decl>& decls) {
    for (const ast::Decl& decl : decls)
        checkDeclaration(core, scope, decl);
}

void checkModules(Core& core) {
    core.declarations.declareModules();
    for (std::uint32_t i = 0; i < core.modules.program().modules.size(); ++i)
        checkDeclarations(core, core.modules.scope({i}), core.modules.module({i}).decls);
}

}  // namespace smec::sema
