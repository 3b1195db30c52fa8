#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace smec::driver {

/// Verilog to read, as Yosys has to be told.
struct VerilogInput {
    std::vector<std::string> files;
    std::vector<std::string> includeFolders;
    std::vector<std::string> defines;     ///< NAME or NAME=VALUE
    std::vector<std::string> parameters;  ///< of the top module, NAME=VALUE
    std::string top;                      ///< empty: the module that nobody instantiates
};

/// By the ending of its name.
bool isVerilogFile(std::string_view file);

/// What is wrong with the words of its options; empty: nothing.
std::string problemOfVerilog(const VerilogInput& input);

}  // namespace smec::driver
