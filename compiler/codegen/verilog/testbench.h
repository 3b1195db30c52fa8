#pragma once

#include <map>
#include <string>
#include <vector>

#include "codegen/verilog/verilog.h"
#include "hdl/hdl.h"

namespace smec::codegen::verilog {

/// What the simulators read in each cycle, from reset on.
struct Recording {
    std::vector<std::uint32_t> probes;            ///< of hdl::Design, one for each column
    std::vector<std::vector<hdl::Integer>> rows;  ///< by cycle and column
};

/// A test bench that drives the inputs of the top and compares all else, with its data:
/// "tb_NAME.sv" and "tb_NAME.hex". It ends with $fatal behind the first cycle that differs; with
/// ONLY_PORTS defined it looks at ports only.
std::map<std::string, std::string> testBench(const hdl::Design& design, const Recording& recording,
                                             const Options& options);

}  // namespace smec::codegen::verilog
