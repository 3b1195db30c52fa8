#pragma once

#include "driver/cli/command_line.h"

namespace smec::driver {

/// A whole program of these commands: parses, carries out, returns one of system/exit_status.h. Once in
/// a process. `reader`: of the Verilog among what they compile; `interpreter`: of what is run without C++.
int runProgram(int argc, char** argv, CommandFactory commands, const VerilogReader& reader,
               const Interpreter& interpreter);

}  // namespace smec::driver
