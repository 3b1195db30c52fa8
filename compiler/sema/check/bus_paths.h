#pragma once

#include "sema/check/context.h"

namespace smec::sema {

class Names;
class Selections;

/// Paths that leave the process (`a.ping.v`, `w[3].status.n`), which elab resolves.
class BusPaths {
public:
    BusPaths(const CheckContext& in, Names& names, Selections& selections)
        : reporter_(in.core.reporter),
          typeSymbols_(in.core.typeSymbols),
          scope_(in.scope),
          module_(in.module),
          mode_(in.mode),
          paths_(in.paths),
          ports_(in.ports),
          locals_(in.locals),
          names_(names),
          selections_(selections) {}

    bool startsOutside(ast::ExprId id);
    /// The bus at the start of a path that leaves the process; the nodes after it go to `rest`, the
    /// last one first.
    Operand busPath(ast::ExprId id, std::vector<ast::ExprId>& rest);
    Operand pathOperand(ast::ExprId id);
    Operand referenceTo(ast::ExprId id, const ResolvedPath& path);

private:
    const ast::Name* rootOf(ast::ExprId id) const;
    std::vector<ast::ExprId> chainOf(ast::ExprId id) const;
    void reportNoBus(const std::vector<ast::ExprId>& chain, const Symbol* symbol);

    Reporter& reporter_;
    TypeSymbols& typeSymbols_;
    const Scope& scope_;
    const ast::Module& module_;
    const CheckMode mode_;
    PathResolver* paths_;
    Ports& ports_;
    Locals& locals_;
    Names& names_;
    Selections& selections_;
};

}  // namespace smec::sema
