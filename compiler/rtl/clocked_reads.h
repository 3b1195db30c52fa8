#pragma once

#include "netlist/netlist.h"

namespace smec::rtl {

/// Ports of memories that are read at the clock's edge become ports that are read at any time with a
/// register behind them, which has the port's enable, resets and first value; a port that sees what
/// is written at the same edge chooses before its register.
void takeClocksFromReads(netlist::Module& module);

}  // namespace smec::rtl
