#pragma once

#include "netlist/netlist.h"

namespace smec::rtl {

/// Takes out multiplexers that give one of their inputs whatever is chosen: a side that is x may be
/// anything, so it is the other one, and a choice between 1 and 0 is the condition.
void resolveAliases(netlist::Module& module);

}  // namespace smec::rtl
