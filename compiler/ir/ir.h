#pragma once

// The design as the code generators see it: classes of equal processes, planes of storage,
// connections, and bodies of exact integer expressions. Structs are split into their scalar leaves
// and arrays of any shape are flattened, so that every stored thing is a scalar or a
// one-dimensional array of scalars. Plain data with typed ids; built by lower, changed by passes,
// read by plan and codegen. Nothing here knows C++.

#include "ir/body.h"
#include "ir/design.h"
#include "ir/expressions.h"
#include "ir/statements.h"
#include "ir/storage.h"
#include "ir/types.h"
