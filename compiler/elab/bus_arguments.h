#pragma once

#include "elab/calls.h"
#include "elab/connections.h"
#include "elab/port_checks.h"
#include "elab/rounds.h"

namespace smec::elab {

/// Bus arguments, the general way: a path, a choice, or a list of arguments.
class BusArguments {
public:
    BusArguments(Tree& tree, Calls& calls, Rounds& rounds, PortChecks& checks,
                 Connections& connections)
        : tree_(tree), calls_(calls), rounds_(rounds), checks_(checks), connections_(connections) {}

    /// Stage::Ports of an instance.
    Outcome connect(NodeId node);

private:
    struct Target;
    std::optional<View> portView(NodeId node, std::size_t port, Outcome& outcome);
    std::optional<View> argument(const Target& target, ast::ExprId expr, Outcome& outcome);
    std::optional<View> list(const Target& target, const ast::ArrayLiteral& node, Outcome& outcome);
    std::optional<View> path(const Target& target, ast::ExprId expr,
                             std::span<const ast::ExprId> steps, Outcome& outcome);
    std::optional<ast::ExprId> elementOf(const Target& target, const ast::ArrayLiteral& list,
                                         SourceRange range, ast::ExprId step);

    Tree& tree_;
    Calls& calls_;
    Rounds& rounds_;
    PortChecks& checks_;
    Connections& connections_;
};

/// Of `(c ? a : b)[i].x` the choice, or the list that stands in its place, and in `steps` what
/// stands after it, the last one first. Invalid where it is a path from a name on.
ast::ExprId chosenFrom(const Tree& tree, sema::ExprRef expr, std::vector<ast::ExprId>& steps);

}  // namespace smec::elab
