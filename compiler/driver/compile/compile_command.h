#pragma once

#include <memory>

#include "driver/compile/command.h"

namespace smec::driver {

/// `smec compile`.
std::unique_ptr<Command> makeCompileCommand();

}  // namespace smec::driver
