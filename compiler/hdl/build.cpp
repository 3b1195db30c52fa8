#include "hdl/build.h"

#include "hdl/class_modules.h"
#include "hdl/messages.h"
#include "hdl/module_names.h"
#include "hdl/net_names.h"
#include "hdl/nets.h"
#include "hdl/networks.h"
#include "hdl/probes.h"
#include "hdl/routes.h"
#include "passes/passes.h"

// A module for each class of processes, and one for each network (instances of a declaration that
// come out equal share one), from the innermost outwards. A net passes through every module between
// its driver and its readers: in at a port of those that hold only readers, out of those that hold
// the driver.

namespace smec::hdl {

namespace {

/// Ports of the top that no process reads.
void judgePorts(const Netlist& list, const Crossing& outside, Messages& messages) {
    for (const std::uint32_t number : outside.in) {
        const Net& net = list.nets[number];
        if (!net.isFloat) continue;
        const hir::BusGroup& group = list.design.busGroups[list.design.buses[net.bus.index].group];
        messages.report(DiagId::HardwareFloat, group.range,
                        hir::pathOf(list.design, net.bus) + list.suffixOf(net));
    }
}

}  // namespace

std::optional<Design> build(const hir::Design& design, ir::Design lowered,
                            const SourceManager& sources, Diagnostics& diagnostics) {
    passes::fold(lowered);
    passes::removeProvedChecks(lowered);
    passes::removeDead(lowered);
    Messages messages(diagnostics);
    ModuleList modules;
    const Netlist list(design, lowered);
    const ClassModules classes = classModules(list, lowered, sources, modules, messages);
    if (messages.isUnusable()) return std::nullopt;
    const std::vector<Crossing> crossings = routes(list);
    const Crossing& outside = crossings[design.top.index];
    judgePorts(list, outside, messages);
    if (messages.isUnusable()) return std::nullopt;
    const std::vector<PlacedNode> placed =
        placeNetworks(list, NetNames(list), crossings, classes, modules);
    Design result;
    result.modules = modules.take();
    nameModules(result, placed[design.top.index].module, messages);
    renameLocals(result);
    if (messages.isUnusable()) return std::nullopt;
    addProbes(result, list, outside, classes, placed);
    return result;
}

}  // namespace smec::hdl
