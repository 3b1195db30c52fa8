#pragma once

#include "driver/compile/options.h"

namespace smec::driver {

/// Compares every simulator of a design with the interpreter, or proves the design equal to another
/// one. Returns the exit status.
int verify(const Invocation& invocation);

}  // namespace smec::driver
