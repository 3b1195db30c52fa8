#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/ir.h"
#include "plan/plan.h"
#include "source/source_manager.h"

namespace smec::driver {

/// What a module of imported Verilog, or a process of `.sme`, is of a design.
struct ModuleShare {
    std::string name;              ///< "cpu.alu": file and module
    double cost = 0;               ///< of a cycle of all instances, in the scheduler's units
    std::uint64_t statements = 0;  ///< of its classes
    std::uint64_t instances = 0;
};

/// The dearest first.
std::vector<ModuleShare> moduleShares(const ir::Design& design, const plan::Plan& plan,
                                      const plan::Facts& facts, const SourceManager& sources);

/// What has read the Verilog of a design: "cpu: Yosys 0.23, read_verilog".
std::vector<std::string> verilogReaders(const SourceManager& sources);

}  // namespace smec::driver
