#pragma once

#include <memory>

#include "driver/compile/command.h"

namespace smec::driver {

/// `smec explain`: prints what the page docs/diagnostics.md says about messages, or the list of all
/// messages where none is named.
std::unique_ptr<Command> makeExplainCommand();

}  // namespace smec::driver
