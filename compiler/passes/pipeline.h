#pragma once

#include "ir/ir.h"

namespace smec::passes {

/// The passes in their fixed order (read pipeline.cpp); the design is verified after each. Throws
/// InternalError with a text when a pass broke it.
void run(ir::Design& design);

}  // namespace smec::passes
