#pragma once

#include "elab/tree.h"

namespace smec::elab {

/// Checks the bodies of the processes that no instance was made of, where every port is typed, and
/// (with `warn`) reports the processes and networks of the main file that nothing instantiates.
///
/// Const parameters without a default get 1, false or the first member; such a body is checked in a
/// context of its own with two values, and only what is wrong with both is reported.
void checkUninstantiated(Tree& tree, const Entity* top, bool warn);

}  // namespace smec::elab
