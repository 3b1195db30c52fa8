#pragma once

#include "plan/plan.h"

namespace smec::plan {

/// Fills `placements`, `clockedBytes`, `stateBytes`, and granularity and lanes of the kernels, as
/// `storage` asks.
void layOut(const ir::Design& design, const Facts& facts, const Options& options, Plan& plan);

}  // namespace smec::plan
