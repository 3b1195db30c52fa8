#pragma once

#include <map>
#include <optional>
#include <string>

#include "driver/compile.h"
#include "driver/options.h"
#include "hdl/hdl.h"
#include "hdl/recording.h"

namespace smec::driver {

/// The design of a front end as hardware in the languages that the options ask for; reports what
/// cannot be hardware, and what is left out. Nothing where that has errors.
std::optional<hdl::Design> buildHardware(FrontEnd& front, const HardwareOptions& hardware);

/// A run of the reference interpreter over `hardware.cycles` cycles, in a process of its own.
/// Prints why there is none.
std::optional<hdl::Recording> recordRun(const hdl::Design& design, const CompileOptions& options,
                                        const HardwareOptions& hardware);

}  // namespace smec::driver
