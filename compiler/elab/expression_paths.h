#pragma once

#include "elab/tree.h"

/// What sema asks about paths in expressions: in constants of the structure, and in bodies.
namespace smec::elab {

/// Paths in constant expressions of the structure: `len(src)`, `type(x.v)`. They lead to what was
/// declared before.
class StructurePaths : public sema::PathResolver {
public:
    /// `node`: whose inside the expressions stand in.
    StructurePaths(Tree& tree, NodeId node) : tree_(tree), node_(node) {}
    std::optional<sema::ResolvedPath> resolveBus(sema::ExprRef path, const sema::Scope& scope,
                                                 bool quiet) override;
    void setNode(NodeId node) { node_ = node; }

private:
    std::optional<View> viewOf(sema::ExprRef path, const sema::Scope& scope, bool quiet);
    Tree& tree_;
    NodeId node_;
};

/// Paths in the body of a process, from the process's own instances or those of the network around
/// it.
class BodyPaths : public sema::PathResolver {
public:
    BodyPaths(Tree& tree, NodeId node) : tree_(tree), node_(node) {}
    std::optional<sema::ResolvedPath> resolveBus(sema::ExprRef path, const sema::Scope& scope,
                                                 bool quiet) override;
    bool isInstance(std::string_view root) const override;

private:
    bool leadsOutside(std::string_view root, const sema::Scope& scope) const;
    Tree& tree_;
    NodeId node_;
};

}  // namespace smec::elab
