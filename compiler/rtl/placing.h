#pragma once

#include "rtl/module_plan.h"

namespace smec::rtl {

/// Decides which process computes what. Throws Problem where signals depend on themselves.
void place(ModulePlan& plan, const Interfaces& children);

/// What a clocked body reads of a cell: all but its outputs and clocks.
template <typename Visit>
void forEachClockedInput(const netlist::Cell& cell, const Visit& visit) {
    for (const auto& [port, bits] : cell.connections) {
        const bool isInput = port != "Q" && port != "CLK" && port != "TRG" && port != "WR_CLK"
                             && !port.starts_with("RD_");
        if (isInput) visit(bits);
    }
}

}  // namespace smec::rtl
