#pragma once

#include <cstdint>

#include "codegen/cpp/decide/kernel_plan.h"
#include "codegen/cpp/decide/program.h"

/// Plans of single kernels. What they keep in bulk goes to model.bin.
namespace smec::codegen::cpp {

/// The loop over all instances of a class: segments, seams, and the walks, each with a function of
/// its own.
LoopPlan decideLoop(Program& program, std::uint32_t kernel);

/// Straight-line code for a few instances of many classes.
BlockPlan decideBlock(Program& program, const plan::Kernel& kernel);

/// Calls of loops, row by row, in topological order.
OrderedPlan decideOrdered(Program& program, const plan::Kernel& kernel);

/// Calls of the loops directly in front of kernel `index`, range by range.
MergedPlan decideMerged(const plan::Kernel& kernel, std::uint32_t index);

}  // namespace smec::codegen::cpp
