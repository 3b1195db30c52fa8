#pragma once

#include <map>
#include <set>
#include <string>

#include "driver/verilog/scan/preprocess.h"

namespace smec::driver::scan {

/// Names of ports that are declared with a sign, by the module. For readers whose netlists do not
/// tell: types of other names count, those that are parameters have none. It reads the files
/// itself; O(n).
using PortSigns = std::map<std::string, std::set<std::string, std::less<>>, std::less<>>;
PortSigns signedPorts(const VerilogInput& input, Texts& texts);

}  // namespace smec::driver::scan
