#pragma once

#include <map>
#include <string>
#include <vector>

#include "driver/hardware/options.h"
#include "hdl/hdl.h"

namespace smec::driver {

/// Modules written by hand: where a file is -> its name in the folder of the export, in which no
/// other file has that name in any case of letters. It has letters, digits, `_`, `.` and `-`, so
/// that lists of files need no quotes.
std::map<std::string, std::string> foreignNames(const hdl::Design& design);

/// Names of the files of a language, in an order in which modules stand before those that use them.
std::vector<std::string> verilogFiles(const hdl::Design& design, const HardwareOptions& hardware);
std::vector<std::string> vhdlFiles(const hdl::Design& design);

/// What the test benches read while they run.
std::vector<std::string> benchData(const hdl::Design& design, const HardwareOptions& hardware);

}  // namespace smec::driver
