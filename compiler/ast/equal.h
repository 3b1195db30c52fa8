#pragma once

#include "ast/ast.h"

namespace smec::ast {

/// Whether two modules have the same declarations. Places, comments, and the order of expressions
/// in the arena do not count.
bool equal(const Module& a, const Module& b);

}  // namespace smec::ast
