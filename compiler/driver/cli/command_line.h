#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/cli/command_table.h"
#include "driver/compile/command.h"

namespace smec::driver {

class Interpreter;
class VerilogReader;

/// A command line: the command to carry out; or help or the version, to be printed; or, after wrong
/// usage was told, the exit status to end with.
struct ParsedCommandLine {
    std::unique_ptr<Command> command;
    int status = 0;
    std::string text;
};

/// Makes the commands of a program, in the order of its help.
using CommandFactory = std::vector<std::unique_ptr<Command>> (*)();

/// `reader` and `interpreter` outlive the command.
ParsedCommandLine parseCommandLine(int argc, char** argv, CommandFactory commands,
                                   const VerilogReader& reader, const Interpreter& interpreter);
std::vector<CommandEntry> commandTable(CommandFactory commands);

}  // namespace smec::driver
