#pragma once

#include <vector>

#include "hdl/body.h"
#include "hdl/module_list.h"
#include "hdl/nets.h"

namespace smec::hdl {

/// By class; nothing of simulation processes.
struct ClassModules {
    std::vector<Process> processes;
    std::vector<ModuleId> modules;
};

/// A module for each class, added to `modules`. `lowered`: the design of `list`, whose bodies become
/// straight.
ClassModules classModules(const Netlist& list, ir::Design& lowered, const SourceManager& sources,
                          ModuleList& modules, Messages& messages);

}  // namespace smec::hdl
