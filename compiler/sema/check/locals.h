#pragma once

#include <set>
#include <unordered_map>

#include "sema/check/body_builder.h"

namespace smec::sema {

/// A parameter of a function, a variable of a block or of a loop.
struct Local {
    std::string name;
    hir::VarId var;
    SourceRange range;
    bool used = false;
    bool isLoop = false;
};

/// The names that a body declares itself, by level.
class Locals {
public:
    Locals(Core& core, BodyBuilder& build) : reporter_(core.reporter), build_(build) {}

    /// The innermost of this name; null when there is none.
    Local* find(std::string_view name);
    const std::vector<Local>& all() const { return locals_; }
    /// Adds a variable to the body; reports one of the same name on the same level.
    hir::VarId declare(const ast::Identifier& name, hir::TypeId type, hir::VarKind kind);
    void open() { levels_.push_back(locals_.size()); }
    /// Forgets the names of the innermost level. With the outermost those that nobody used are
    /// reported.
    void close();
    /// Somebody meant a variable of this name where it is not known: that is told, and not that
    /// nobody uses it. False when that happened before.
    bool miss(std::string_view name) { return missed_.emplace(name).second; }

private:
    Reporter& reporter_;
    BodyBuilder& build_;
    std::vector<Local> locals_;  ///< innermost last
    std::vector<std::size_t> levels_;
    std::unordered_map<std::string, std::vector<std::size_t>>
        byName_;  ///< in locals_, innermost last
    std::vector<Local> unused_;
    std::set<std::string, std::less<>> missed_;
};

}  // namespace smec::sema
