#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

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

/// The command for such a run with a trace of all to a CSV file.
std::vector<std::string> referenceCommand(const CompileOptions& options,
                                          const HardwareOptions& hardware,
                                          const std::filesystem::path& trace);

/// What a test bench needs of that trace. `status`: of the run; in the last cycle of one that
/// failed there is nothing to compare.
hdl::Recording recordingOf(const hdl::Design& design, const std::string& trace, int status);

}  // namespace smec::driver
