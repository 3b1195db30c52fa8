#pragma once

#include "lower/context.h"

namespace smec::lower {

/// The function for the class, lowered at its first use. `sites`: the class's body.
ir::FunctionId lowerFunction(Context& context, hir::FunctionId id, const ClassShape& shape,
                             ir::Body& sites);

}  // namespace smec::lower
