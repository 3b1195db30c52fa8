#pragma once

#include <memory>

#include "driver/compile/command.h"

namespace smec::driver {

/// `smec check`.
std::unique_ptr<Command> makeCheckCommand();

}  // namespace smec::driver
