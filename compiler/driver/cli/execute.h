#pragma once

#include "driver/compile/command.h"

namespace smec::driver {

/// Carries out a command; returns its exit status. Never throws.
int execute(Command& command);

}  // namespace smec::driver
