#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "sema/context.h"

namespace smec::sema {

/// The modules of a program, and the scope of each.
class ModuleScopes {
public:
    explicit ModuleScopes(const Program& program);

    const Program& program() const { return program_; }
    const Program::Entry& entry(ModuleId id) const { return program_.modules[id.index]; }
    const ast::Module& module(ModuleId id) const { return entry(id).ast; }
    const ast::Expr& expr(ExprRef ref) const { return module(ref.module)[ref.expr]; }
    Scope& scope(ModuleId id) const { return *scopes_[id.index]; }
    /// A name declared in the module itself, not one it imports.
    Symbol* exported(ModuleId id, std::string_view name) const;
    /// The declaration of a module in which a place is; null outside of all.
    const ast::Decl* declarationAt(SourceRange place) const;

private:
    const Program& program_;
    std::vector<std::unique_ptr<Scope>> scopes_;
};

}  // namespace smec::sema
