#pragma once

#include "lower/context.h"

namespace smec::lower {

/// Reports what the generated code cannot do yet, each at its place; says whether there was
/// nothing. Every restriction of this version stands here, so that it can go when it falls.
bool checkSupport(Context& context);

}  // namespace smec::lower
