#include "engine/state_layout.h"

#include <algorithm>

namespace sme {
namespace {

void appendShape(std::string& out, const Model& model, std::uint32_t index) {
    const Type& type = model.types[index];
    out.append(type.name);
    switch (type.kind) {
    case Kind::Array: return appendShape(out.append(" of "), model, type.element);
    case Kind::Struct:
        for (std::uint32_t i = 0; i < type.count; ++i)
            appendShape(out.append(1, ' ').append(type.fields[i].name).append(1, ':'), model,
                        type.fields[i].type);
        return;
    case Kind::Enum:
        for (std::uint32_t i = 0; i < type.count; ++i)
            out.append(1, ' ')
                .append(type.members[i].name)
                .append(1, '=')
                .append(std::to_string(type.members[i].value));
        [[fallthrough]];
    default: out.append(1, '/').append(std::to_string(type.width));
    }
}

bool holdsObjects(const Model& model, std::uint32_t plane) {
    return std::any_of(model.objects, model.objects + model.objectCount,
                       [&](const Objects& list) { return list.plane == plane; });
}

/// Planes that names do not reach, or not all of them, but for combinational fields, which are computed
/// anew before anybody reads them, for objects, and for logs, since a state sets both slots.
std::vector<std::uint32_t> hiddenPlanes(const Model& model) {
    std::vector<std::vector<bool>> named(model.planeCount);
    for (std::uint32_t i = 0; i < model.planeCount; ++i)
        named[i].resize(model.planes[i].instances);
    for (std::uint32_t r = 0; r < model.nameRunCount; ++r) {
        const NameRun& run = model.names[r];
        for (std::uint32_t i = 0; isKept(run) && i < run.count; ++i)
            forEachPiece(model, refOf(model, run, i), [&](const Ref& ref, std::size_t) {
                named[ref.plane][ref.element] = true;
            });
    }
    std::vector<std::uint32_t> hidden;
    for (std::uint32_t i = 0; i < model.planeCount; ++i) {
        const bool isWhole = std::find(named[i].begin(), named[i].end(), false) == named[i].end();
        const Plane& plane = model.planes[i];
        if (!plane.isCombinational && !plane.isLog && !holdsObjects(model, i) && !isWhole)
            hidden.push_back(i);
    }
    std::ranges::stable_sort(
        hidden, {}, [&](std::uint32_t i) { return std::min(i, model.planes[i].firstElement); });
    return hidden;
}

void addValues(const Model& model, std::uint32_t index, HiddenGroup& group) {
    const std::uint32_t whole = model.planes[index].type;
    std::uint32_t scalar = whole;
    while (model.types[scalar].kind == Kind::Array)
        scalar = model.types[scalar].element;
    const std::uint32_t bytes = model.types[scalar].bytes;
    const std::uint64_t count = bytes == 0 ? 1 : model.types[whole].bytes / bytes;
    if (count > kMostElementwise) return group.values.push_back({index, whole, 0});
    for (std::uint32_t i = 0; i < count; ++i)
        group.values.push_back({index, scalar, i * bytes});
}

}  // namespace

std::string shapeOf(const Model& model, std::uint32_t type) {
    std::string shape;
    appendShape(shape, model, type);
    return shape;
}

std::uint64_t bytesOfValue(const Model& model, std::uint32_t index) {
    const Type& type = model.types[index];
    if (type.kind == Kind::Array) return type.count * bytesOfValue(model, type.element);
    if (type.kind != Kind::Struct) return type.bytes;
    std::uint64_t bytes = 0;
    for (std::uint32_t i = 0; i < type.count; ++i)
        bytes += bytesOfValue(model, type.fields[i].type);
    return bytes;
}

std::vector<HiddenGroup> hiddenGroups(const Model& model) {
    std::vector<HiddenGroup> groups;
    for (const std::uint32_t plane : hiddenPlanes(model)) {
        const std::uint32_t owner = model.planes[plane].owner;
        const auto known =
            std::find_if(groups.begin(), groups.end(),
                         [&](const HiddenGroup& group) { return group.owner == owner; });
        const auto number = known - groups.begin();
        if (known == groups.end()) groups.push_back({owner, {}});
        addValues(model, plane, groups[static_cast<std::size_t>(number)]);
    }
    return groups;
}

}  // namespace sme
