#include "elab/builder.h"

// Opening an instance: its buses come into being, and its instances are listed (not yet connected).
// A process without instances of its own needs no scope for that unless its buses depend on its
// parameters.

namespace smec::elab {

Builder::Outcome Builder::open(NodeId node) {
    const bool isGood = tree_.nodes[node].entity->hasInterior ? openFrame(node) : openLeaf(node);
    return isGood ? Outcome{} : kFailed;
}

bool Builder::openLeaf(NodeId node) {
    const Entity& entity = *tree_.nodes[node].entity;
    tree_.nodes[node].firstGroup = static_cast<std::uint32_t>(tree_.design.busGroups.size());
    if (entity.buses.empty()) return true;
    if (entity.busesDepend) return declareOwn(node, *makeScope(tree_, node));
    const auto [known, isNew] = ownBuses_.try_emplace(&entity);
    std::vector<BusTemplate>& templates = known->second;
    if (isNew) {
        const std::unique_ptr<sema::Scope> scope = makeScope(tree_, node);
        for (const ast::BusDecl* bus : entity.buses) {
            if (auto resolved = resolve(*bus, *scope)) templates.push_back(std::move(*resolved));
        }
    }
    if (templates.size() != entity.buses.size()) return false;
    for (std::size_t i = 0; i < templates.size(); ++i) {
        if (!declareBus(*entity.buses[i], node, templates[i], entity.module, {})) return false;
    }
    return true;
}

/// Buses in order, each visible to the ones behind it; a bad one leaves a silent name.
bool Builder::declareOwn(NodeId node, sema::Scope& scope) {
    const Entity& entity = *tree_.nodes[node].entity;
    tree_.nodes[node].firstGroup = static_cast<std::uint32_t>(tree_.design.busGroups.size());
    bool isGood = true;
    for (const ast::BusDecl* bus : entity.buses) {
        const std::optional<BusTemplate> resolved = resolve(*bus, scope);
        const auto group =
            resolved ? declareBus(*bus, node, *resolved, entity.module, {}) : std::nullopt;
        if (!group) {
            isGood = false;
            addSymbol(tree_, scope, bus->name, failedSymbol());
        } else if (!addSymbol(tree_, scope, bus->name, sema::BusSymbol{*group})) {
            isGood = false;
        }
    }
    return isGood;
}

bool Builder::openFrame(NodeId id) {
    const Entity& entity = *tree_.nodes[id].entity;
    tree_.nodes[id].frame = static_cast<std::uint32_t>(tree_.frames.size());
    Frame& frame = *tree_.frames.emplace_back(std::make_unique<Frame>());
    frame.node = id;
    frame.scope = makeScope(tree_, id);
    frame.iterations.push_back({});
    if (tree_.nodes[id].state(Stage::Ports) == Node::Done) frame.ports = viewsOf(id);
    const bool isGood = declareOwn(id, *frame.scope);
    if (!entity.isProcess()) tree_.context.checkDeclarations(*frame.scope, *entity.decls);
    frame.firstChild = static_cast<NodeId>(tree_.nodes.size());
    anonymous_.clear();
    walk(frame, *entity.decls, 0);
    nameAnonymous(frame);
    return isGood;
}

BusTemplate Builder::templateOf(const sema::ResolvedBus& bus,
                                std::vector<std::uint64_t> dimensions) {
    BusTemplate result;
    result.shape = bus.shape;
    result.dimensions = std::move(dimensions);
    std::vector<std::uint64_t> values;
    for (const hir::Value& value : bus.defaults)
        values.push_back(tree_.context.internValue(value));
    result.defaults = defaultSets_.intern(values);
    if (result.defaults == tree_.design.defaultSets.size())
        tree_.design.defaultSets.push_back(bus.defaults);
    return result;
}

std::optional<BusTemplate> Builder::resolve(const ast::BusDecl& bus, const sema::Scope& scope) {
    const std::optional<sema::ResolvedBus> resolved = tree_.context.resolveBus(bus, scope);
    auto dimensions = tree_.context.sizes(bus.dimensions, scope, "bus array size");
    if (!resolved || !dimensions) return std::nullopt;
    return templateOf(*resolved, std::move(*dimensions));
}

std::optional<std::uint32_t> Builder::declareBus(const ast::BusDecl& bus, NodeId owner,
                                                 const BusTemplate& resolved, sema::ModuleId module,
                                                 std::vector<std::uint64_t> generateIndices) {
    const GroupInfo info{&bus, module, resolved.shape, bus.delay.valid()};
    return addGroup(bus.name.text, bus.name.range, owner, resolved, info, bus.exposed,
                    std::move(generateIndices));
}

std::optional<std::uint32_t> Builder::addGroup(const std::string& name, SourceRange range,
                                               NodeId owner, const BusTemplate& bus,
                                               const GroupInfo& info, bool exposed,
                                               std::vector<std::uint64_t> generateIndices) {
    hir::Design& design = tree_.design;
    const std::size_t width = design.shapes[bus.shape.index].fields.size();
    hir::Integer count = 1;
    for (const std::uint64_t dimension : bus.dimensions)
        count *= dimension;
    const hir::Integer fields = count * (width == 0 ? 1 : width);
    if (fields + fieldCount_ > tree_.options.maxInstances) {
        tree_.diagnostics.report(DiagId::TooManyBuses, range, name, fields.str(),
                                 tree_.options.maxInstances);
        tree_.isFull = true;
        return std::nullopt;
    }
    fieldCount_ += static_cast<std::uint64_t>(fields);
    const auto elements = static_cast<std::uint32_t>(count);
    const auto group = static_cast<std::uint32_t>(design.busGroups.size());
    const hir::BusId first{static_cast<std::uint32_t>(design.buses.size())};
    design.busGroups.push_back({name, bus.dimensions, std::move(generateIndices), first, elements,
                                range, exposed, bus.defaults});
    tree_.groups.push_back(info);
    auto firstField = static_cast<std::uint32_t>(design.fields.size());
    for (std::uint32_t element = 0; element < elements; ++element) {
        design.buses.push_back({bus.shape, hir::InstanceId{owner}, group, element, firstField});
        firstField += static_cast<std::uint32_t>(width);
    }
    design.fields.resize(firstField);
    return group;
}

/// The ports of an instance as views, for the paths inside it.
std::vector<View> Builder::viewsOf(NodeId id) const {
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

}  // namespace smec::elab
