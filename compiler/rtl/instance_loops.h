#pragma once

#include "netlist/netlist.h"

namespace smec::rtl {

/// Instances through which words depend on themselves, port by port, become part of the module that
/// has them, where splitWords can part these words; what is called x in an instance u is u.x then.
/// Other instances of the same module stay. `modules`: children before those that instantiate them.
/// Words within modules are parted here, too.
void openInstancesInLoops(const std::vector<netlist::Module*>& modules);

}  // namespace smec::rtl
