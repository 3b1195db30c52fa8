#pragma once

#include <unordered_set>

#include "sema/reporter.h"

namespace smec::sema {

/// Warns of names that nothing uses.
class UnusedNames {
public:
    UnusedNames(Reporter& reporter, const ModuleScopes& modules)
        : reporter_(reporter), modules_(modules) {}

    /// Names that a process declares; once for each process.
    void warn(const ast::Module& module, const ast::ProcDecl& decl);
    /// Imports and names of networks, and those of module level if the module is the main one.
    void warn(ModuleId id, bool isMain);

private:
    Reporter& reporter_;
    const ModuleScopes& modules_;
    std::unordered_set<const ast::ProcDecl*> seen_;
};

}  // namespace smec::sema
