#pragma once

#include "plan/plan.h"

namespace smec::plan {

/// Fills `placements`, `clockedBytes`, `stateBytes` and the granularity of the kernels.
void layOut(const ir::Design& design, Plan& plan);

}  // namespace smec::plan
