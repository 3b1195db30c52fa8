#include <algorithm>

#include <fmt/format.h>

#include "hir/design.h"

namespace smec::hir {

namespace {

std::string ownName(const Design& design, const Instance& instance) {
    std::string name = design.strings[instance.name];
    for (std::uint32_t i = 0; i < instance.indexCount; ++i)
        name += fmt::format("[{}]", design.indices[instance.firstIndex + i]);
    return name;
}

/// "[1][2]" for a row-major element number.
std::string elementText(const std::vector<std::uint64_t>& dimensions, std::uint64_t element) {
    std::string text;
    for (auto size = dimensions.rbegin(); size != dimensions.rend(); ++size) {
        text.insert(0, fmt::format("[{}]", element % *size));
        element /= *size;
    }
    return text;
}

}  // namespace

std::string pathOf(const Design& design, InstanceId id) {
    std::vector<std::string> parts;
    while (id.valid() && id != design.top) {
        const Instance& instance = design.instances[id.index];
        parts.push_back(ownName(design, instance));
        id = instance.parent;
    }
    std::reverse(parts.begin(), parts.end());
    return fmt::format("{}", fmt::join(parts, "."));
}

std::string pathOf(const Design& design, BusId id) {
    const Bus& bus = design.buses[id.index];
    const BusGroup& group = design.busGroups[bus.group];
    std::string path = pathOf(design, bus.owner);
    if (!path.empty()) path += '.';
    path += group.name;
    for (std::uint64_t index : group.scope)
        path += fmt::format("[{}]", index);
    return path + elementText(group.dimensions, bus.element);
}

}  // namespace smec::hir
