#pragma once

#include <cstdint>

/// The numbers by which `smec bench` chooses cycles and judges runs. None was measured by itself:
/// they are what one is willing to wait for, and guesses.
namespace smec::driver::target {

/// Where nobody gives a number, one thread gets cycles for about this time.
inline constexpr double kSecondsWanted = 0.3;
/// No plan is to take longer a run, though its threads may only wait for one another.
inline constexpr double kSecondsAtMost = 1;
/// Shorter runs say little about longer ones: caches, pages and --threads auto settle in 10 ms.
inline constexpr double kSecondsToJudge = 0.02;
/// By which the number of cycles grows at most from one trial to the next.
inline constexpr std::uint64_t kLargestFactor = 16;
/// Part of the cycles that is run with several threads, to see that they do not take too long.
inline constexpr std::uint64_t kTrialShare = 16;
/// Processors' worth of time that others may take before they are blamed, as in a simulator's
/// report/target.h.
inline constexpr double kQuiet = 0.1;
/// Seconds of a run that is too short for steady figures.
inline constexpr double kTooShort = 1e-3;

}  // namespace smec::driver::target
