#pragma once

#include <memory>

#include "driver/compile/command.h"

namespace smec::driver {

/// `smec verify`: compares all engines with the interpreter, or proves the design equal to another.
std::unique_ptr<Command> makeVerifyCommand();

}  // namespace smec::driver
