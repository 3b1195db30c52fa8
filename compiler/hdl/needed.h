#pragma once

#include "ir/ir.h"

namespace smec::hdl {

/// Takes out of a body what no field and no assertion depends on: sets of variables that only each
/// other, and what was left out before (`cover`, `trace`), had a use for; and the variables that
/// nothing mentions then, so that no registers are made of them. The body has no calls. O(body).
void removeUnneeded(ir::Body& body);

}  // namespace smec::hdl
