#pragma once

#include <cstdint>

/// The numbers by which threads wait and work is dealt, each with what it was measured with.
namespace sme::target {

// ---------------------------------------------------------------- waiting
// What they come to as a whole: docs/experiments/waiting.md. Where no measurement is named, a number
// was not tried by itself.

/// A thread that waits spins so long before it sleeps. A sleep with its wake-up takes 5 to 9 us
/// between two processors of one socket, 25 in a bad one: so much is lost at most a few times over.
inline constexpr std::int64_t kSpinNs = 50'000;
/// With more threads than processors a thread that waits lets others run for so long before it
/// sleeps: several phases of 8 threads on 2 processors (12 us, 29 when all sleep), well below the
/// time slice that a busy program takes where it is let run.
inline constexpr std::int64_t kYieldNs = 200'000;
/// What it costs to have the other threads of a run awake, when they sleep between two runs: a run
/// that saves less by them is done without.
inline constexpr std::int64_t kWakeNs = 10'000;
/// Sleeps whose mean is what sleeping takes.
inline constexpr std::uint64_t kTrialSleeps = 32;
/// Sleeping is better when it takes less than this part of spinning.
inline constexpr double kClearlyLess = 0.8;
/// Older spins do not count: a few time slices of Linux.
inline constexpr std::int64_t kHorizonNs = 8'000'000;
/// Others who were there for a moment are forgotten after this: a spin in vain costs kSpinNs and a
/// sleep, so that tries come to 5 % at most.
inline constexpr std::int64_t kSoonestTryNs = 1'500'000;
inline constexpr std::int64_t kLatestTryNs = 1'000'000'000;
/// Part of the time that others have been there, after which spinning is tried: those of 48 ms are
/// forgotten in 6.
inline constexpr std::int64_t kPartOfCrowd = 8;
/// With more threads than processors: what a try took, so many times over, passes before the next.
/// 8 threads on 2 processors beside 2 busy programs: a phase takes 40 us asleep and a try 0.1 s.
inline constexpr double kTryShare = 20;
/// Spins in vain between two trials, at most. A bound.
inline constexpr std::uint32_t kMostVain = 64;

// ---------------------------------------------------------------- chunks

/// Batches of fiss and viss where none are given. Not measured.
inline constexpr double kBatches = 3;
/// Weight of the newest look at how many threads are idle (pss). A guess.
inline constexpr double kNewestIdle = 0.25;

// ---------------------------------------------------------------- ranks

/// Static cost of what runs between two looks after what travels.
inline constexpr double kLookCost = 6000;

// ---------------------------------------------------------------- orchestrations

/// Seed of random orders: any, so that the plan is the same each time.
inline constexpr std::uint64_t kPlanSeed = 1;
/// Nanoseconds to fetch a cache line that another thread wrote, one of many. Measured in ascending
/// order on two processors of one core: 1 to 4; one alone and back: 70 to 190. This is a guess
/// between them, for caches further apart.
inline constexpr double kLineNs = 15;
/// Bytes of a line.
inline constexpr double kLineBytes = 64;
/// Longest-first scatters neighbours over the threads; it has to be better by this to be worth it.
/// A guess.
inline constexpr double kWorthScattering = 0.98;
/// Random orders that are tried (montecarlo) and rounds of exchanges (optimize), where no number is
/// given. Bounds of the time that planning takes; not measured.
inline constexpr std::uint32_t kTries = 1000;
inline constexpr unsigned kMostRounds = 1000;

// ---------------------------------------------------------------- grids

/// Instances of a row, and rows of a plane, below which there is no dimension worth telling.
inline constexpr std::int64_t kShortestRow = 4;
/// Part of the places of a grid that read others at one distance: more than where a torus of three
/// rows is closed.
inline constexpr double kGridDensity = 0.5;

// ---------------------------------------------------------------- cuts of graphs
// Bounds of the time that they take; not measured one by one.

inline constexpr unsigned kCutRounds = 20;
inline constexpr unsigned kEvenRounds = 8;
/// Up to so many vertices are swapped, and where their number times that of the parts is no more.
inline constexpr std::size_t kMostSwapped = 512;
inline constexpr std::size_t kMostSwapRoom = std::size_t{1} << 16;
/// Moves that are tried after the last one that gained: so many, and one for so many vertices.
inline constexpr std::size_t kFewInVain = 64;
inline constexpr std::size_t kPartInVain = 50;
/// Graphs are made smaller down to so many vertices, or so many for each part, none of them dearer
/// than this many times their mean, as long as at most this part of the vertices is left.
inline constexpr std::size_t kFewVertices = 60;
inline constexpr std::size_t kFewOfPart = 30;
inline constexpr double kDearestPair = 4;
inline constexpr double kLeastPairing = 0.95;
/// Ways to begin with the smallest graph, where that has no more vertices than this; else one.
inline constexpr std::uint32_t kCutStarts = 8;
inline constexpr std::size_t kMostOfStarts = 4096;
/// Graphs are cut twice and more, by chance in other ways: as long as edges come to so many, and so
/// often at most.
inline constexpr std::size_t kCutEdges = 20'000;
inline constexpr std::size_t kMostCuts = 8;
/// METIS cuts graphs of up to so many levels (of five rings, each a level, it cuts five times what is
/// needed), and costs and bytes come to so much in its whole numbers, which may have 32 bits.
inline constexpr std::uint32_t kMetisLevels = 2;
inline constexpr double kMetisSum = 1e8;
/// By so much may the dearest part exceed the mean.
inline constexpr double kUneven = 0.03;
/// Less is the rounding of sums.
inline constexpr double kLeastGain = 1e-6;

}  // namespace sme::target
