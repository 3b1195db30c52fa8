#pragma once

#include "netlist/netlist.h"

namespace smec::rtl {

/// Words that depend on themselves in other bits alone are parted where that depends, so that no
/// loop is left which the hardware does not have. What computes bit by bit is parted (bitwise
/// operators and multiplexers) and, where that is not enough, sums and differences. Words that are
/// in no loop stay whole. Linear in the netlist.
void splitWords(netlist::Module& module);

}  // namespace smec::rtl
