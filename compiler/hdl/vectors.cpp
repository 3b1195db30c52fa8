#include "hdl/vectors.h"

#include <algorithm>
#include <map>
#include <string>

#include <fmt/format.h>

namespace smec::hdl {

namespace {

/// Where the net's bus stands in an array that the node declares, loops around it included.
std::vector<std::uint64_t> placeOf(const Netlist& list, const Net& net) {
    const hir::Bus& bus = list.design.buses[net.bus.index];
    const hir::BusGroup& group = list.design.busGroups[bus.group];
    std::vector<std::uint64_t> place = group.scope;
    std::uint64_t rest = bus.element;
    for (std::size_t i = group.dimensions.size(); i-- > 0;) {
        place.insert(place.begin() + static_cast<std::ptrdiff_t>(group.scope.size()),
                     rest % group.dimensions[i]);
        rest /= group.dimensions[i];
    }
    return place;
}

/// Every place between the lowest and the highest in each direction is there.
bool isBox(const Netlist& list, const std::map<std::vector<std::uint64_t>, std::uint32_t>& nets) {
    std::vector<std::uint64_t> low = nets.begin()->first, high = low;
    const Net& first = list.nets[nets.begin()->second];
    for (const auto& [place, number] : nets) {
        const Net& net = list.nets[number];
        if (net.type != first.type || net.length != first.length) return false;
        for (std::size_t i = 0; i < place.size(); ++i) {
            low[i] = std::min(low[i], place[i]);
            high[i] = std::max(high[i], place[i]);
        }
    }
    std::uint64_t size = 1;
    for (std::size_t i = 0; i < low.size(); ++i)
        size *= high[i] - low[i] + 1;
    return size == nets.size();
}

}  // namespace

Vectors vectorsOf(const Netlist& list, std::uint32_t node, const std::set<std::uint32_t>& inside) {
    std::map<std::string, std::map<std::vector<std::uint64_t>, std::uint32_t>> arrays;
    for (const std::uint32_t number : inside) {
        const Net& net = list.nets[number];
        const hir::Bus& bus = list.design.buses[net.bus.index];
        const auto place = placeOf(list, net);
        if (bus.owner.index != node || place.empty() || net.delay != 0
            || net.source != Net::Source::Process)
            continue;
        const std::string key = fmt::format("{}{} {}", list.design.busGroups[bus.group].name,
                                            list.suffixOf(net), place.size());
        arrays[key][place] = number;
    }
    Vectors result;
    for (const auto& [key, nets] : arrays) {
        if (nets.size() < 2 || !isBox(list, nets)) continue;
        std::vector<std::uint32_t>& all = result.emplace_back();
        for (const auto& [place, number] : nets)
            all.push_back(number);
    }
    return result;
}

}  // namespace smec::hdl
