#pragma once

#include <memory>
#include <vector>

#include "driver/cli/command_table.h"
#include "driver/compile/command.h"

namespace smec::driver {

/// `smec completion` and `smec man`, which print what `table` says of all commands.
std::unique_ptr<Command> makeCompletionCommand(std::vector<CommandEntry> (*table)());
std::unique_ptr<Command> makeManualCommand(std::vector<CommandEntry> (*table)());

}  // namespace smec::driver
