#pragma once

#include "codegen/cpp/decide/block_fields.h"
#include "codegen/cpp/decide/kernel_plan.h"
#include "codegen/cpp/decide/program.h"

namespace smec::codegen::cpp {

/// Tells which steps of a block rest in unobserved cycles (BlockStep::rests) until a later step, in a
/// branch that sets what they read, wakes them. None of a block that is cut into functions.
void decideSteady(const Program& program, const BlockFields& fields, BlockPlan& block);

}  // namespace smec::codegen::cpp
