#pragma once

#include <string>
#include <vector>

#include "plan/plan.h"

namespace smec::plan {

/// Whether cycles may go unobserved (Kernel::isUnobserved): all work of the design is one block, and cycles
/// can be run once more. Then, for its fields, when they are stored (Decision::upkeep), and which steps rest
/// (Kernel::resting). Of bodies whose statements are numbered, as code is made of them.
void decideUpkeep(const ir::Design& design, const Facts& facts, const Options& options, Plan& plan);

/// What is wrong with it, as text: who is not stored in each cycle is a scalar that a step of the block drives,
/// mirrors are equal to their variables, and nobody reads in memory what was not stored. O(what steps read).
std::vector<std::string> verifyUpkeep(const ir::Design& design, const Facts& facts,
                                      const Plan& plan);

}  // namespace smec::plan
