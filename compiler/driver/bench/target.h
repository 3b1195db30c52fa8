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
/// By how much the same sequential run may take longer before it is said: more than a machine does by
/// itself. A guess.
inline constexpr double kDisturbed = 0.1;
/// Seconds of a run that is too short for steady figures.
inline constexpr double kTooShort = 1e-3;

// ---------------------------------------------------------------- --model-ranks

// Networks between ranks, in seconds and bits a second; docs/mpi.md names where they come from.
inline constexpr double kEthernetLatency = 11.5e-6;
inline constexpr double kEthernetBits = 23.7e9;
inline constexpr double kInfiniBandLatency = 1.2e-6;
inline constexpr double kInfiniBandBits = 192e9;
/// A further message at the same time: what its sender does about it. Guesses: a system call, and a
/// look at a queue.
inline constexpr double kEthernetMessage = 2e-6;
inline constexpr double kInfiniBandMessage = 0.2e-6;
/// Runs of ranks that are here; that of the middle counts.
inline constexpr unsigned kRankRuns = 5;
/// Supersteps that are tried. A bound.
inline constexpr unsigned kMostSuperstep = 64;
/// Part of a cycle from which on exchanges are remarked upon. A guess.
inline constexpr double kExchangeShown = 0.1;

}  // namespace smec::driver::target
