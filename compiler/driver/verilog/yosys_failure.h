#pragma once

#include <string>

#include "diag/diagnostics.h"
#include "driver/compile/verilog_input.h"
#include "driver/verilog/yosys_program.h"

namespace smec::driver {

/// Reports what Yosys said before it ended with a status other than 0, at the places that it says,
/// and which Yosys would do where this one is too old.
void reportFailure(const std::string& output, const VerilogInput& input, const YosysProgram& yosys,
                   const YosysNames& names, SourceManager& sources, Diagnostics& diagnostics);

}  // namespace smec::driver
