#pragma once

#include "diag/diagnostics.h"
#include "driver/verilog/scan/rules.h"
#include "driver/verilog/verilog_input.h"

namespace smec::driver::scan {

/// Looks in the words of Verilog for what its reader is known to get wrong, or not to read, and
/// reports it: docs/verilog.md has the rules. It reads the files itself, and whatever they hold it
/// ends, in time proportional to what they become. `hasWarnings`: else errors alone.
/// `before`: a reader that has said its own warnings, which are not said again.
void scanVerilog(const VerilogInput& input, const Reader& reader, bool hasWarnings,
                 SourceManager& sources, Diagnostics& diagnostics, const Reader* before = nullptr);

}  // namespace smec::driver::scan
