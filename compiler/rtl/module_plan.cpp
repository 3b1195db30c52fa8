#include "rtl/module_plan.h"

#include <algorithm>

#include <fmt/format.h>

#include "rtl/placing.h"
#include "rtl/printed.h"
#include "rtl/registers.h"

namespace smec::rtl {
namespace {

/// Registers, memories, checks and instances of the module.
void listCells(ModulePlan& plan, const Interfaces& children) {
    for (const netlist::Cell& cell : plan.module.cells) {
        if (isRegister(cell)) plan.registers.push_back(&cell);
        if (isMemory(cell)) plan.memories.push_back(&cell);
        if (isCheck(cell)) plan.checks.push_back(&cell);
        if (children.contains(cell.type))
            plan.instances.push_back({&cell, plan.names.take(cell.name), {}});
    }
    sortByPriority(plan.checks);
}

/// Whether the clocked body can write these bits from its variables: before the first cycle they
/// have to be what a field is that nobody wrote; in all copies of a module, which else were no
/// longer of one class.
bool isMadeOfRegisters(const ModulePlan& plan, const netlist::Bits& bits) {
    if (!netlist::valueOf(plan.module.attributes, netlist::kStartsDiffer).empty()) return false;
    const Signals& signals = plan.signals;
    bool isAny = false;
    for (const Run& run : signals.runs(bits)) {
        if (run.signal == kConstant) {
            if (run.value != 0) return false;
            continue;
        }
        const Signal& signal = signals[run.signal];
        if (signal.origin != Origin::Register || signal.initial != 0) return false;
        isAny = true;
    }
    return isAny;
}

void planOutputs(ModulePlan& plan) {
    for (const netlist::Port& port : plan.module.ports) {
        if (port.direction != netlist::Direction::Output) continue;
        const std::string& name = plan.signals.ports.at(port.name);
        const std::optional<SignalId> whole = plan.signals.whole(port.bits);
        if (isMadeOfRegisters(plan, port.bits))
            plan.outputs.push_back({&port, true, kConstant});
        else if (whole && plan.signals[*whole].isOutput && plan.signals[*whole].name == name)
            plan.outputs.push_back({&port, false, *whole});
        else
            plan.outputs.push_back(
                {&port, false,
                 plan.signals.addWire(name, port.bits, nullptr, port.name, port.isSigned)});
    }
    for (Output& output : plan.outputs) {
        if (output.signal != kConstant) plan.signals.all[output.signal].isOutput = true;
    }
}

/// Whether a signal's bus may go to a port with or without a sign: a port's has the one that is
/// declared, others that of the first port that they go to.
bool canBe(ModulePlan& plan, SignalId id, bool isSigned, std::set<SignalId>& decided) {
    Signal& signal = plan.signals.all[id];
    const bool isPort =
        signal.isOutput || signal.origin == Origin::Input || signal.origin == Origin::Child;
    if (!isPort && decided.insert(id).second) signal.isSigned = isSigned;
    return signal.isSigned == isSigned;
}

Argument argumentFor(ModulePlan& plan, const Instance& instance, const InterfacePort& child,
                     const netlist::Bits& bits, std::set<SignalId>& decided) {
    const std::string& port = child.name;
    Argument argument{port, kConstant, static_cast<std::uint32_t>(bits.size()), 0, child.isSigned};
    const std::vector<Run> runs = plan.signals.runs(bits);
    const std::optional<SignalId> whole = plan.signals.whole(bits);
    if (whole && canBe(plan, *whole, child.isSigned, decided))
        argument.signal = *whole;
    else if (runs.size() == 1 && runs[0].signal == kConstant)
        argument.value = runs[0].value;
    else
        argument.signal = plan.signals.addWire(plan.names.take(instance.name + "_" + port), bits,
                                               instance.cell, port, child.isSigned);
    return argument;
}

void planArguments(ModulePlan& plan, const Interfaces& children) {
    std::set<SignalId> decided;
    for (Instance& instance : plan.instances) {
        const Interface& child = children.find(instance.cell->type)->second;
        for (const InterfacePort& declared : child.ports) {
            const auto& [port, width, isSigned] = declared;
            const netlist::Bits& bits = (*instance.cell)[port];
            if (child.outputs.contains(port)) {
                Argument argument{port, kConstant, width, 0, isSigned};
                if (const std::optional<SignalId> whole = plan.signals.whole(bits))
                    argument.signal = *whole;
                instance.arguments.push_back(argument);
            } else if (bits.empty()) {
                instance.arguments.push_back({port, kConstant, width, 0, isSigned});
            } else {
                instance.arguments.push_back(argumentFor(plan, instance, declared, bits, decided));
            }
        }
    }
}

}  // namespace

ModulePlan planModule(const netlist::Module& module, const Interfaces& children,
                      const Interface& own) {
    ModulePlan plan(module, children, own);
    listCells(plan, children);
    planOutputs(plan);
    planArguments(plan, children);
    place(plan, children);
    return plan;
}

}  // namespace smec::rtl
