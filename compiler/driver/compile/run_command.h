#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/compile/command.h"

namespace smec::interp {
struct InterpretedDesign;
}

namespace smec::driver {

/// interp::run().
using Interpreter = int (*)(const interp::InterpretedDesign&, const std::vector<std::string>&);

/// `smec run`. Null: a program that was built without the interpreter, and refuses `--interpret`.
std::unique_ptr<Command> makeRunCommand(Interpreter interpreter);

}  // namespace smec::driver
