#pragma once

#include "driver/verify/options.h"

namespace smec::driver {

/// Runs a design by the interpreter, by C++ simulators and by test benches of its hardware, and
/// prints who agrees. Returns the exit status.
int compareAll(const VerifyRequest& request);

}  // namespace smec::driver
