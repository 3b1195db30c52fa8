#pragma once

#include <cstdint>
#include <vector>

#include "plan/plan.h"

namespace smec::plan {

/// Values that some instances of one scheduled kernel read and some of another one write: `bytes`
/// in a cycle, spread evenly over both. Kernels are numbered as works: those that are scheduled, in
/// order. A block has one instance.
struct Flow {
    std::uint32_t reader;
    std::uint32_t readerFirst;
    std::uint32_t readerCount;
    std::uint32_t writer;
    std::uint32_t writerFirst;
    std::uint32_t writerCount;
    std::uint64_t bytes;
};

/// What kernels send each other, for planners that look at it at run time. Kernels are divided into
/// at most 64 parts, fewer where there are many kernels, so that there are at most some thousand
/// flows of a regular design. O(runs + kernels).
std::vector<Flow> flowsOf(const ir::Design& design, const Plan& plan);

}  // namespace smec::plan
