#pragma once

#include <memory>

#include "driver/compile/command.h"

namespace smec::driver {

/// `smec fmt`.
std::unique_ptr<Command> makeFormatCommand();

}  // namespace smec::driver
