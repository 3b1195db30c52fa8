#pragma once

#include "driver/compile/verilog_input.h"
#include "driver/verilog/yosys_names.h"

namespace smec::driver {

/// Gives Yosys the data that Verilog asks for ($readmemh …) and that lies in the current folder, but
/// beside no file that names it. (What lies there Yosys finds by itself.)
void placeDataFiles(const VerilogInput& input, const YosysNames& names);

}  // namespace smec::driver
