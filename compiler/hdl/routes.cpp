#include "hdl/routes.h"

#include <algorithm>
#include <map>

namespace smec::hdl {

namespace {

void route(const Netlist& list, std::uint32_t number, std::vector<Crossing>& crossings) {
    const Net& net = list.nets[number];
    if (net.source == Net::Source::Constant) return;
    if (net.source == Net::Source::Top) {
        for (const std::uint32_t reader : net.readers)
            for (std::uint32_t at = list.nodes[reader].parent; at != kNone;
                 at = list.nodes[at].parent)
                crossings[at].in.insert(number);
        if (net.readers.empty() && net.isExposed)
            crossings[list.design.top.index].in.insert(number);
        return;
    }
    // the modules around the driver, from the inside outwards
    std::map<std::uint32_t, std::uint32_t> around;
    std::uint32_t depth = 0;
    for (std::uint32_t at = list.nodes[net.driver].parent; at != kNone; at = list.nodes[at].parent)
        around[at] = depth++;
    std::uint32_t highest = 0;
    for (const std::uint32_t reader : net.readers) {
        std::uint32_t at = list.nodes[reader].parent;
        for (; !around.contains(at); at = list.nodes[at].parent)
            crossings[at].in.insert(number);
        highest = std::max(highest, around.at(at));
    }
    const bool leaves = net.isExposed;
    if (leaves) highest = depth - 1;
    std::uint32_t at = list.nodes[net.driver].parent;
    for (std::uint32_t i = 0; i < highest; ++i, at = list.nodes[at].parent)
        crossings[at].out.insert(number);
    (leaves ? crossings[at].out : crossings[at].inside).insert(number);
}

}  // namespace

std::vector<Crossing> routes(const Netlist& list) {
    std::vector<Crossing> crossings(list.nodes.size());
    for (std::uint32_t net = 0; net < list.nets.size(); ++net)
        route(list, net, crossings);
    return crossings;
}

}  // namespace smec::hdl
