#pragma once

#include "driver/compile/verilog_input.h"
#include "rtl/options.h"

namespace smec::driver {

/// What the importer is told of it.
rtl::Options importOptions(const VerilogInput& input);

}  // namespace smec::driver
