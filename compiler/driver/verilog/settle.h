#pragma once

#include <optional>
#include <string>

#include "diag/diagnostics.h"
#include "driver/compile/verilog_input.h"
#include "driver/verilog/start_values.h"
#include "netlist/netlist.h"

namespace smec::driver {

/// Runs a netlist without instances for eight cycles, its reset on and its other inputs 0, by the
/// interpreter. What cannot be imported is reported; nothing is returned then.
std::optional<StartValues> settle(netlist::Design flat, const std::string& top,
                                  const VerilogInput& input, SourceManager& sources,
                                  Diagnostics& diagnostics);

}  // namespace smec::driver
