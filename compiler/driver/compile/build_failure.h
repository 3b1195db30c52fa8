#pragma once

#include <filesystem>

#include "driver/compile/build.h"
#include "driver/system/process.h"

namespace smec::driver {

/// Prints why Ninja failed in that folder, in the words of the C++ compiler, and whose fault it is.
/// Returns the exit status: 2 for an option that the compiler does not take, 3 for a compiler or a
/// disk that fails, 1 for C++ of the user, 70 for ours.
int reportBuildFailure(const ProcessResult& result, const std::filesystem::path& buildDir,
                       const Toolchain& toolchain, const CompileOptions& options,
                       const InterruptScope& interrupts);

}  // namespace smec::driver
