#pragma once

#include "driver/compile/options.h"

namespace smec::driver {

/// Compiles the design, measures it with each model on each number of threads, and prints a table.
/// Returns the exit status.
int bench(const Invocation& invocation);

}  // namespace smec::driver
