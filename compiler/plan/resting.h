#pragma once

#include <vector>

#include "plan/plan.h"
#include "plan/touches.h"

namespace smec::plan {

/// Tells which steps of a block of one function rest in unobserved cycles until a later step, in a branch that
/// sets what they read, wakes them: Kernel::resting, and Recomputed::acrossCycles of what they drive.
/// `touches`: by class.
void findResting(const ir::Design& design, const std::vector<Touches>& touches, Kernel& kernel,
                 Storage& storage);

}  // namespace smec::plan
