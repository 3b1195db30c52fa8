#pragma once

#include "driver/compile/command.h"

namespace smec::driver {

/// Carries out a command; returns its exit status. Never throws.
int execute(Command& command);

/// Prints a text to standard output; returns the exit status. Never throws.
int print(const std::string& text);

}  // namespace smec::driver
