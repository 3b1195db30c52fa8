#pragma once

#include <memory>

#include "driver/compile/command.h"

namespace smec::driver {

/// `smec bench`: compiles the design, measures it with each model on each number of threads, and
/// prints a table.
std::unique_ptr<Command> makeBenchCommand();

}  // namespace smec::driver
