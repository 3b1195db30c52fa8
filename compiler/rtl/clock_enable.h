#pragma once

#include "rtl/cell_maker.h"
#include "rtl/clock_nets.h"

namespace smec::rtl {

/// What hangs on that pin of a cell happens only where `enable` is on, too. `index`: of a memory's
/// ports. Throws Problem where the cell can have no enable.
void addEnable(netlist::Cell& cell, std::string_view pin, std::uint32_t index, netlist::Bit enable,
               CellMaker& maker);

/// A gate is an enable only where its signal is still in the half of the cycle in which it would
/// make edges of its own. Throws Problem where that is not sure.
void refuseUnsteady(ClockNets& nets, ClockedModule& module, const ClockGate& gate,
                    netlist::Bit clock);

}  // namespace smec::rtl
