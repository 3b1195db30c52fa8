#pragma once

#include <functional>
#include <vector>

#include "ir/ir.h"
#include "plan/plan.h"

namespace smec::codegen::cpp {

/// Steps, each behind what it reads in its cycle, and, where that can be, one that drives a kept
/// plane behind the others that read it. Where it is free the order is the one given.
std::vector<plan::InstanceRef> orderBehindReaders(const ir::Design& design,
                                                  const std::vector<plan::InstanceRef>& steps,
                                                  const std::function<bool(ir::PlaneId)>& isKept);

}  // namespace smec::codegen::cpp
