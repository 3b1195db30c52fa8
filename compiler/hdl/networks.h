#pragma once

#include <vector>

#include "hdl/connections.h"
#include "hdl/routes.h"

namespace smec::hdl {

/// A node of the instance tree in the hardware.
struct PlacedNode {
    ModuleId module;  ///< of networks
    PlacedNets nets{};
    Step step{};  ///< as its parent calls it
};

/// A module for each network, from the innermost outwards; equal ones are one. By node.
std::vector<PlacedNode> placeNetworks(const Netlist& list, const NetNames& names,
                                      const std::vector<Crossing>& crossings,
                                      const ClassModules& classes, ModuleList& modules);

}  // namespace smec::hdl
