#pragma once

#include <cstddef>
#include <cstdint>

/// The numbers of the machine that several phases share, each with what it was measured with.
namespace smec::ir::target {

/// Fewer instances of a class do not fill the lanes. Not measured.
inline constexpr std::uint32_t kLaneInstances = 16;
/// Connections whose runs are shorter than this on average are gathered by an index column. Not
/// measured.
inline constexpr std::size_t kShortRun = 8;
/// So few runs are never worth an index column. Not measured.
inline constexpr std::size_t kFewRuns = 4;
/// Sweeps that narrow the intervals of locals: three reach through nests of loops. Not measured.
inline constexpr int kIntervalSweeps = 3;

}  // namespace smec::ir::target
