#include "elab/bus_groups.h"

namespace smec::elab {

BusTemplate BusGroups::templateOf(const sema::ResolvedBus& bus,
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

std::optional<BusTemplate> BusGroups::resolve(const ast::BusDecl& bus, const sema::Scope& scope) {
    const std::optional<sema::ResolvedBus> resolved = tree_.context.resolveBus(bus, scope);
    auto dimensions = tree_.context.sizes(bus.dimensions, scope, "bus array size");
    if (!resolved || !dimensions) return std::nullopt;
    return templateOf(*resolved, std::move(*dimensions));
}

std::optional<std::uint32_t> BusGroups::declare(const ast::BusDecl& bus, NodeId owner,
                                                const BusTemplate& resolved, sema::ModuleId module,
                                                std::vector<std::uint64_t> generateIndices) {
    const GroupInfo info{&bus, module, resolved.shape, bus.delay.valid()};
    return add(bus.name.text, bus.name.range, owner, resolved, info, bus.exposed,
               std::move(generateIndices));
}

std::optional<std::uint32_t> BusGroups::add(const std::string& name, SourceRange range,
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

}  // namespace smec::elab
