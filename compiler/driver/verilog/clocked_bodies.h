#pragma once

#include "diag/diagnostics.h"
#include "driver/compile/verilog_input.h"
#include "hir/design.h"

namespace smec::driver {

/// A C++ body is clocked, so that the Verilog beside it has to be: reports each extern process with
/// both whose module has an output that depends on an input in the same cycle. What cannot be read,
/// for want of Yosys or of what it knows, is left to others.
void checkClockedBodies(const hir::Design& design, const VerilogInput& options,
                        SourceManager& sources, Diagnostics& diagnostics);

}  // namespace smec::driver
