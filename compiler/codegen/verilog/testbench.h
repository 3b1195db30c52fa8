#pragma once

#include <map>
#include <string>

#include "codegen/verilog/verilog.h"
#include "hdl/hdl.h"
#include "hdl/recording.h"

namespace smec::codegen::verilog {

/// A test bench that drives the inputs of the top and compares all else, with its data:
/// "BENCH.sv", "BENCH.hex", and the names of what it compares, "BENCH.names". It ends with $fatal
/// after the first cycle that differs; with ONLY_PORTS defined it looks at ports only.
std::map<std::string, std::string>
testBench(const hdl::Design& design, const hdl::Recording& recording, const Options& options);

}  // namespace smec::codegen::verilog
