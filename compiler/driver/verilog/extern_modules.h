#pragma once

#include <optional>
#include <vector>

#include "driver/compile/verilog_input.h"
#include "driver/verilog/extern_layout.h"
#include "rtl/interface.h"
#include "sema/program.h"

namespace smec::driver {

/// A const parameter of an extern process, as an instance has it.
struct ExternConstant {
    std::string name;
    hir::Integer value;
    bool isBool = false;
    bool operator==(const ExternConstant&) const = default;
};
using ExternConstants = std::vector<ExternConstant>;

/// An imported module: where it is in the program, and what its top is called and has as ports.
struct ExternModule {
    sema::ModuleId module;
    std::string entity;
    std::vector<rtl::InterfacePort> ports;
};

/// An extern process of Verilog alone, with all that the design has of it.
struct ExternProcess {
    const hir::Specialisation* spec = nullptr;
    std::vector<Wire> wires;
    std::vector<ExternConstants> constants;  ///< each once
};

/// Finds them, by place of the declaration's name. Reports what cannot be imported.
std::vector<ExternProcess> externProcesses(const hir::Design& design, Diagnostics& diagnostics);

/// The module behind a process, as a module of the program; the process' wires are told of the signs
/// of its ports. Nothing where something is wrong, which is reported.
std::optional<ExternModule> importModule(const hir::Design& design, ExternProcess& process,
                                         const ExternConstants& constants, VerilogInput input,
                                         sema::Program& program, SourceManager& sources,
                                         Diagnostics& diagnostics);

}  // namespace smec::driver
