#pragma once

#include <cstddef>
#include <cstdint>

/// The numbers by which the generated C++ is decided, each with what it was measured with.
namespace smec::codegen::cpp::target {

/// Instances at the seam of two segments: longer ones are worth a loop of their own. Not measured.
inline constexpr std::uint32_t kLongestSeam = 4;
/// Instances that run in one go before those at seams are computed again. Not measured.
inline constexpr std::uint32_t kSeamSpan = 4096;
/// Rows of a table of segments in the code; longer ones lie in model.bin. Not measured.
inline constexpr std::size_t kRowsInCode = 16;
/// Bytes of a constant table in the code; longer ones lie in model.bin. Not measured.
inline constexpr std::size_t kTableBytes = 2048;
/// Instances of which a merged kernel runs one part before the next: what they write stays in the
/// nearest cache. Not measured.
inline constexpr std::uint32_t kMergedInstances = 1024;
/// Instances of which a loop runs one stage before the next: temporaries between them stay in the
/// nearest cache. Not measured.
inline constexpr std::size_t kStageInstances = 256;
/// Weight of a part of a long body, in assignments. 6,000 of 50 variables in parts of 1000, 2000 and
/// 4000: 297, 331 and 472 ns a cycle, and as many seconds of g++.
inline constexpr std::size_t kPartWeight = 1000;
/// Statements of a body that is cut into parts.
inline constexpr std::size_t kLongBody = 2000;
/// Of a trace, a check, a call: every path behind one is looked at. Of a loop (10,000 of them take 12
/// CPU s, at 1 they take 16). 2,500 `trace`s at 12, 6, 3 and
/// 1.5: 1.36, 1.41, 1.49 and 2.17 CPU s of g++; as many `assert`s take 32, 17, 12 and 8 ns.
inline constexpr std::size_t kCallWeight = 4;
/// Bytes of a local array on the stack. Larger ones are static: kernels do not nest or recurse. Not
/// measured.
inline constexpr std::uint64_t kStackBytes = 64 * 1024;

/// Statements of a block of which unobserved cycles are written out two by two, so that its fields and
/// variables stay in registers: two clocked processes, one with an assertion, 0.55 ns a cycle and 0.93 one by one;
/// but PicoRV32 (some 900 statements) 42.8 and 39.1.
inline constexpr std::uint64_t kPairStatements = 64;

/// A step rests which has at least one of so many operators of its block: what it comes to lies in
/// memory then. Instructions a cycle: SERV's decoder (1 in 6, awake in 1 of 70 cycles) 1,049 and 864,
/// mor1kx's (1 in 10, in 71 %) 2,767 and 2,859, LatticeMico32's (1 in 9, in 36 %) 1,894 and 1,896.
inline constexpr std::size_t kRestingShare = 8;
/// Branches that wake it, at most. Not measured.
inline constexpr std::size_t kRestingWakers = 4;

}  // namespace smec::codegen::cpp::target
