#pragma once

#include "netlist/netlist.h"

namespace smec::rtl {

/// Addresses of memories get no more bits than it takes to say each word: what is written beyond the
/// end is lost, as in Verilog, and what is read there is any word.
void narrowAddresses(netlist::Module& module);

}  // namespace smec::rtl
