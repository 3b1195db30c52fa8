#pragma once

#include "netlist/netlist.h"

namespace smec::rtl {

/// Words that are wider than those of a machine and of which little is needed become narrow ones: an
/// element that is shifted out of joined elements is chosen among them, bits that nobody reads of
/// what is computed bit by bit go, and so do places of a demultiplexer.
void narrowWideWords(netlist::Module& module);

}  // namespace smec::rtl
