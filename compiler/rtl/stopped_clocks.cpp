#include "rtl/stopped_clocks.h"

#include <algorithm>

#include "rtl/aliases.h"
#include "rtl/clock_nets.h"
#include "rtl/registers.h"

//     dtm tap(.tck(1'b0), ...)      whose registers all take tck: none of them ever changes

namespace smec::rtl {
namespace {

using netlist::Bits;
using netlist::Cell;

bool standsStill(const Bits& clock) { return std::ranges::none_of(clock, netlist::isNet); }

bool isStopped(const ClockedModule& one, const netlist::Port& port) {
    return port.direction == netlist::Direction::Input && port.bits.size() == 1
           && one.clocks.contains(port.bits[0]) && !one.uses.empty()
           && std::ranges::all_of(one.uses, [&](const ClockedModule::Use& use) {
                  const Bits& clock = (*use.cell)[port.name];
                  return standsStill(clock) && clock == (*one.uses[0].cell)[port.name];
              });
}

void stopPorts(ClockedModule& one) {
    Aliases aliases;
    std::erase_if(one.module.ports, [&](const netlist::Port& port) {
        if (!isStopped(one, port)) return false;
        const Bits value = (*one.uses[0].cell)[port.name];  // others may read it
        aliases.add(port.bits, value.empty() ? Bits{netlist::kZero} : value);
        for (const ClockedModule::Use& use : one.uses)
            use.cell->connections.erase(port.name);
        return true;
    });
    aliases.resolve(one.module);
}

/// It has no clock any more, so that it is none that others have to share.
void stopRegister(Cell& cell) {
    if (cell.type.starts_with("$aldff")) return;
    for (const char* pin : {"CLK", "EN", "SRST"})
        cell.connections.erase(pin);
    cell.connections["D"] = Bits(cell["Q"]);
    if (cell.type == "$adffe") cell.type = "$adff";
    if (cell.type == "$dffe" || cell.type.starts_with("$sdff")) cell.type = "$dff";
}

}  // namespace

void stopConstantClocks(const std::vector<netlist::Module*>& modules) {
    ClockNets nets(modules);
    for (auto one = nets.all.rbegin(); one != nets.all.rend(); ++one)
        stopPorts(*one);
    for (netlist::Module* module : modules) {
        for (Cell& cell : module->cells) {
            if (isRegister(cell) && standsStill(cell["CLK"])) stopRegister(cell);
        }
    }
}

}  // namespace smec::rtl
