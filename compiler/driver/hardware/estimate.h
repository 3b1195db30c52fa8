#pragma once

#include "driver/compile/options.h"
#include "driver/hardware/options.h"
#include "hdl/hdl.h"
#include "source/source_manager.h"

namespace smec::driver {

/// Has Yosys synthesise the design for the family that the options name, in a scratch folder, and
/// prints what its classes cost as a table. Returns the exit status.
int estimate(const hdl::Design& design, const SourceManager& sources, const CompileOptions& options,
             const HardwareOptions& hardware);

}  // namespace smec::driver
