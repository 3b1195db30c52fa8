#pragma once

#include <string>

#include "diag/diagnostics.h"
#include "driver/verilog/yosys_names.h"

namespace smec::driver {

/// Warns where Yosys, which has succeeded, has dropped what a source prints, once for each file and
/// task. Old ones do not say the line: it is the first in the file that has the task's name.
void reportDropped(const std::string& output, const YosysNames& names, SourceManager& sources,
                   Diagnostics& diagnostics);

}  // namespace smec::driver
