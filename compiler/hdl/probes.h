#pragma once

#include "hdl/networks.h"

namespace smec::hdl {

/// Adds probes, one for each scalar that simulators show, and the enumerations that they are of.
/// `outside`: the crossing of the top.
void addProbes(Design& design, const Netlist& list, const Crossing& outside,
               const ClassModules& classes, const std::vector<PlacedNode>& placed);

}  // namespace smec::hdl
