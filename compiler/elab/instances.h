#pragma once

#include "elab/argument_compiler.h"
#include "elab/compiled_arguments.h"

namespace smec::elab {

/// Lists what an instance declaration stands for in one round of the generates around it.
class Instances {
public:
    Instances(Tree& tree, Calls& calls, Rounds& rounds, ArgumentCompiler& compiler,
              CompiledArguments& compiledArguments)
        : tree_(tree),
          calls_(calls),
          rounds_(rounds),
          compiler_(compiler),
          compiledArguments_(compiledArguments) {}

    void add(const Round& round, const ast::InstanceDecl& decl);
    /// Names the anonymous ones that were added to the frame, after all others have theirs.
    void nameAnonymous(Frame& frame);

private:
    bool isCycle(const Frame& frame, const ast::InstanceDecl& decl, const Entity& entity);
    bool isFull(const ast::InstanceDecl& decl);
    bool evaluateIndices(const Round& round, const ast::InstanceDecl& decl,
                         const CompiledDecl* compiled);
    NamedInstances& named(Frame& frame, const ast::InstanceDecl& decl);
    std::optional<NodeId> addNode(const Round& round, const ast::InstanceDecl& decl,
                                  const Entity& entity, NamedInstances* list);
    bool enlist(Frame& frame, NamedInstances& list, NodeId node, const ast::InstanceDecl& decl);
    void reportTwice(const Frame& frame, const NamedInstances& list, NodeId node, NodeId known);

    Tree& tree_;
    Calls& calls_;
    Rounds& rounds_;
    ArgumentCompiler& compiler_;
    CompiledArguments& compiledArguments_;
    std::vector<std::uint64_t> indices_;                       ///< of the instance being added
    std::vector<std::pair<NodeId, const Entity*>> anonymous_;  ///< of the frame being opened
};

}  // namespace smec::elab
