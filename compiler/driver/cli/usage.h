#pragma once

#include <string>
#include <vector>

#include "driver/cli/command_table.h"

namespace CLI {
class ParseError;
}

namespace smec::driver {

/// What is wrong where the first word is no command: a slip, or the file of a program.
std::string problemOfFirstWord(const std::string& word, const std::vector<std::string>& commands);

/// What is wrong after the command of this name in `table`; `remaining` are the arguments that it
/// does not take.
std::string problemOfCommand(const CLI::ParseError& error, const std::string& name,
                             const std::vector<CommandEntry>& table,
                             const std::vector<std::string>& remaining);

/// The part of --help about the simulator's options; empty where the command takes none.
std::string simulatorHelp(const CommandEntry& command);

}  // namespace smec::driver
