#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "driver/process.h"

namespace smec::driver {

/// A program that may be ended while it runs, and then with all that it started.
struct GuardedCommand {
    std::vector<std::string> words;
    std::filesystem::path folder;      ///< to run it in; empty: the current one
    std::filesystem::path outputFile;  ///< for stdout; empty: into the result, with stderr
    std::filesystem::path scratch;     ///< for its temporary files
    std::chrono::milliseconds limit;   ///< of wall time
};

/// Runs it in a process group of its own, which is gone at the end. Several threads may do so at
/// once. It is ended at its limit, or with a signal to this process.
ProcessResult runGuarded(const GuardedCommand& command, const InterruptScope& interrupts);

}  // namespace smec::driver
