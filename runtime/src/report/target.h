#pragma once

#include <cstddef>
#include <cstdint>

/// The numbers by which reports are measured and judged, each with where it comes from.
namespace sme::target {

// ---------------------------------------------------------------- --report factored

/// In shorter cycles reading the clock each time shows: two readings take 20 ns, 1 % of it.
inline constexpr double kShortCycleNs = 2000;
/// Then one cycle in so many is looked at, unless there are fewer than kManyCycles.
inline constexpr std::uint64_t kSampled = 32;
inline constexpr std::uint64_t kManyCycles = 64 * kSampled;
/// Part of P T_P that may be lost in all before somebody is to blame. A guess.
inline constexpr double kNearlyIdeal = 0.05;
/// Processors' worth of time that others may take before they are blamed. A guess.
inline constexpr double kQuiet = 0.1;
/// Threads with less work a cycle wait for barriers: one takes 0.13 us between two threads
/// (docs/benchmarks.md, `hetero`), more between more. A guess for many.
inline constexpr double kBarrierNs = 3000;

/// Runs of each kind where no number is given. Not measured.
inline constexpr unsigned kFactoredRuns = 5;

// ---------------------------------------------------------------- --report ranks:N

/// A rank is measured in so many blocks, of about so long: that of the middle is hardly disturbed.
inline constexpr unsigned kBlocks = 9;
inline constexpr double kBlockSeconds = 0.03;
/// Exchanges of a line, of some, and of what is large beside them, and how often. Guesses.
inline constexpr std::size_t kFewBytes = 32;
inline constexpr unsigned kShortRounds = 100'000;
inline constexpr std::size_t kFewLines = 1024;
inline constexpr std::size_t kManyBytes = std::size_t{32} << 10;
inline constexpr unsigned kLongRounds = 4'000;

// ---------------------------------------------------------------- windows

/// Cycles that are recorded where no window is given, and those before it. Bounds: a text that fits
/// on a page, after caches and --threads auto have settled in most designs.
inline constexpr std::uint64_t kWindowCycles = 200;
inline constexpr std::uint64_t kWarmUpCycles = 1000;
/// Events of a thread, 48 MiB of them. A bound.
inline constexpr std::size_t kMostEvents = std::size_t{1} << 20;
/// Units that are listed one by one: a page.
inline constexpr std::size_t kMostTold = 30;

}  // namespace sme::target
