#pragma once

#include <set>
#include <vector>

#include "rtl/signals.h"

namespace smec::rtl {

/// Where a signal is computed: in the combinational process of that number, or
inline constexpr std::uint32_t kClocked = UINT32_MAX;      ///< in the clocked body
inline constexpr std::uint32_t kNowhere = UINT32_MAX - 1;  ///< nobody reads it

/// An output of the module.
struct Output {
    const netlist::Port* port;
    bool isRegistered = false;    ///< made of registers alone: the clocked body writes it
    SignalId signal = kConstant;  ///< else: what drives it, under the port's name
};

/// What an instance gets for a port, or who takes what it gives.
struct Argument {
    std::string port;  ///< of the instance's module
    SignalId signal = kConstant;
    std::uint32_t width = 0;
    ast::Integer value;  ///< of a constant
    bool isSigned = false;
};

struct Instance {
    const netlist::Cell* cell;
    std::string name;
    std::vector<Argument> arguments;
};

/// How a module becomes processes: its registers and memories a clocked body, what instances,
/// outputs and other processes read of the rest combinational processes, each with the outputs that
/// depend on the same inputs, so that no cycle arises that the hardware does not have.
struct ModulePlan {
    ModulePlan(const netlist::Module& module_, const Interfaces& children, const Interface& own)
        : module(module_), signals(module_, children, own, names) {}

    const netlist::Module& module;
    Names names;
    Signals signals;
    std::vector<Output> outputs;
    std::vector<Instance> instances;
    std::vector<const netlist::Cell*> registers;
    std::vector<const netlist::Cell*> memories;
    std::vector<const netlist::Cell*> checks;  ///< in the order in which they print

    std::vector<std::uint32_t> process;             ///< by signal
    std::vector<std::vector<SignalId>> groups;      ///< of each combinational process, in order
    std::vector<SignalId> clocked;                  ///< what the clocked body computes, in order
    std::vector<bool> isOnBus;                      ///< by signal: others than its process read it
    std::set<const netlist::Cell*> sharedMemories;  ///< that combinational processes read
    std::set<std::string, std::less<>> registeredOutputs;

    bool hasState() const { return !registers.empty() || !memories.empty() || !checks.empty(); }
};

/// Throws Problem.
ModulePlan planModule(const netlist::Module& module, const Interfaces& children,
                      const Interface& own);

}  // namespace smec::rtl
