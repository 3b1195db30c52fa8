#pragma once

#include <memory>

#include "driver/compile/command.h"

namespace smec::driver {

/// `smec diff A B`: compares two traces of any formats.
std::unique_ptr<Command> makeDiffCommand();

}  // namespace smec::driver
