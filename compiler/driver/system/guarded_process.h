#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "driver/system/process.h"

namespace smec::driver {

inline constexpr std::chrono::milliseconds kNoLimit = std::chrono::hours(24 * 365);

/// A program that may be ended while it runs, and then with all that it started.
struct GuardedCommand {
    std::vector<std::string> words;
    std::filesystem::path folder{};      ///< to run it in; empty: the current one
    std::filesystem::path outputFile{};  ///< for stdout; empty: into the result, with stderr
    std::filesystem::path scratch{};     ///< for its temporary files
    std::chrono::milliseconds limit = kNoLimit;        ///< of wall time
    std::function<void(const std::string&)> onLine{};  ///< sees each line of output as it comes
};

/// Runs it below a Keeper: all that it started is gone at the end. Several threads may do so at
/// once. It is ended at its limits, or with a signal to this process.
ProcessResult runGuarded(const GuardedCommand& command, const InterruptScope& interrupts);

}  // namespace smec::driver
