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
/// Weight of a part of a long body, in assignments. g++ takes 8 times as long for 800 branches around
/// a `trace` as for 400, and 1.3 times as long for each of 500 in parts of 500 as in parts of 100.
inline constexpr std::size_t kPartWeight = 1000;
/// Statements of a body that is cut into parts.
inline constexpr std::size_t kLongBody = 2000;
/// Of a trace, a check, a call: every path behind one is looked at, and everything loaded again.
inline constexpr std::size_t kCallWeight = 12;
/// Bytes of a local array on the stack. Larger ones are static: kernels do not nest or recurse. Not
/// measured.
inline constexpr std::uint64_t kStackBytes = 64 * 1024;

}  // namespace smec::codegen::cpp::target
