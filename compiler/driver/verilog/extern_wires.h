#pragma once

#include <string>

#include "driver/verilog/extern_modules.h"

namespace smec::driver {

/// Wires that carry one field.
using FieldWires = std::vector<const Wire*>;
std::vector<FieldWires> byField(const std::vector<Wire>& wires);

/// A module of processes that carry bits between buses of a process and ports of its module, one for
/// each field, called as `carrierOf` says, with the port of the process and one for each wire.
struct WiresModule {
    std::string text;
    std::vector<std::pair<std::string, sema::ModuleId>> imports;  ///< by alias, in order
};

/// Reports what cannot be carried, at the declaration.
WiresModule wiresModule(const hir::Design& design, const ExternProcess& process,
                        const sema::Program& program, Diagnostics& diagnostics);

std::string carrierOf(const FieldWires& field);

}  // namespace smec::driver
