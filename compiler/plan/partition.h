#pragma once

#include <string>

#include "plan/levels.h"
#include "plan/merge.h"
#include "plan/plan.h"

namespace smec::plan {

/// Fills `kernels`: by level, then in source order.
void formKernels(const ir::Design& design, const Options& options, const Schedule& schedule,
                 const Merging& merging, const std::vector<std::uint32_t>& sizes,
                 const std::vector<double>& costs, Plan& plan);

/// Fills `units`: a kernel, or a function of one that is cut, is in one.
void formUnits(const ir::Design& design, const Options& options,
               const std::vector<std::uint32_t>& sizes, Plan& plan);

/// Name of the process a kernel starts with.
const std::string& firstProcess(const Kernel& kernel, const ir::Design& design);

}  // namespace smec::plan
