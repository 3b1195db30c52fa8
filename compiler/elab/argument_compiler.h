#pragma once

#include "elab/const_arguments.h"

namespace smec::elab {

/// Compiles the arguments of instances in generate bodies: link[i + 1] becomes (bus link, dimensions,
/// compiled i + 1). What cannot be compiled goes the general way in every round.
class ArgumentCompiler {
public:
    ArgumentCompiler(Tree& tree, Rounds& rounds, ConstArguments& constants)
        : tree_(tree), rounds_(rounds), constants_(constants) {}

    void compile(const Round& round, const ast::InstanceDecl& decl, const Call& call,
                 CompiledDecl& compiled);
    std::optional<IntegerExpr> compile(const Round& round, ast::ExprId expr);

private:
    Leaf leafOf(const Round& round, ast::ExprId name);
    bool compilePorts(const Round& round, const Call& call, CompiledDecl& compiled);
    CompiledBus bus(const Round& round, const PortParam& param, ast::ExprId argument,
                    std::span<const ast::ExprId> after);
    CompiledBus choice(const Round& round, const PortParam& param, ast::ExprId argument,
                       std::span<const ast::ExprId> after);
    CompiledBus list(const Round& round, const PortParam& param, const ast::ArrayLiteral& node);
    CompiledBus path(const Round& round, const PortParam& param, ast::ExprId argument,
                     std::span<const ast::ExprId> after);
    CompiledBus root(const Round& round, const PortParam& param, const sema::Symbol& symbol);
    bool compileConstants(const Round& round, const Call& call, CompiledDecl& compiled);
    bool compileConstant(const Round& round, const Entity& entity, ConstParam& param,
                         ast::ExprId argument, CompiledDecl::Constant& constant);
    bool setRange(const ConstParam& param, CompiledDecl::Constant& constant) const;

    Tree& tree_;
    Rounds& rounds_;
    ConstArguments& constants_;
};

}  // namespace smec::elab
