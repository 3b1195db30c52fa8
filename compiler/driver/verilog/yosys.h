#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "diag/diagnostics.h"
#include "netlist/netlist.h"

namespace smec::driver {

/// Verilog to read, as Yosys has to be told.
struct VerilogInput {
    std::vector<std::string> files;
    std::vector<std::string> includeFolders;
    std::vector<std::string> defines;     ///< NAME or NAME=VALUE
    std::vector<std::string> parameters;  ///< of the top module, NAME=VALUE
    std::string top;                      ///< empty: the module that nobody instantiates
};

struct Elaborated {
    netlist::Design design;
    std::string top;  ///< the name that it has in the design
};

/// Has Yosys elaborate Verilog into a netlist at word level. What Yosys finds wrong is reported at
/// its place; nothing is returned then. Throws Ended where there is no Yosys or it was killed, and
/// FileError.
std::optional<Elaborated> elaborateVerilog(const VerilogInput& input, SourceManager& sources,
                                           Diagnostics& diagnostics);

}  // namespace smec::driver
