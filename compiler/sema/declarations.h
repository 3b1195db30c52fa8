#pragma once

#include "sema/hints.h"

namespace smec::sema {

/// Puts declarations and imports into scopes, and reports reserved names and duplicates.
class Declarations {
public:
    Declarations(Reporter& reporter, const ModuleScopes& modules, Hints& hints,
                 hir::TypeTable& types)
        : reporter_(reporter), modules_(modules), hints_(hints), types_(types) {}

    /// First every module's own declarations, then the names it imports, so that modules may be
    /// listed in any order.
    void declareModules();
    void declare(Scope& scope, const std::vector<ast::Decl>& decls);
    Symbol* add(Scope& scope, Symbol symbol);

private:
    void importInto(ModuleId module);
    void importNames(Scope& scope, const ast::Import& import, ModuleId from);

    Reporter& reporter_;
    const ModuleScopes& modules_;
    Hints& hints_;
    hir::TypeTable& types_;
};

}  // namespace smec::sema
