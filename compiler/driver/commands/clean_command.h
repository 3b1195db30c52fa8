#pragma once

#include <memory>

#include "driver/compile/command.h"

namespace smec::driver {

/// `smec clean`.
std::unique_ptr<Command> makeCleanCommand();

}  // namespace smec::driver
