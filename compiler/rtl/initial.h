#pragma once

#include "netlist/netlist.h"
#include "rtl/options.h"

namespace smec::rtl {

/// Gives bits of registers and memories a value at first where the source does not say which: the
/// same in all instances of a module.
void setInitialValues(netlist::Module& module, const Options& options);

}  // namespace smec::rtl
