#pragma once

#include <filesystem>
#include <string>

#include "driver/verilog/verilog_input.h"
#include "driver/verilog/yosys_program.h"

namespace smec::driver {

/// What Yosys is asked for.
struct YosysTask {
    std::filesystem::path folder;  ///< for the script and what it names
    std::filesystem::path json;    ///< the netlist to write
    bool portsOnly = false;        ///< of the top module, as the source has them
};

/// Writes the commands that make a netlist at word level; returns their file. Throws FileError.
std::filesystem::path writeScript(const VerilogInput& input, const YosysProgram& yosys,
                                  const YosysTask& task);

}  // namespace smec::driver
