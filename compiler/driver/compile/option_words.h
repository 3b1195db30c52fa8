#pragma once

#include <string>
#include <vector>

#include "driver/compile/options.h"

namespace smec::driver {

/// The compile options as words of a command line, without the files, -o and what stops early.
std::vector<std::string> optionWords(const CompileOptions& options);

/// Those of Verilog, for the modules of extern processes, with its files.
std::vector<std::string> verilogWords(const VerilogInput& verilog);

}  // namespace smec::driver
