#pragma once

#include <vector>

#include "plan/plan.h"

namespace smec::plan {

/// Held arrays that need one slot, by plane: all their readers are steps of the writer's block which
/// run before it, or the writer itself before it sets anything, so that what is set in a cycle is
/// not read before the next one. Puts writers behind such readers within the blocks of the plan.
std::vector<bool> orderForOneSlot(const ir::Design& design, const Options& options, Plan& plan);

}  // namespace smec::plan
