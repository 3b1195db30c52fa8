#pragma once

#include <map>

#include "elab/tree.h"

namespace smec::elab {

/// Writes into the tree what the ports of an instance are connected to, and how they see it.
///
/// Buses that are listed or collected may have more fields than a port needs, in any order: the port
/// sees those it needs, in one order for all elements. `hold` and `delay` stay with each bus.
class Connections {
public:
    explicit Connections(Tree& tree) : tree_(tree) {}

    void commit(NodeId node, const std::vector<View>& views);
    /// The ports of an instance as views, for the paths inside it.
    std::vector<View> viewsOf(NodeId node) const;

private:
    PortShape commitOne(const View& view, std::vector<std::uint64_t>& shapes);
    hir::ShapeId withProperties(hir::ShapeId seen, hir::ShapeId bus);
    void mapFields(hir::ShapeId seen, hir::ShapeId bus);

    Tree& tree_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, hir::ShapeId>
        propertied_;  ///< by shape as seen and shape of the bus
};

}  // namespace smec::elab
