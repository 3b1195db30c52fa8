#pragma once

#include <string>

#include "driver/hardware/netlist.h"
#include "hdl/hdl.h"
#include "source/source_manager.h"

namespace smec::driver {

/// What Yosys made of a design.
struct Synthesis {
    Netlist classes;  ///< each module for itself
    Netlist whole;    ///< the top alone: everything in one piece
};

/// A row for each class of processes, the dearest first, with the cells of one instance ("5-7"
/// where parameters make them differ) and of all; sums; and what is left in one piece.
/// `registers`: after each class its variables and fields that are registers.
std::string estimateTable(const Synthesis& synthesis, const hdl::Design& design,
                          const SourceManager& sources, bool registers);

}  // namespace smec::driver
