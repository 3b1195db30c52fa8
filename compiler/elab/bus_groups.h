#pragma once

#include "elab/tree.h"

namespace smec::elab {

/// Makes the buses of the design, a group for each declaration.
class BusGroups {
public:
    explicit BusGroups(Tree& tree) : tree_(tree) {}

    BusTemplate templateOf(const sema::ResolvedBus& bus, std::vector<std::uint64_t> dimensions);
    std::optional<BusTemplate> resolve(const ast::BusDecl& bus, const sema::Scope& scope);
    /// Adds a bus with one group; nothing after an error.
    std::optional<std::uint32_t> add(const std::string& name, SourceRange range, NodeId owner,
                                     const BusTemplate& bus, const GroupInfo& info, bool exposed,
                                     std::vector<std::uint64_t> generateIndices);
    /// The same for a declared one.
    std::optional<std::uint32_t> declare(const ast::BusDecl& bus, NodeId owner,
                                         const BusTemplate& resolved, sema::ModuleId module,
                                         std::vector<std::uint64_t> generateIndices);

private:
    Tree& tree_;
    std::uint64_t fieldCount_ = 0;
    TupleTable defaultSets_;  ///< value ids; parallel to Design::defaultSets
};

}  // namespace smec::elab
