#include "interp/network.h"

#include "hir/fields.h"
#include "interp/hash.h"
#include "source/graph.h"
#include "source/internal_error.h"

namespace smec::interp {
namespace {

bool isCombinational(const hir::Design& design, std::uint32_t field) {
    return design.fields[field].kind == hir::FieldDriver::Combinational;
}

void placeFields(const Context& context, Network& network) {
    const hir::Design& design = context.design;
    network.fieldDefaults.resize(design.fields.size());
    for (const hir::Bus& bus : design.buses) {
        const hir::BusShape& shape = design.shapes[bus.shape.index];
        const std::vector<Value>& defaults = context.defaults[design.busGroups[bus.group].defaults];
        for (std::uint32_t i = 0; i < shape.fields.size(); ++i) {
            const std::uint32_t field = bus.firstField + i;
            network.fieldDefaults[field] = &defaults[i];
            if (!design.fields[field].driver.valid() || isCombinational(design, field)) continue;
            network.registers.push_back({field, shape.fields[i].type, shape.fields[i].hold,
                                         std::vector<Value>(shape.delay - 1, defaults[i])});
        }
    }
}

/// Gives the numbers of processes by instance.
std::vector<std::uint32_t> placeProcesses(const Context& context, Network& network) {
    const hir::Design& design = context.design;
    std::size_t variableCount = 0;
    std::vector<std::uint32_t> processOf(design.instances.size(), UINT32_MAX);
    for (std::uint32_t i = 0; i < design.instances.size(); ++i) {
        const hir::Instance& instance = design.instances[i];
        if (instance.kind != hir::InstanceKind::Process) continue;
        const hir::Specialisation& spec = design.specs[instance.spec.index];
        processOf[i] = static_cast<std::uint32_t>(network.processes.size());
        Process& process = network.processes.emplace_back();
        process.id = {i};
        process.instance = &instance;
        process.spec = &spec;
        process.body = &context.bodies[instance.spec.index];
        if (spec.kind == hir::ProcKind::Simulation)
            process.randomState =
                randomStart(hir::pathOf(design, process.id), context.settings.seed);
        variableCount += spec.body.vars.size();
    }
    network.variables.resize(variableCount);
    Value* vars = network.variables.data();
    for (Process& process : network.processes) {
        process.vars = vars;
        vars += process.spec->body.vars.size();
        startVariables(context, process);
    }
    return processOf;
}

std::vector<std::uint32_t> combinationalInputs(const hir::Design& design, const Process& process) {
    std::vector<std::uint32_t> fields;
    hir::forEachField(design, process.id, false,
                      [&](const hir::Port&, std::uint32_t, hir::BusId, std::uint32_t field) {
                          if (isCombinational(design, field)) fields.push_back(field);
                      });
    return fields;
}

/// Drivers before readers; among those that are free, in source order.
void orderCombinational(const hir::Design& design, const std::vector<std::uint32_t>& processOf,
                        Network& network) {
    std::vector<Process>& processes = network.processes;
    const auto driverOf = [&](std::uint32_t field) {
        return processOf[design.fields[field].driver.index];
    };
    for (std::uint32_t field = 0; field < design.fields.size(); ++field)
        if (isCombinational(design, field)) processes[driverOf(field)].outputs.push_back(field);
    std::vector<Edge> edges;
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < processes.size(); ++i) {
        if (processes[i].spec->kind != hir::ProcKind::Combinational) {
            network.clocked.push_back(i);
            continue;
        }
        ++count;
        for (const std::uint32_t field : combinationalInputs(design, processes[i]))
            edges.push_back({driverOf(field), i});
    }
    const Graph readers(static_cast<std::uint32_t>(processes.size()), edges);
    for (const std::uint32_t process : topologicalOrder(readers, Ties::Lowest)) {
        if (processes[process].spec->kind == hir::ProcKind::Combinational)
            network.combinationalOrder.push_back(process);
    }
    require(network.combinationalOrder.size() == count, "a combinational cycle was not reported");
}

}  // namespace

Network buildNetwork(const Context& context) {
    Network network;
    placeFields(context, network);
    const std::vector<std::uint32_t> processOf = placeProcesses(context, network);
    orderCombinational(context.design, processOf, network);
    return network;
}

void startFields(Context& context, const Network& network) {
    context.read.clear();
    for (const Value* value : network.fieldDefaults)
        context.read.push_back(*value);
    context.write = context.read;
}

void startVariables(const Context& context, Process& process) {
    const std::vector<hir::Variable>& vars = process.spec->body.vars;
    for (std::uint32_t i = 0; i < vars.size() && vars[i].kind == hir::VarKind::Process; ++i)
        process.vars[i] = context.values[context.design.initials[process.instance->firstInit + i]];
}

const std::string& classOf(const hir::Design& design, const Process& process) {
    return design.functions[process.spec->foreign.index].external->name;
}

}  // namespace smec::interp
