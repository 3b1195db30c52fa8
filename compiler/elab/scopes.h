#pragma once

#include <memory>

#include "elab/tree.h"

namespace smec::elab {

class StructurePaths;

/// A scope for the inside of an instance: its ports, its const parameters as far as they have
/// values, its constants, types and functions. No buses and instances yet.
std::unique_ptr<sema::Scope> makeScope(Tree& tree, NodeId node);
/// The same, with the answers for paths in its constant expressions given.
std::unique_ptr<sema::Scope> makeScope(Tree& tree, NodeId node,
                                       std::unique_ptr<sema::PathResolver> paths);

/// Writes into the port symbols of `scope` what is connected to them.
void updatePorts(Tree& tree, NodeId node, sema::Scope& scope);
/// Adds the buses and instances of an opened instance.
void addBuses(Tree& tree, NodeId node, sema::Scope& scope);
void addInstances(Tree& tree, NodeId node, sema::Scope& scope);

/// Adds a symbol; where the name is taken and the duplicate was reported, nothing changes and the
/// answer is null.
sema::Symbol* addSymbol(Tree& tree, sema::Scope& scope, const ast::Identifier& name,
                        decltype(sema::Symbol::node) node);
/// The value of a generate index: unsized, counting by value.
sema::TypedValue indexValue(std::int64_t value);
/// A const parameter or the index of a generate.
sema::ConstSymbol valueSymbol(sema::TypedValue value);
/// A symbol whose declaration failed: uses of it are silent.
sema::ConstSymbol failedSymbol();

/// Scopes of instances of processes without an inside, one per process, set to one instance after
/// the other. A process that declares types or functions gets a new scope for each instance.
class LeafScopes {
public:
    explicit LeafScopes(Tree& tree) : tree_(tree) {}
    sema::Scope& at(NodeId node);

private:
    struct Shared {
        std::unique_ptr<sema::Scope> scope;
        StructurePaths* paths = nullptr;       ///< of `scope`
        std::vector<sema::Symbol*> params;     ///< parallel to Entity::constants
        std::vector<sema::Symbol*> constants;  ///< declared ones
        std::vector<sema::Symbol*> buses;      ///< parallel to Entity::buses
        std::uint32_t ports = kNone;
    };
    void create(Shared& shared, NodeId node);
    void set(Shared& shared, NodeId node);

    Tree& tree_;
    std::unordered_map<const Entity*, Shared> shared_;
};

}  // namespace smec::elab
