#pragma once

#include <vector>

#include "codegen/cpp/decide/body_info.h"
#include "codegen/cpp/decide/kernel_plan.h"

namespace smec::codegen::cpp {

/// The stages of a body that fills lanes in stages (ir::fillsLanesInStages), from what a whole
/// activation loads and stores.
std::vector<Stage> stagesOf(const ir::Class& cls, const BodyInfo& info,
                            const Activation& activation);

}  // namespace smec::codegen::cpp
