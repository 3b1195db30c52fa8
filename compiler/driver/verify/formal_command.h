#pragma once

#include "driver/verify/options.h"

namespace smec::driver {

/// `smec verify --formal`: proves by Yosys that the design, or one of its processes, and another
/// revision or a Verilog module do the same. Returns the exit status.
int verifyFormal(const VerifyRequest& request);

}  // namespace smec::driver
