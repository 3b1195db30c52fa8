#pragma once

#include "elab/bus_groups.h"

namespace smec::elab {

/// The bodies of generates, round after round: their scopes and buses. One Block is set to each round
/// in turn; an Iteration remembers it, so that an argument can be evaluated later.
class Rounds {
public:
    Rounds(Tree& tree, BusGroups& groups) : tree_(tree), groups_(groups) {}

    /// The body of a generate (`loop`) or of a branch of one (`loop` is null), inside of `outer`.
    Block& blockOf(const Round& outer, const void* key, const ast::GenerateFor* loop,
                   const std::vector<ast::Decl>& decls);
    /// A new round of the block: its buses come into being.
    Round begin(const Round& outer, Block& block, std::int64_t value);
    /// Forgets the last round where nothing belongs to it: no instance, no bus.
    void drop(const Round& round);
    /// Null outside of generates.
    const Block* blockAt(const Round& round) const;
    /// The scope of a round, set to it.
    sema::Scope& enter(const Round& round);
    /// What a declaration in a generate body is compiled to, also if that is not done yet; null
    /// outside of generates, where everything is done once.
    CompiledDecl* compiledFor(const Round& round, const void* decl);

private:
    void setBlock(const Round& round, Block& block, const sema::Scope& outer);
    void makeScope(Frame& frame, Block& block, const sema::Scope& outer);
    void declareBuses(const Round& round, Block& block);
    std::optional<BusTemplate> resolve(const Frame& frame, Block& block, std::size_t bus);
    std::vector<std::uint64_t> generateIndices(const Round& round) const;

    Tree& tree_;
    BusGroups& groups_;
};

}  // namespace smec::elab
