#pragma once

#include <vector>

#include "hdl/body.h"
#include "hdl/hdl.h"

namespace smec::hdl {

/// Gives all modules, the test bench and the package of a design names that differ, in any case of
/// letters. What is written by hand keeps its own; complains where that cannot be.
void nameModules(Design& design, ModuleId top, Messages& messages);

/// Locals and counters of processes that are called like an instance get other names: linters say
/// that they hide it.
void renameLocals(Design& design);

/// Whether something else in a module would hide an instance of it that has the same name.
bool hidesInstance(const Module& module, const std::string& name);

}  // namespace smec::hdl
