#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

/// The numbers by which the plan is made, each with what it was measured with. How long blocks and
/// units are can be chosen: plan::Options.
namespace smec::plan::target {

// ---------------------------------------------------------------- costs
// In additions; of operators: rough latencies (plan/cost.cpp). Not measured.

inline constexpr double kUnknownRounds = 16;
inline constexpr double kCallCost = 2;
inline constexpr double kOutputCost = 20;
/// Work of a level that the barrier in front of it is not worth: one between two threads costs 0.1
/// to 0.2 µs, in which loops do some thousand additions. Measured on `hetero` with two threads
/// (docs/benchmarks.md): 0.13 µs.
inline constexpr double kLightLevel = 20'000;

/// Statements of all instances of a combinational class that stand in the blocks of their readers:
/// less than a call of their loop, and a level of their own.
inline constexpr std::uint64_t kFewStatements = 32;
/// Instances of each class, at most, of a design that is one block: more have code for lanes, which
/// costs three times as much one by one, unless all of them have no more statements than this.
inline constexpr std::uint32_t kFewInstances = 15;
inline constexpr std::uint64_t kFewOfMany = 64;
/// Or this part of the design: Rocket has 32 and 33 of some queues and registers.
inline constexpr double kSmallPart = 1.0 / 8;
/// So many levels count, at most, where a design of one block is asked for its work: Rocket has 13
/// with 55,000 additions in all, and took 3.3 us a cycle in levels, 2.4 in one block.
inline constexpr std::uint32_t kMostLevels = 4;
/// Work of a cycle that a run on several threads does not try to share: about 400 ns (kWorthSharingNs of
/// the runtime). Designs without combinational processes, or with loops whose rounds a run decides, are
/// one block below that.
inline constexpr double kAloneCost = 1300;
/// A block of more blocks' worth of statements is cut into functions of so many. Rocket as one
/// function, and in functions of 4,000 statements, 2,000, 1,000: g++ 12 takes 77 s, 27, 22, 20
/// beside other work, and 200,000 cycles 0.49 s, 0.50, 0.47, 0.48.
inline constexpr std::uint64_t kLongestFunction = 8;
inline constexpr std::uint64_t kCutFunction = 1;
/// Blocks' worth of statements that stand together where apart they would be levels.
inline constexpr std::uint64_t kLongestJoined = 2;

// ---------------------------------------------------------------- layout

/// Bytes of a held array, at most, that has one slot in a block with combinational processes: a look
/// at their values between cycles copies it, which costs some microseconds.
inline constexpr std::uint64_t kMostEvaluated = 64 * 1024;

inline constexpr std::uint64_t kLine = 64;    ///< bytes of a cache line
inline constexpr std::uint64_t kVector = 32;  ///< bytes of a vector that compilers like to use
/// Larger planes of blocks get lines of their own. Not measured.
inline constexpr std::uint64_t kPackedBytes = 256;
/// Bytes of the margin for loops that read beyond a plane's end; longer ones are not made. Not
/// measured.
inline constexpr std::uint64_t kMostMargin = 64 * 1024;
/// Work between two splits that makes a shared cache line at the border negligible. Not measured.
inline constexpr double kSharedLineCost = 4096;

// ---------------------------------------------------------------- minimum cut
// What it gains: `hetero 1,000` in docs/internals.md. The bounds were not measured one by one.

/// How full leaves are at most on average: as full as the blocks of source order are.
inline constexpr double kLeafFill = 0.6;
/// Where leaves would hold fewer groups, they are larger than blocks.
inline constexpr std::size_t kGroupsPerLeaf = 8;
/// A group dearer than this part of a block is worth more than the cache lines that it exchanges.
inline constexpr double kDearPart = 1.0 / 16;
/// Into how many parts lists are cut to compare them.
inline constexpr std::array<std::uint32_t, 3> kCutParts{2, 4, 8};
/// Of the fields that source order cuts, so many may be cut for another order to pay …
inline constexpr double kWorthwhile = 0.7;
/// … where source order cuts at least this part of all.
inline constexpr double kManyCut = 0.1;
/// Fields of more readers do not say who belongs together.
inline constexpr std::size_t kManyReaders = 8;
/// METIS's weight of a group of median cost.
inline constexpr double kMedianWeight = 16;

// ---------------------------------------------------------------- flows
// Bounds of the table's size. Not measured.

/// Parts of a loop between which flows are told apart.
inline constexpr std::uint32_t kMostParts = 64;
inline constexpr std::uint32_t kPartsInAll = 4096;

}  // namespace smec::plan::target
