#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "driver/cli/command_table.h"

namespace smec::driver {

/// The completion script for `bash`, `zsh` or `fish`; empty for any other shell.
std::string completionScript(std::string_view shell, const std::vector<CommandEntry>& commands);

std::string bashCompletion(const std::vector<CommandEntry>& commands);
std::string zshCompletion(const std::vector<CommandEntry>& commands);
std::string fishCompletion(const std::vector<CommandEntry>& commands);

/// The options of a command with those of the simulator that it passes on.
std::vector<OptionEntry> allOptions(const CommandEntry& command);

bool takesFolder(const OptionEntry& option);
bool takesFile(const OptionEntry& option);

}  // namespace smec::driver
