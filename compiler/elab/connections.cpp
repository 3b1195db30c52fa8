#include "elab/connections.h"

#include <algorithm>

#include "elab/scopes.h"
#include "elab/views.h"

namespace smec::elab {

/// The ports of an instance as views, for the paths inside it.
std::vector<View> Connections::viewsOf(NodeId id) const {
    const Node& node = tree_.nodes[id];
    std::vector<View> views;
    const hir::BusId* argument = tree_.arguments.data() + node.firstArgument;
    const std::vector<PortShape> ports = tree_.portsOf(node);
    for (std::size_t i = 0; i < ports.size(); ++i) {
        View& view = views.emplace_back();
        view.shape = ports[i].shape;
        view.dimensions.assign(ports[i].dimensions.begin(), ports[i].dimensions.end());
        view.readOnly = !node.entity->ports[i].isOut;
        const std::uint64_t count = ports[i].count();
        if (count != 0) view.first = *argument;
        if (count > 1) view.list.assign(argument, argument + count);
        argument += count;
    }
    return views;
}

/// The fields of `seen` with `hold` and `delay` as they are in the bus.
hir::ShapeId Connections::withProperties(hir::ShapeId seen, hir::ShapeId bus) {
    if (seen == bus) return seen;
    const auto [known, isNew] = propertied_.try_emplace({seen.index, bus.index});
    if (isNew) known->second = narrowed(tree_, bus, seen);
    return known->second;
}

/// Notes where the bus has the fields of `seen`.
void Connections::mapFields(hir::ShapeId seen, hir::ShapeId bus) {
    if (seen == bus) return;
    const auto [known, isNew] =
        tree_.design.fieldMaps.try_emplace(std::pair{seen.index, bus.index});
    if (!isNew) return;
    const std::vector<hir::FieldShape>& fields = tree_.design.shapes[bus.index].fields;
    for (const hir::FieldShape& field : tree_.design.shapes[seen.index].fields) {
        const auto at = std::ranges::find(fields, field.name, &hir::FieldShape::name);
        known->second.push_back(static_cast<std::uint32_t>(at - fields.begin()));
    }
}

/// How a port sees what is connected: `shapes` keeps what elements that differ are seen as.
PortShape Connections::commitOne(const View& view, std::vector<std::uint64_t>& shapes) {
    PortShape port{view.shape, !view.dimensions.empty(), view.dimensions, {}};
    const std::uint64_t count = view.count();
    for (std::uint64_t element = 0; element < count; ++element) {
        const hir::BusId bus = view.at(element);
        tree_.arguments.push_back(bus);
        const hir::ShapeId own = tree_.design.buses[bus.index].shape;
        const hir::ShapeId seen = withProperties(view.shape, own);
        if (element == 0) port.shape = seen;
        mapFields(port.shape, own);
        mapFields(seen, own);
        if (shapes.empty() && seen != port.shape) shapes.assign(element, port.shape.index);
        if (!shapes.empty()) shapes.push_back(seen.index);
    }
    return port;
}

void Connections::commit(NodeId id, const std::vector<View>& views) {
    Node& node = tree_.nodes[id];
    node.firstArgument = static_cast<std::uint32_t>(tree_.arguments.size());
    std::vector<std::uint64_t> tuple;
    for (std::size_t i = 0; i < views.size(); ++i) {
        std::vector<std::uint64_t> shapes;
        PortShape port = commitOne(views[i], shapes);
        const auto& fields = tree_.design.shapes[port.shape.index].fields;
        const bool drives =
            node.entity->ports[i].isOut || std::ranges::any_of(fields, &hir::FieldShape::flip);
        if (drives) port.elementShapes = shapes;
        Tree::appendPort(tuple, port);
    }
    node.ports = tree_.portTuples.intern(tuple);
    if (Frame* frame = tree_.frameOf(id)) {  // opened before, by a path into it
        frame->ports = viewsOf(id);
        if (frame->scope) updatePorts(tree_, id, *frame->scope);
    }
}

}  // namespace smec::elab
