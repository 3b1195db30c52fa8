#pragma once

#include "driver/cli/command_table.h"
#include "driver/compile/run_options.h"

namespace CLI {
class App;
}

namespace smec::driver {

/// An option of the simulator.
OptionEntry describe(const RunOption& option);
/// A command as it is declared to CLI11.
CommandEntry describe(const CLI::App& app);

}  // namespace smec::driver
