#include "sema/core.h"

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
    if (const auto* node = std::get_if<ast::ConstDecl>(&decl.node)) {
        if (Symbol* symbol = symbolOf(node->name)) core.constantSymbols.evaluate(*symbol);
    } else if (const auto* type = std::get_if<ast::TypeDecl>(&decl.node)) {
        if (Symbol* symbol = symbolOf(type->name)) core.typeSymbols.resolve(*symbol);
    } else if (const auto* enumeration = std::get_if<ast::EnumDecl>(&decl.node)) {
        if (Symbol* symbol = symbolOf(enumeration->name)) core.typeSymbols.resolve(*symbol);
    } else if (const auto* func = std::get_if<ast::FuncDecl>(&decl.node)) {
        if (Symbol* symbol = symbolOf(func->name))
            core.functions.version(*symbol, func->name.range);
    } else if (const auto* external = std::get_if<ast::ExternFunc>(&decl.node)) {
        if (Symbol* symbol = symbolOf(external->name))
            core.functions.version(*symbol, external->name.range);
    }
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
