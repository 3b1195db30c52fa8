#pragma once

#include <map>
#include <string>

#include "codegen/vhdl/vhdl.h"
#include "hdl/recording.h"

namespace smec::codegen::vhdl {

/// A test bench that drives the inputs of the top and compares all else, with its data:
/// "BENCH.vhd" and "BENCH.hex". It ends with a failure after the first cycle that differs;
/// with its generic only_ports it looks at ports only.
std::map<std::string, std::string> testBench(const hdl::Design& design,
                                             const SourceManager& sources,
                                             const hdl::Recording& recording,
                                             const Options& options);

}  // namespace smec::codegen::vhdl
