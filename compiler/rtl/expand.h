#pragma once

#include "netlist/netlist.h"

namespace smec::rtl {

/// Cells that others express become these: powers, divisions that round down, sums of products,
/// adders with carries, gates of several levels, registers of one bit and those that load
/// asynchronously, checks of newer versions of Yosys. What prints, or only speaks of timing and
/// scopes, goes.
void expandCells(netlist::Module& module);

}  // namespace smec::rtl
