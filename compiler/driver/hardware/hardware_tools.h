#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace smec::driver {

/// What runs the test bench of an exported design.
struct BenchTool {
    std::string name;                   ///< of the goal in the Makefile
    std::string title;                  ///< as its makers write it
    std::vector<std::string> programs;  ///< that have to be on PATH
    std::string package;                ///< of Debian, that has them
    /// Words of its commands, in order, in the folder with the files.
    std::vector<std::vector<std::string>> commands;
    std::vector<std::string> made;  ///< files and folders that they leave
    bool isVhdl = false;
};

/// The tools for a test bench. `verilog` and `vhdl`: the files of the modules.
std::vector<BenchTool> benchTools(const std::string& bench, const std::vector<std::string>& verilog,
                                  const std::vector<std::string>& vhdl);

}  // namespace smec::driver
