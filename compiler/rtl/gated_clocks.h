#pragma once

#include <map>

#include "netlist/netlist.h"
#include "rtl/problem.h"

namespace smec::rtl {

/// Clock gates become enables: what hangs on a gated clock hangs on the clock itself afterwards, and
/// keeps what it has where the gate is closed. Known are a clock and or or a signal that is still
/// while this matters: a latch that is open in the other half of the cycle, or (with `or`) registers.
/// Gates may lie in modules of their own, and clocks may pass through modules: an output that is a
/// gated clock becomes its enable, and a module below it gets an input for one. Latches that are open
/// just before the edge that counts are wires. `modules`: children before those that instantiate
/// them. Returns what cannot be imported, by module.
std::map<const netlist::Module*, Problem>
openClockGates(const std::vector<netlist::Module*>& modules);

}  // namespace smec::rtl
