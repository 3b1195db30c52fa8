#include "hdl/connections.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ir/arithmetic.h"
#include "source/internal_error.h"

namespace smec::hdl {

Actual::Part PlacedNets::part(const Netlist& list, std::uint32_t net) const {
    Actual::Part part;
    part.signal = signals.at(net);
    const auto element = elements.find(net);
    if (element == elements.end()) return part;
    part.first = element->second;
    part.count = std::max(list.nets[net].length, 1U);
    return part;
}

Signal signalOf(const Netlist& list, const Net& net, Role role) {
    Signal signal;
    signal.role = role;
    signal.type = net.type;
    signal.length = net.length;
    signal.isPacked = net.length != 0;
    signal.source = list.suffixOf(net).substr(1);
    return signal;
}

void Connections::connect(const PlacedNets& placed, std::uint32_t child, Instance& instance,
                          ModuleBuilder& builder) {
    const Node& leaf = list_.nodes[child];
    const Process& process = classes_.processes[leaf.cls];
    instance.module = classes_.modules[leaf.cls];
    setParameters(leaf, process, modules_[instance.module], instance);
    // delay lines may come to stand among the modules meanwhile
    const auto nameOfPort = [&](SignalId id) { return modules_[instance.module][id].name; };
    for (std::size_t k = 0; k < process.inputs.size(); ++k) {
        if (list_.sameAs[leaf.cls][k] >= 0) continue;
        const PortLeaf& port = list_.inputs[leaf.cls][k];
        Actual actual{nameOfPort(process.inputs[k]), {}};
        for (const std::uint32_t e : list_.elementsOf(leaf.cls, port, false))
            actual.parts.push_back(partOf(placed, list_.netOf(leaf, port, e)));
        instance.actuals.push_back(std::move(actual));
    }
    for (std::size_t k = 0; k < process.outputs.size(); ++k) {
        const PortLeaf& port = list_.outputs[leaf.cls][k];
        Actual actual{nameOfPort(process.outputs[k]), {}};
        for (const std::uint32_t element : list_.elementsOf(leaf.cls, port, true)) {
            actual.parts.push_back(
                driven(placed, list_.netOf(leaf, port, element), child, builder));
        }
        instance.actuals.push_back(std::move(actual));
    }
}

Actual::Part Connections::partOf(const PlacedNets& placed, std::uint32_t number) const {
    const Net& net = list_.nets[number];
    if (net.source != Net::Source::Constant) return placed.part(list_, number);
    return {{}, net.initial, net.type};
}

/// The signal that an output drives: the net itself, or what is in front of its delay line.
Actual::Part Connections::driven(const PlacedNets& placed, std::uint32_t number,
                                 std::uint32_t driver, ModuleBuilder& builder) {
    const Net& net = list_.nets[number];
    const auto known = placed.signals.find(number);
    require(net.driver == driver, "a net with two drivers");
    if (known == placed.signals.end()) {
        Signal signal = signalOf(list_, net, Role::Wire);
        return {builder.signal(names_.of(placed.node, net) + "_unused", std::move(signal)), {}, {}};
    }
    if (net.delay == 0) return placed.part(list_, number);
    Signal signal = signalOf(list_, net, Role::Wire);
    const SignalId early =
        builder.signal(names_.of(placed.node, net) + "_undelayed", std::move(signal));
    Instance line;
    line.name = builder.unique(names_.of(placed.node, net) + "_delay");
    line.module = delayLine(net);
    line.actuals.push_back({"d", {{early, {}, {}}}});
    line.actuals.push_back({"q", {{known->second, {}, {}}}});
    builder.module().instances.push_back(std::move(line));
    return {early, {}, {}};
}

ModuleId Connections::delayLine(const Net& net) {
    Module module;
    module.kind = Kind::Delay;
    module.hasClock = true;
    module.delay = net.delay;
    module.title = fmt::format("delay_{}", net.delay + 1);
    module.name = module.title;
    ModuleBuilder builder(module);
    for (const char* name : {"clk", "rst", "rst_n", "start", "unused_start"})
        builder.unique(name);
    Signal in = signalOf(list_, net, Role::Input);
    Signal out = signalOf(list_, net, Role::Output);
    in.source = out.source = "";
    out.isRegister = true;
    out.initial = net.initial;
    builder.signal("d", in);
    builder.signal("q", out);
    return modules_.share(std::move(module));
}

void Connections::setParameters(const Node& leaf, const Process& process, const Module& module,
                                Instance& instance) const {
    const ir::Class& cls = list_.lowered.classes[leaf.cls];
    const auto add = [&](SignalId signal, const Integer& value) {
        instance.arguments.push_back({module[signal].name, value, module[signal].type.width, {}});
    };
    for (const auto& [signal, number] : process.columns)
        add(signal, std::get<Integer>(cls.columns[number].values[leaf.number].value));
    for (const auto& [signal, values] : process.arguments)
        add(signal, values[leaf.number]);
    for (const auto& [signal, id] : process.initials) {
        const ir::Plane& plane = list_.lowered.planes[id.index];
        const std::size_t own = plane.perOwner * plane.type.elements();
        Integer all = 0;
        for (std::size_t i = own; i-- > 0;) {
            const auto& value =
                std::get<Integer>(plane.initial.values[leaf.number * own + i].value);
            all = (all << plane.type.scalar.width)
                  | ir::wrapInteger(value, plane.type.scalar.width, false);
        }
        add(signal, all);
    }
}

}  // namespace smec::hdl
