#pragma once

#include "netlist/netlist.h"

namespace smec::rtl {

/// Registers `r[0]`, `r[1]`, … that are written and read by addresses become a memory: what Yosys
/// makes of an array that a reset clears, or that a block with an asynchronous reset writes. With an
/// asynchronous reset all words are its value while it is on; `isResetSync`: after the edge alone.
void joinRegisterArrays(netlist::Module& module, bool isResetSync);

}  // namespace smec::rtl
