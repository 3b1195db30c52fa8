#pragma once

#include "plan/plan.h"

namespace smec::plan {

/// Fills `placements`, `clockedBytes`, `stateBytes`, and granularity and lanes of the kernels.
/// `inPlace`: fields, by plane, that have one slot.
void layOut(const ir::Design& design, const Facts& facts, const Options& options,
            const std::vector<bool>& inPlace, Plan& plan);

}  // namespace smec::plan
