#pragma once

#include "driver/compile/options.h"

namespace smec::driver {

/// Writes the design as hardware, with a test bench from a run of the interpreter. Returns the exit
/// status.
int exportHardware(const Invocation& invocation);

}  // namespace smec::driver
