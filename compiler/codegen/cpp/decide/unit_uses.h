#pragma once

#include "codegen/cpp/decide/program.h"

namespace smec::codegen::cpp {

/// Of the bodies that the unit's kernels print.
UnitUses usesOf(const Program& program, const plan::TranslationUnit& unit);

}  // namespace smec::codegen::cpp
