#pragma once

#include "driver/compile/options.h"

namespace smec::driver {

/// `smec fmt`: formats files in place, or tells what it would change. Returns the exit status.
int formatFiles(const Invocation& invocation);

}  // namespace smec::driver
