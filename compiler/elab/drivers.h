#pragma once

#include "elab/tree.h"
#include "hir/fields.h"

namespace smec::elab {

/// Finds the driver of every field and how it drives; reports second drivers and `hold` where a
/// combinational process drives. `nodes[i]` is the node of instance i.
void findDrivers(Tree& tree, const std::vector<NodeId>& nodes);

/// Reports cycles of combinational dependencies, one for each knot of them.
void checkCombinational(Tree& tree, const std::vector<NodeId>& nodes);

/// -Wundriven and -Wunread: once for each declared field.
void warnAboutFields(Tree& tree);

/// "a.level.v"
std::string fieldPath(const hir::Design& design, hir::BusId bus, std::uint32_t field);

}  // namespace smec::elab
