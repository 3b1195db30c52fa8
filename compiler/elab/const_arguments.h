#pragma once

#include "elab/calls.h"
#include "elab/rounds.h"

namespace smec::elab {

/// Const parameters, the general way: each argument is evaluated in the round of the generates in
/// which the instance was declared.
class ConstArguments {
public:
    ConstArguments(Tree& tree, Calls& calls, Rounds& rounds)
        : tree_(tree), calls_(calls), rounds_(rounds) {}

    /// Stage::Constants of an instance.
    Outcome evaluate(NodeId node);
    /// Type and default of a parameter that mentions nothing of its entity.
    void resolve(const Entity& entity, ConstParam& param);

private:
    std::optional<sema::TypedValue> valueOf(const Entity& entity, ConstParam& param,
                                            ast::ExprId argument, const sema::Scope* outer,
                                            const sema::Scope* inner);

    Tree& tree_;
    Calls& calls_;
    Rounds& rounds_;
};

}  // namespace smec::elab
