#pragma once

#include <vector>

#include "netlist/netlist.h"

namespace smec::rtl {

/// Clocks that are constant, here or because all instances of a module give them such, stop what they
/// drive: registers keep what they have, unless a reset sets them without a clock, and the ports go.
/// `modules`: children before those that instantiate them; the last one keeps its ports.
void stopConstantClocks(const std::vector<netlist::Module*>& modules);

}  // namespace smec::rtl
