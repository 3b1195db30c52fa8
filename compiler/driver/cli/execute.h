#pragma once

#include "driver/compile/command.h"

namespace smec::driver {

/// Carries out a command; returns the exit status of CLI.md. Never throws.
int execute(Command& command);

}  // namespace smec::driver
