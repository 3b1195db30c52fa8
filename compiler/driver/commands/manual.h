#pragma once

#include <string>
#include <vector>

#include "driver/cli/command_table.h"

namespace smec::driver {

/// The manual page smec(1), in roff with the macros of man(7).
std::string manualPage(const std::vector<CommandEntry>& commands);

}  // namespace smec::driver
