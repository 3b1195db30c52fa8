#pragma once

#include "codegen/cpp/decide/program.h"

namespace smec::codegen::cpp {

/// Of a unit's kernels, and of the bodies that they print. `unit`: of plan::Plan::units.
UnitUses usesOf(const Program& program, std::uint32_t unit);

}  // namespace smec::codegen::cpp
