#pragma once

#include "elab/bus_groups.h"
#include "elab/scopes.h"

namespace smec::elab {

/// The buses that stand directly in a process or network, made when an instance is opened.
class OwnBuses {
public:
    OwnBuses(Tree& tree, BusGroups& groups) : tree_(tree), groups_(groups) {}

    /// Opens an instance that holds no others: it needs no scope for that unless its buses depend on
    /// its parameters.
    bool openLeaf(NodeId node);
    /// Makes the buses of the instance and declares them in its scope.
    bool declare(NodeId node, sema::Scope& scope);

private:
    Tree& tree_;
    BusGroups& groups_;
    std::unordered_map<const Entity*, std::vector<BusTemplate>>
        templates_;  ///< of processes whose buses do not depend on the instance
};

}  // namespace smec::elab
