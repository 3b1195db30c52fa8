#pragma once

/// Exit statuses of smec and of generated simulators (docs/tools.md).
namespace smec::driver::exit_status {
inline constexpr int kGood = 0;
inline constexpr int kSource = 1;  ///< errors in the source, a failed run
inline constexpr int kUsage = 2;
inline constexpr int kEnvironment =
    3;  ///< no C++ toolchain, it was killed, or the file system failed
inline constexpr int kLimit = 4;
inline constexpr int kInternal = 70;
inline constexpr int kNobodyReads = 128 + 13;  ///< as SIGPIPE ends a program
}  // namespace smec::driver::exit_status
