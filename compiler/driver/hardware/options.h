#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace smec::driver {

/// What `smec export` takes beside the compile options.
struct HardwareOptions {
    bool isVerilog = false;
    bool isVhdl = false;
    bool isVerilog2005 = false;  ///< instead of SystemVerilog
    bool isAsync = false;
    bool isActiveLow = false;
    /// Of the recorded run, 0: none; nothing: until the design or its input ends, at most
    /// target::kMostCycles.
    std::optional<std::uint64_t> cycles;
    std::string input;     ///< CSV file that drives the inputs of the recorded run
    std::string estimate;  ///< ice40, xilinx: an FPGA family; empty: none
};

/// --reset, --std and --reset-polarity.
void declareHardware(CLI::App& app, HardwareOptions& options);

}  // namespace smec::driver
