#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "driver/compile/compile.h"
#include "driver/compile/options.h"
#include "driver/hardware/options.h"
#include "driver/hardware/run_ending.h"
#include "hdl/hdl.h"
#include "hdl/recording.h"

namespace smec::driver {

/// The design of a front end as hardware in the languages that the options ask for; reports what
/// cannot be hardware, and what is left out. Nothing where that has errors.
/// With the files that go along, Verilog as `verilog` says. Throws FileError.
std::optional<hdl::Design> buildHardware(FrontEnd& front, const HardwareOptions& hardware,
                                         const VerilogInput& verilog);

/// A run of the reference interpreter, in a process of its own; without rows where it fails in its
/// first cycle. Prints why there is none, and how it fails. Throws Ended where files cannot be written.
std::optional<hdl::Recording> recordRun(const hdl::Design& design, const CompileOptions& options,
                                        const HardwareOptions& hardware);

/// Where such a run writes.
struct ReferenceFiles {
    std::filesystem::path trace;   ///< CSV, of all
    std::filesystem::path ending;  ///< for readEnding
};

/// The command for such a run.
std::vector<std::string> referenceCommand(const CompileOptions& options,
                                          const HardwareOptions& hardware,
                                          const ReferenceFiles& files);

/// What a test bench needs of that trace; in the last cycle of a run that failed there is nothing
/// to compare.
hdl::Recording recordingOf(const hdl::Design& design, const std::string& trace,
                           const RunEnding& ending);

/// From the line on that tells of the first error.
std::string fromFirstError(const std::string& text);

/// What is wrong where the source can be read once only; empty: nothing.
std::string problemOfStream(const CompileOptions& options);

}  // namespace smec::driver
