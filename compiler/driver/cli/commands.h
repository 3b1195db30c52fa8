#pragma once

#include "driver/compile/options.h"

namespace smec::driver {

/// Carries out one invocation; returns the exit status of CLI.md. Never throws.
int execute(const Invocation& invocation);

}  // namespace smec::driver
