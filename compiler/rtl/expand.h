#pragma once

#include "netlist/netlist.h"

namespace smec::rtl {

/// Registers of one bit, which have names and pins of their own, become those of any width.
void widenRegisters(netlist::Module& module);

/// Cells that others express become these: powers, divisions that round down, sums of products,
/// adders with carries, gates of several levels, registers that load asynchronously, checks of newer
/// versions of Yosys. What only speaks of timing and scopes goes.
void expandCells(netlist::Module& module, bool isResetSync);

}  // namespace smec::rtl
