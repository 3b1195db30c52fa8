#pragma once

#include "ast/ast.h"
#include "rtl/interface.h"
#include "rtl/names.h"

namespace smec::rtl {

/// Inputs that the last declaration has and does not mention get a `_` in front: `smec check` says
/// nothing of these. `names` are those that it has inside.
void nameUnusedInputs(ast::Module& module, Interface& own, Names& names);

}  // namespace smec::rtl
