#pragma once

#include <string>
#include <vector>

#include "plan/body_uses.h"
#include "plan/plan.h"

namespace smec::plan {

/// Tells which steps of a block of one function rest in unobserved cycles until a later step, in a branch that
/// sets what they read, wakes them: Kernel::resting, and Recomputed::acrossCycles of what they drive.
void findResting(const ir::Design& design, const Facts& facts, Kernel& kernel, Storage& storage);

/// What is wrong with that, as text: a step that rests is a value of inputs alone, what it drives outlives the cycle,
/// and something wakes it wherever a variable is set that reaches it. O(what steps read, for each that rests).
std::vector<std::string> verifyResting(const ir::Design& design, const Facts& facts,
                                       const Kernel& kernel, const Storage& storage);

}  // namespace smec::plan
