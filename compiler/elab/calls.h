#pragma once

#include <unordered_map>
#include <vector>

#include "elab/tree.h"

namespace smec::elab {

/// An instance declaration with its entity found and its arguments assigned to parameters; the same
/// for all its instances.
struct Call {
    Entity* entity = nullptr;        ///< null after an error
    std::vector<ast::ExprId> ports;  ///< parallel to Entity::ports
    std::vector<ast::ExprId>
        constants;  ///< parallel to Entity::constants; invalid where the default is taken
};

/// Looks up entities and assigns arguments, once per instance declaration.
class Calls {
public:
    explicit Calls(Tree& tree) : tree_(tree) {}
    const Call& of(const ast::InstanceDecl& decl, sema::ModuleId module);

private:
    Entity* find(const ast::InstanceDecl& decl, sema::ModuleId module);
    Entity* unknown(SourceRange range, std::string_view name, const sema::Scope& scope);
    bool assign(const ast::InstanceDecl& decl, sema::ModuleId module, Call& call);
    bool checkMissing(const ast::InstanceDecl& decl, const Call& call);

    Tree& tree_;
    std::unordered_map<const ast::InstanceDecl*, Call> calls_;
};

}  // namespace smec::elab
