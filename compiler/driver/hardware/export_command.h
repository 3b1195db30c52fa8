#pragma once

#include <memory>

#include "driver/compile/command.h"

namespace smec::driver {

/// `smec export`: writes the design as hardware with its test bench.
std::unique_ptr<Command> makeExportCommand();

}  // namespace smec::driver
