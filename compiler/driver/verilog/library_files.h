#pragma once

#include <set>
#include <string>
#include <string_view>

#include "driver/verilog/verilog_input.h"

namespace smec::driver {

/// Names in a text of Verilog that may be of modules, interfaces or packages which it uses: those
/// before `#`, `::`, or another name and `(`, `[` or `;`. Not in comments and strings; what macros
/// make of a text is not seen.
std::set<std::string> usedNames(std::string_view verilog);

/// Adds to the files those of the library folders that they need, and that these need in turn: of
/// each name that is used, and that no file so far is called after, NAME.v or NAME.sv in the first
/// folder that has one.
void addLibraryFiles(VerilogInput& input);

}  // namespace smec::driver
