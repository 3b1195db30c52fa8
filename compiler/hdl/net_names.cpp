#include "hdl/net_names.h"

#include <algorithm>

namespace smec::hdl {

std::string indexed(const std::string& name, std::span<const std::uint64_t> indices) {
    std::string result = name;
    for (const std::uint64_t index : indices)
        result += "_" + std::to_string(index);
    return result;
}

NetNames::NetNames(const Netlist& list) : list_(list) {
    for (const hir::Network& network : list.design.networks)
        networks_[network.instance.index] = &network;
}

const hir::Network* NetNames::networkOf(std::uint32_t node) const {
    const auto known = networks_.find(node);
    return known == networks_.end() ? nullptr : known->second;
}

std::string NetNames::nameOf(std::uint32_t node) const {
    const hir::Instance& instance = list_.design.instances[list_.nodes[node].instance.index];
    return indexed(list_.design.strings[instance.name],
                   {list_.design.indices.data() + instance.firstIndex, instance.indexCount});
}

bool NetNames::isWithin(std::uint32_t instance, std::uint32_t node) const {
    for (std::uint32_t at = instance; at != kNone; at = list_.nodes[at].parent)
        if (at == node) return true;
    return false;
}

std::string NetNames::of(std::uint32_t node, const Net& net) const {
    const hir::Bus& bus = list_.design.buses[net.bus.index];
    const std::string suffix = list_.suffixOf(net);
    if (const hir::Network* known = networkOf(node)) {
        for (const hir::Network::Port& port : known->ports) {
            const auto at = std::find(port.buses.begin(), port.buses.end(), net.bus);
            if (at == port.buses.end()) continue;
            const std::string number =
                port.isArray ? "_" + std::to_string(at - port.buses.begin()) : "";
            return port.name + number + suffix;
        }
    }
    const hir::BusGroup& group = list_.design.busGroups[bus.group];
    std::string name = group.name;
    for (const std::uint64_t index : group.scope)
        name += "_" + std::to_string(index);
    std::uint64_t rest = bus.element;
    std::string numbers;
    for (std::size_t i = group.dimensions.size(); i-- > 0;) {
        numbers.insert(0, "_" + std::to_string(rest % group.dimensions[i]));
        rest /= group.dimensions[i];
    }
    name += numbers;
    if (!isWithin(bus.owner.index, node)) return name + suffix;
    for (std::uint32_t at = bus.owner.index; at != node; at = list_.nodes[at].parent)
        name.insert(0, nameOf(at) + "_");
    return name + suffix;
}

}  // namespace smec::hdl
