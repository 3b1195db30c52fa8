#pragma once

#include <memory>

#include "driver/compile/command.h"

namespace smec::driver {

/// A command line: the command to carry out, or, after help, version or wrong usage were printed,
/// the exit status to end with.
struct ParsedCommandLine {
    std::unique_ptr<Command> command;
    int status = 0;
};
ParsedCommandLine parseCommandLine(int argc, char** argv);

}  // namespace smec::driver
