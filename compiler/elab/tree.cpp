#include "elab/tree.h"

namespace smec::elab {

std::vector<PortShape> Tree::portsOf(const Node& node) const {
    std::vector<PortShape> result;
    if (node.ports == kNone) return result;
    std::span<const std::uint64_t> rest = portTuples[node.ports];
    const auto take = [&](std::size_t count) {
        const auto taken = rest.first(count);
        rest = rest.subspan(count);
        return taken;
    };
    while (!rest.empty()) {
        PortShape& port = result.emplace_back();
        port.shape.index = static_cast<std::uint32_t>(rest[0]);
        const std::uint64_t form = rest[1];
        take(2);
        port.isArray = (form & 1) != 0;
        port.dimensions = take(form >> 2);
        if ((form & 2) != 0) port.elementShapes = take(port.count());
    }
    return result;
}

void Tree::appendPort(std::vector<std::uint64_t>& tuple, const PortShape& port) {
    tuple.push_back(port.shape.index);
    tuple.push_back(port.dimensions.size() << 2 | (port.elementShapes.empty() ? 0 : 2)
                    | (port.isArray ? 1 : 0));
    tuple.insert(tuple.end(), port.dimensions.begin(), port.dimensions.end());
    tuple.insert(tuple.end(), port.elementShapes.begin(), port.elementShapes.end());
}

sema::TypedValue Tree::constantOf(const Node& node, std::size_t index) const {
    const std::uint64_t entry = constantTuples[node.constants][index];
    return {design.values[entry >> 32], hir::TypeId{static_cast<std::uint32_t>(entry)}};
}

std::uint64_t Tree::packed(const hir::Value& value, hir::TypeId type) {
    return std::uint64_t{context.internValue(value)} << 32 | type.index;
}

std::uint64_t Tree::packed(std::int64_t value, hir::TypeId type) {
    if (type == hir::TypeTable::kBool) return packed(hir::Value{value != 0}, type);
    const auto [at, isNew] = smallValues_.try_emplace(value, 0);
    if (isNew) at->second = context.internValue(hir::Value{hir::Integer(value)});
    return std::uint64_t{at->second} << 32 | type.index;
}

std::string Tree::nameOf(NodeId node) const {
    const Node& entry = nodes[node];
    return withIndices(design.strings[entry.name],
                       std::span(design.indices).subspan(entry.firstIndex, entry.indexCount));
}

std::string Tree::pathOf(NodeId node) const {
    if (nodes[node].parent == kNone) return std::string(nodes[node].entity->name);
    std::string path = nameOf(node);
    for (NodeId outer = nodes[node].parent; nodes[outer].parent != kNone;
         outer = nodes[outer].parent) {
        path = nameOf(outer) + "." + path;
    }
    return path;
}

std::string withIndices(std::string_view name, std::span<const std::uint64_t> indices) {
    std::string result(name);
    for (const std::uint64_t index : indices)
        result += fmt::format("[{}]", index);
    return result;
}

std::string suggestion(std::string_view name, const std::vector<std::string>& candidates) {
    const std::string nearest = nearestName(name, candidates);
    return nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest);
}

std::string suggestion(const Tree& tree, std::string_view name, const sema::Scope& scope) {
    return mayAdvise(tree) ? suggestion(name, scope.visibleNames()) : "";
}

std::string counted(std::uint64_t count, std::string_view noun) {
    if (count == 1) return fmt::format("1 {}", noun);
    if (noun == "bus") return fmt::format("{} buses", count);
    if (noun == "index") return fmt::format("{} indices", count);
    return fmt::format("{} {}s", count, noun);
}

}  // namespace smec::elab
