#pragma once

#include <vector>

#include "netlist/netlist.h"

namespace smec::rtl {

/// A module whose instances all connect several of its clock ports to one net has one clock: the
/// first of these ports stays, the others go, in the module and in its instances. `modules`:
/// children before those that instantiate them. Linear in the netlists.
void joinClockPorts(const std::vector<netlist::Module*>& modules);

}  // namespace smec::rtl
