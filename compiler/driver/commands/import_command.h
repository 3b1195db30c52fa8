#pragma once

#include <memory>

#include "driver/compile/command.h"

namespace smec::driver {

/// `smec import`: Verilog as `.sme`.
std::unique_ptr<Command> makeImportCommand();

}  // namespace smec::driver
