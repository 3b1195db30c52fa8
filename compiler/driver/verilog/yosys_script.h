#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "driver/compile/verilog_input.h"
#include "driver/verilog/yosys_program.h"

namespace smec::driver {

enum class Stage : std::uint8_t {
    Ports,        ///< the ports of the top module, as the source has them
    Netlist,      ///< all that is to do with a source
    BeforeReset,  ///< with its reset, and the same without instances in `flat`
    AfterReset    ///< of `start`, in which registers start as the reset leaves them, and it is off
};

/// What Yosys is asked for.
struct YosysTask {
    std::filesystem::path folder;  ///< for the script and what it names
    Stage stage = Stage::Netlist;
    std::filesystem::path json;     ///< the netlist to write
    std::filesystem::path flat{};   ///< of BeforeReset: another one to write
    std::filesystem::path start{};  ///< of AfterReset: the netlist to read
    bool isBySlang = false;         ///< read by `read_slang`, not by `read_verilog`
    bool isTopOnly = false;         ///< modules that the top one has no use for are only read
};

/// Writes the commands that make a netlist at word level; returns their file. Throws FileError.
std::filesystem::path writeScript(const VerilogInput& input, const YosysTask& task,
                                  YosysNames& names);

}  // namespace smec::driver
