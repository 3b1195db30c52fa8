#pragma once

#include <cstddef>
#include <cstdint>

/// The numbers by which memory is laid out and runs are cut, each with where it comes from.
namespace sme::target {

/// Bytes of a cache line, and of a huge page on x86-64 and AArch64 with 4 KiB pages.
inline constexpr std::size_t kLine = 64;
inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

/// From so many bytes on it matters which thread touches memory first: about the last-level cache
/// of a server processor. A guess.
inline constexpr std::size_t kBigMemory = std::size_t{32} << 20;

/// Lines by which the second slot and the state lie beside a multiple of a page (see after() in
/// arena.cpp): any odd number and another far from it and from 0 do, of the 64 lines of a page.
inline constexpr std::size_t kSecondSlotSkew = 17 * kLine;
inline constexpr std::size_t kStateSkew = 38 * kLine;

/// What a rank has to do for what crosses, in units of static cost (an addition is 1, about 0.3 ns):
/// bytes and stretches that are copied into a parcel, carried and copied out of it, and the message.
inline constexpr double kRankByteCost = 1;
inline constexpr double kRankRangeCost = 20;
inline constexpr double kRankMessageCost = 3000;
/// The same for elements that are copied one by one, and for each stretch of instances that a rank
/// runs: the call of a kernel, which looks for its place in what it reads. 18 to 25 ns where the
/// stretches of a mesh have 256 or 512 cells, 67 where they have 128, a page apart.
inline constexpr double kRankScalarCost = 4;
inline constexpr double kRankPieceCost = 100;

/// Designs of which at least this part of the cost is in works that cannot be cut are cut as graphs
/// of works, a loop in so many pieces for each rank; not where there are more pieces than the bound of
/// the time that it takes.
inline constexpr double kIrregular = 0.1;
inline constexpr double kPiecesOfRank = 16;
inline constexpr std::size_t kMostCutPieces = std::size_t{1} << 15;

/// Bytes of a page, and how much memory blocks may waste where ranks have parts of the same pages:
/// this share of what a rank has, or so many bytes.
inline constexpr double kPage = 4096;
inline constexpr double kSpareShare = 0.1;
inline constexpr double kSpareBytes = 2 << 20;

/// What one more piece of a work costs, and how much of a message cuts may cost where ranks compute
/// while parcels travel.
inline constexpr double kRankCutCost = 60;
inline constexpr double kRankCutShare = 0.25;

/// Nanoseconds of a stretch of cycles in which ranks try out whether that is faster, how many there
/// are, and what part of the time it has to take at most. Guesses.
inline constexpr double kOverlapTrialNs = 400'000;
inline constexpr unsigned kOverlapTurns = 10;
inline constexpr double kOverlapGain = 0.99;

/// Ranks of designs that nothing inside can end look for a wish from outside about this often, in
/// nanoseconds.
inline constexpr std::int64_t kRankLookNs = 5'000'000;

/// Ranks that run ahead do so for this long at most, in nanoseconds, and where that costs at most
/// this share of what they save. What of it was in vain where something happened is lost.
inline constexpr double kAheadNs = 10'000'000;
inline constexpr double kAheadShare = 0.25;

/// Rounds of loops in an activation after which ranks that run ahead go back: the values that the
/// loop waits for may be ones that no run has. Some 50 us.
inline constexpr std::uint64_t kAheadRounds = 1 << 16;

/// Bytes that are copied in a nanosecond, before that is measured. A guess.
inline constexpr double kCopyBytesPerNs = 4;

/// Bytes up to which there are eight places for parcels from one rank to another one of its machine,
/// and up to which there are four: a line or a few, and what is small beside a level-2 cache.
/// Guesses.
inline constexpr std::size_t kSmallParcel = 4096;
inline constexpr std::size_t kMiddlingParcel = std::size_t{64} << 10;

/// Rounds in which ranks of one process look for each other before they sleep: some microseconds,
/// about what a sleep costs.
inline constexpr unsigned kRankSpins = 1000;

/// Unobserved cycles of one call, in units of static cost and as bounds: behind them somebody asks
/// whether the run is to end, a millisecond or two later at most; the call is lost among them.
inline constexpr double kStretchCost = 5e6;
inline constexpr std::uint64_t kLeastStretch = 16;
inline constexpr std::uint64_t kMostStretch = std::uint64_t{1} << 16;
/// Where memory is copied in front of them: bytes of a unit, how many times as long as the copy the cycles
/// take at least, and what they may take at most, some 30 ms. Guesses.
inline constexpr double kCopyBytesPerUnit = 4;
inline constexpr double kCopyShare = 16;
inline constexpr double kLongestStretchCost = 1e8;
/// At most this part of all cycles run in vain. A guess.
inline constexpr std::uint64_t kVainShare = 16;

}  // namespace sme::target
