#pragma once

#include <cstdint>
#include <vector>

#include "plan/plan.h"

namespace smec::plan {

inline constexpr std::uint32_t kNoLevel = UINT32_MAX;

/// Straight-line instances that run one after the other within one kernel.
struct Cluster {
    std::vector<InstanceRef> steps;
    std::uint32_t level = 0;
    std::uint32_t statements = 0;
};

/// Looped classes that depend on one another.
struct OrderedGroup {
    std::vector<ir::ClassId> classes;
    std::vector<OrderedRow> rows;
    std::uint32_t level = 0;
};

/// When each combinational process runs. A chain of straight-line processes shares a cluster, and
/// so a level, while it fits `blockStatements`.
struct Schedule {
    /// Per class: whether its instances run in a loop (true) or as straight-line code.
    std::vector<bool> isLooped;
    std::vector<std::uint32_t>
        loopLevels;                 ///< per class; kNoLevel: clocked, in clusters or in a group
    std::vector<Cluster> clusters;  ///< in topological order
    std::vector<OrderedGroup> groups;
    std::uint32_t levels = 0;  ///< combinational ones
};

/// `sizes`: of the bodies, by class.
Schedule orderCombinational(const ir::Design& design, const Options& options,
                            const std::vector<std::uint32_t>& sizes);

/// Neighbouring levels of loops with less work than the barrier between them costs become one
/// level, a group, which is one thread's.
void joinLightLevels(const ir::Design& design, const Options& options,
                     const std::vector<double>& costs, Schedule& schedule);

}  // namespace smec::plan
