#pragma once

#include <vector>

#include "netlist/netlist.h"

namespace smec::rtl {

/// Outputs that are inputs of their module, wires that go straight through it as clocks do that are
/// handed on, become wires around its instances, and are outputs no more. `modules`: children before
/// those that instantiate them; the last one keeps its ports. Linear in the netlists.
///
///     broadcast b(.in(clk), .out_0(bus_clk), .out_1(core_clk));     bus_clk and core_clk are clk
void joinStraightOutputs(const std::vector<netlist::Module*>& modules);

}  // namespace smec::rtl
