#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "driver/cache/folders.h"

namespace smec::driver {

/// Verilog to read, as Yosys has to be told.
struct VerilogInput {
    std::vector<std::string> files;
    std::vector<std::string> includeFolders;
    std::vector<std::string> libraries;   ///< folders with modules in files of their names
    std::vector<std::string> defines;     ///< NAME or NAME=VALUE
    std::vector<std::string> parameters;  ///< of the top module, NAME=VALUE
    std::string top;                      ///< empty: the module that nobody instantiates
    std::string clock;                    ///< a port of the top module; empty: found by itself
    /// A port of the top module that resets it: registers start as it leaves them, and from then on
    /// it is off.
    std::string reset;              ///< NAME, NAME=1 or NAME=0, by what it is while it is on
    std::vector<std::string> ties;  ///< ports of the top module that stay what they are, NAME=VALUE
    bool isResetSync = false;       ///< asynchronous resets act at the clock's edge alone
    std::string reading;            ///< simulation or synthesis; empty: simulation
    CacheFolders cache;             ///< for what it becomes
    std::string initial;  ///< of bits that the source leaves x: 0, 1, random or random:SEED
};

/// By the ending of its name.
bool isVerilogFile(std::string_view file);
bool isSystemVerilogFile(std::string_view file);
/// Whether one of the files is.
bool hasSystemVerilog(const VerilogInput& input);

/// The name of the port, and whether it is on while it is 0.
struct ResetPort {
    std::string name;
    bool isLow = false;
};
ResetPort resetOf(const VerilogInput& input);

/// What is wrong with the words of its options; empty: nothing.
std::string problemOfVerilog(const VerilogInput& input);

}  // namespace smec::driver
