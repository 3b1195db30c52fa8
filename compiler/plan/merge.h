#pragma once

#include "plan/levels.h"

namespace smec::plan {

/// Combinational work that needs no level of its own, because everything that reads it in its cycle
/// runs after it in the same unit of work:
///
///   loops       instance i of every reader reads instance i only: the loops run one after the
///   other
///               over the same range of instances (KernelKind::Merged)
///   clusters    all readers are straight-line code: it stands in front of them in their block
///
/// What nobody reads runs beside the clocked processes.
struct Merging {
    /// Looped classes in order, drivers before readers; one alone is a combinational loop that
    /// nobody reads.
    std::vector<std::vector<ir::ClassId>> loops;
    std::vector<std::uint32_t> loopOf;  ///< per class: its place in `loops`, or kNoLevel
    /// Straight-line steps that stay together: clusters, then the clocked classes that read them.
    struct Steps {
        std::vector<InstanceRef> steps;
        std::uint32_t statements = 0;
    };
    std::vector<Steps> steps;
    std::vector<std::uint32_t> stepsOf;  ///< per clocked class: its place in `steps`, or kNoLevel
};

/// Takes what it merges out of `schedule`, whose levels may become fewer.
Merging mergeIntoReaders(const ir::Design& design, const Options& options,
                         const std::vector<std::uint32_t>& sizes, Schedule& schedule);

}  // namespace smec::plan
