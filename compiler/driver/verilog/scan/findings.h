#pragma once

#include "driver/verilog/scan/checks.h"
#include "driver/verilog/scan/preprocess.h"

namespace smec::driver::scan {

/// All that the rules find, whoever reads it, by place. What the top module has no use for is only
/// looked at for what is not read at all.
std::vector<Finding> findAll(const VerilogInput& input, Texts& texts);

}  // namespace smec::driver::scan
