#pragma once

#include <cstddef>
#include <cstdint>

/// The numbers by which hardware is made, each with what it was measured with. What tools refuse:
/// docs/hdl-tools.md.
namespace smec::hdl::target {

// ---------------------------------------------------------------- bodies in one clock cycle
// Beyond these a body is no hardware that tools take in reasonable time: the user is told. Not
// measured.

/// Rounds of one loop.
inline constexpr std::uint64_t kMostRounds = 4096;
/// Rounds of one loop whose bounds vary: each has a test.
inline constexpr int kMostBounded = 256;
/// Returns, each of which has what follows after a test.
inline constexpr std::uint64_t kMostReturns = 4096;
inline constexpr std::size_t kMostExprs = 200'000;
inline constexpr std::size_t kMostStatements = 200'000;

// ---------------------------------------------------------------- loops

/// Rounds of a loop that stays a loop. Not measured.
inline constexpr std::uint64_t kFewestKept = 3;
/// Verilator 5.006 refuses about 3,100 rounds, and says "above 1024".
inline constexpr std::uint64_t kMostKept = 1024;
/// Instances in a row that are worth a loop. Not measured.
inline constexpr std::size_t kFewestNeighbours = 3;
/// In one loop; as `kMostKept`.
inline constexpr std::size_t kMostNeighbours = 1024;
/// Rounds that Verilator 5.006 writes out (its --unroll-count); in other loops it cannot assign
/// arrays by `<=`.
inline constexpr std::uint64_t kMostUnrolled = 64;
/// Operations of all rounds, beyond which it does not write them out either: its --unroll-stmts is
/// 30,000 nodes of its tree, about ten for each operation.
inline constexpr std::uint64_t kMostOperations = 3000;
/// Operations of each element of an array that is copied. Not measured.
inline constexpr std::uint64_t kElementOperations = 3;

// ---------------------------------------------------------------- registers and memories

/// Elements of an array that a reset sets; longer ones are memories. A promise of the language's
/// (docs/hdl-flow.md), so that what is block RAM does not depend on the tool. Not measured.
inline constexpr std::uint32_t kMostReset = 64;
/// Words set in front of a read of a memory, with each of which the read compares its address. Not
/// measured.
inline constexpr std::size_t kMostBypassed = 4;
/// Parts of a word that have enables of their own: the bytes of 512 bits. Not measured.
inline constexpr std::uint32_t kMostParts = 64;

// ---------------------------------------------------------------- expressions

/// Nodes of an expression that is written where its value is read once. Not measured.
inline constexpr std::uint32_t kMostForwarded = 24;
/// Operators of an expression on one line, for whoever reads it.
inline constexpr std::size_t kReadableOperators = 40;
/// Bits of a count of a shift: what every language's `integer` holds.
inline constexpr std::uint32_t kWidestCount = 31;

// ---------------------------------------------------------------- recorded runs

/// Bits of a word that the test bench compares at once, unless a single column is longer. Not
/// measured.
inline constexpr std::uint32_t kMostWordBits = 512;

}  // namespace smec::hdl::target
