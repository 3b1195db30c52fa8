#pragma once

#include "hdl/module_builder.h"
#include "source/source_manager.h"

namespace smec::hdl {

/// Gives the states of a process that waits the names of constants, "at_line_8": where `state` and
/// what is copied from it are compared with numbers or set to them. The line is that of the first
/// statement of the state.
void nameStates(ModuleBuilder& builder, SignalId state, SignalId next,
                const SourceManager& sources);

}  // namespace smec::hdl
