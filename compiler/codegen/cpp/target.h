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
/// Statements of a body that g++ compiles as one function: in 10,000 `trace`s it spends three times
/// as long on each as in 1,000.
inline constexpr std::size_t kPartStatements = 1000;
/// Bytes of a local array on the stack. Larger ones are static: kernels do not nest or recurse. Not
/// measured.
inline constexpr std::uint64_t kStackBytes = 64 * 1024;

}  // namespace smec::codegen::cpp::target
