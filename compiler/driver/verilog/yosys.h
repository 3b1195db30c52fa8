#pragma once

#include <optional>
#include <string>

#include "diag/diagnostics.h"
#include "driver/compile/verilog_input.h"
#include "netlist/netlist.h"

namespace smec::driver {

struct Elaborated {
    netlist::Design design;
    std::string top;     ///< the name that it has in the design
    std::string reader;  ///< "Yosys 0.23, read_verilog"
};

/// Has Yosys elaborate Verilog into a netlist at word level. What Yosys finds wrong is reported at
/// its place; nothing is returned then. Throws Ended where there is no Yosys or it was killed, and
/// FileError.
std::optional<Elaborated> elaborateVerilog(const VerilogInput& input, SourceManager& sources,
                                           Diagnostics& diagnostics);

/// The ports of the top module alone, before anything is done to them.
std::optional<std::vector<netlist::Port>>
portsOfTop(const VerilogInput& input, SourceManager& sources, Diagnostics& diagnostics);

}  // namespace smec::driver
