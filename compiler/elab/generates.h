#pragma once

#include "elab/instances.h"

namespace smec::elab {

/// Lists the instances in an entity, those in generates once for each round.
class Generates {
public:
    Generates(Tree& tree, Rounds& rounds, Instances& instances, ArgumentCompiler& compiler)
        : tree_(tree), rounds_(rounds), instances_(instances), compiler_(compiler) {}

    void walk(const Round& round, const std::vector<ast::Decl>& decls);

private:
    void generate(const Round& round, const ast::GenerateFor& loop);
    void choose(const Round& round, const ast::GenerateIf& choice);
    std::optional<bool> condition(const Round& round, const ast::GenerateIf& choice);
    std::optional<hir::Integer> bound(const Round& round, CompiledDecl* compiled, bool isFrom,
                                      ast::ExprId expr);
    hir::Integer leastRounds(const Round& round, const ast::GenerateFor& loop,
                             const hir::Integer& count, std::vector<std::string_view>& inner);
    hir::Integer leastInside(const Round& round, const ast::GenerateFor& loop,
                             std::vector<std::string_view>& inner);
    bool overLimit(const hir::Integer& count, SourceRange range);
    void report(const hir::Integer& count, SourceRange range);

    Tree& tree_;
    Rounds& rounds_;
    Instances& instances_;
    ArgumentCompiler& compiler_;
    std::uint64_t count_ = 0;  ///< of rounds so far
};

}  // namespace smec::elab
