#pragma once

#include <memory>
#include <vector>

#include "driver/compile/command.h"

namespace smec::driver {

/// The commands of `smec`, in the order of its help.
std::vector<std::unique_ptr<Command>> allCommands();

}  // namespace smec::driver
