#pragma once

#include <memory>

#include "driver/compile/command.h"

namespace smec::driver {

/// `smec run`.
std::unique_ptr<Command> makeRunCommand();

}  // namespace smec::driver
