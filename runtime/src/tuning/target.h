#pragma once

#include <cstddef>
#include <cstdint>

/// The numbers by which times are measured and plans are changed, each with where it comes from.
namespace sme::target {

// ---------------------------------------------------------------- trials (trial.cpp)

/// Cycles of a trial where none are given, whose medians count. A guess.
inline constexpr std::uint64_t kTrialCycles = 16;
/// Cycles before those, for caches, pages and branch prediction. A guess.
inline constexpr std::uint64_t kTrialWarmUp = 2;
/// A trial that takes longer ends after so many cycles: bounds of what a user waits for.
inline constexpr std::int64_t kLongestTrialNs = 500'000'000;
inline constexpr std::uint64_t kFewestTrialCycles = 3;
/// Pieces of a level that are measured, for each thread: what a plan can move is 1/32 of a share.
inline constexpr std::uint64_t kPiecesPerThread = 32;

// ---------------------------------------------------------------- --threads auto (governor.cpp)
// What they come to as a whole: the columns of `auto` in docs/benchmarks.md. Where no measurement is
// named, a number was not tried by itself.

/// One measurement: long against waking threads (5 to 9 us), short against any run worth tuning.
inline constexpr double kWindowNs = 1'500'000;
/// Part of it that the first window has, by what a cycle took before: with others on the processors
/// each cycle of the first ones may take a time slice.
inline constexpr double kFirstWindow = 1.0 / 64;
/// The fastest of so many counts: others had to share the processor.
inline constexpr int kRepeats = 3;
/// Cycles below this are never shared: a barrier and the lines that change owners cost 130 ns
/// between two threads (docs/benchmarks.md), more between more.
inline constexpr double kWorthSharingNs = 400;
/// A thread more must win at least 5 %.
inline constexpr double kGain = 0.95;
/// Until then at least threads wake up, and caches fill with another share of the work; later trials
/// give them 1/kTrialShare of the time so far. A thread that starts late makes the others sleep, and
/// spinning is tried again after 1.5 ms: with 2 ms here a quarter of the runs of ring 20,000 found
/// two threads hopeless at first.
inline constexpr std::int64_t kDoubtNs = 4'000'000;
/// So many times slower need not be measured well.
inline constexpr double kHopeless = 2;
/// Between two looks at the clock, if cycles take what they did in the trial: ten times as long where
/// others have come.
inline constexpr double kSliceNs = 10'000'000;
/// Slow slices in a row that start a new trial; doubles when that changes nothing.
inline constexpr int kPatience = 3;
inline constexpr int kMostPatience = 256;
/// So many times as many slices that are slow together do the same. A guess.
inline constexpr double kWhole = 4;
/// More threads that are taken back before their time double the time until they are tried again, so
/// often at most.
inline constexpr int kMostRegrets = 8;
/// Until the trial is repeated; doubles while nothing changes. A second processor that sleeps may take
/// longer to come than a trial has: ring 20,000, runs of 0.3 s on one thread, stayed there in 3 of 4
/// when the second trial came after 2 s.
inline constexpr std::int64_t kFirstTrialNs = 100'000'000;
inline constexpr std::int64_t kRarestTrialNs = 64'000'000'000;
/// The least time between two trials, by what one takes: 5 % are lost at most, if it ran nothing.
inline constexpr std::int64_t kTrialShare = 20;

// ---------------------------------------------------------------- --adapt (adapter.cpp)
// What it gains as a whole: docs/experiments/adapt.md. Single numbers were not tried.

/// Windows whose median counts.
inline constexpr std::size_t kWindows = 3;
/// A plan is doubted when the busiest thread does so much more than the mean.
inline constexpr double kHighImbalance = 1.10;
/// A new plan must take so much less than the old one.
inline constexpr double kWorthANewPlan = 0.95;
/// Cycles whose median is the time of a piece.
inline constexpr std::uint64_t kMeasuredCycles = 9;
/// Windows that a plan stays when the last ones changed nothing, at most.
inline constexpr unsigned kLongestBackOff = 64;

}  // namespace sme::target
