#pragma once

#include <cstddef>
#include <cstdint>

/// How far the passes go, each number with what it was measured with.
namespace smec::passes::target {

// ---------------------------------------------------------------- lanes

/// Bytes of a lane that all sides of a body's branches may compute together. What lanes gain is lost
/// on sides not taken. A switch of n cases of ten operations each, only one of which is taken: of
/// u8s 30, 6 and 3 times as fast with n = 8, 16, 32 (87, 150, 276 bytes of a lane),
/// of u32s 3.7, 3.5, 1.1 and 0.5 times with n = 8, 16, 32, 48 (291, 498, 912, 1337 bytes).
inline constexpr std::size_t kMostLaneBytes = 800;
/// Vectors of so many bytes that lanes may compute for each operation that an instance by itself does
/// on average, branches being taken half of the time. With 32: where the switch above breaks even
/// there are 2.9 of them.
inline constexpr std::size_t kVectorBytes = 32;
inline constexpr std::size_t kMostVectors = 2;
/// Operations for each access to memory that stages are made for. Where memory is what takes time, what
/// goes to and fro between them costs more than lanes save. With 4.5 for each 0.8 to 1.05 times as
/// fast, with 20 1.2 times (AVX-512); with 14 1.4 times, with 54 4 times (AVX2).
inline constexpr std::size_t kOperationsOfAccess = 12;
/// Stretches of accesses to memory in a body whose other statements run in lanes. Not measured.
inline constexpr std::uint32_t kMostStages = 4;
/// Size of a body where a copy is given up before its bytes are known. Not measured.
inline constexpr std::size_t kMostLaneSize = 2500;
/// Size of bodies that are branches alone. Not measured.
inline constexpr std::size_t kMostBranches = 160;
/// Elements of an array that is taken apart into scalars. Not measured.
inline constexpr std::uint32_t kMostElements = 16;
/// Bytes of an array beyond which it is not taken apart when at most one element in `kSparseShare`
/// is touched. 16 u32s, one written and one read at an index: 4 to 7 ns a step taken apart, 1.45 as
/// they are.
inline constexpr std::size_t kSparseBytes = 32;
inline constexpr std::size_t kSparseShare = 4;
/// Elements of an array that is spread, each a row of the model's tables. Not measured.
inline constexpr std::uint32_t kMostSpread = 256;
/// Rounds of a loop that is written out. Not measured.
inline constexpr std::uint64_t kMostUnrolled = 16;
/// Rounds of loops of an activation that goes through states, which are no longer counted. Not
/// measured.
inline constexpr std::uint32_t kMostUncounted = 64;
/// No pass makes a body grow beyond about so many expressions. Not measured.
inline constexpr std::size_t kMostExprs = 8000;

// ---------------------------------------------------------------- tests of one value

/// So many in a row are worth a switch: fewer g++ finds itself in a part of a long body. Not
/// measured.
inline constexpr std::size_t kManyTests = 256;
/// Statements of a switch, so that it is no longer than a part of a long body: calls, which are dear
/// there, count four times.
inline constexpr std::size_t kCaseStatements = 240;

// ---------------------------------------------------------------- replicas
// Not measured.

/// Expressions of a body that its readers compute again: a few operators.
inline constexpr std::size_t kCheapExprs = 24;
/// Its inputs: each is one more stream for every reader.
inline constexpr std::size_t kCheapInputs = 4;
/// Classes that compute it.
inline constexpr std::size_t kMostReaders = 3;

// ---------------------------------------------------------------- held arrays

/// Elements of a held array for which it is noted what is set.
inline constexpr std::uint32_t kReplayElements = 64;
/// An activation that may set more than this share of the elements copies them all.
inline constexpr std::uint32_t kReplayShare = 16;
/// Up to so many statements that set an element note it at a place of their own.
inline constexpr std::uint32_t kReplayPlaces = 16;

// ---------------------------------------------------------------- checks
// Bounds of the compiler's own time. Not measured.

/// Depth of conditions that are looked into.
inline constexpr int kConditionDepth = 12;
/// Depth of operators through which intervals are found again.
inline constexpr int kOperatorDepth = 6;
/// What is known at one place; beyond that all is dropped.
inline constexpr std::size_t kMostFacts = 256;
/// Steps through an expression to find what it reads.
inline constexpr int kMostSteps = 1000;

// ---------------------------------------------------------------- order of instances

/// Instances times wires that are looked at for the best order of a class. Not measured.
inline constexpr std::size_t kOrderSteps = 20'000'000;
/// What one class gains by another order can be lost by those that read it, which find another one
/// in the next round. Not measured.
inline constexpr int kOrderRounds = 2;

}  // namespace smec::passes::target
