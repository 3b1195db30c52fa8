#pragma once

#include "codegen/cpp/decide/program.h"

namespace smec::codegen::cpp {

/// Gives walks of a unit's loops that do the same one function, that of the first.
void shareWalks(Program& program, const plan::TranslationUnit& unit);

}  // namespace smec::codegen::cpp
