#include "elab/own_buses.h"

namespace smec::elab {

bool OwnBuses::openLeaf(NodeId node) {
    const Entity& entity = *tree_.nodes[node].entity;
    tree_.nodes[node].firstGroup = static_cast<std::uint32_t>(tree_.design.busGroups.size());
    if (entity.buses.empty()) return true;
    if (entity.busesDepend) return declare(node, *makeScope(tree_, node));
    const auto [known, isNew] = templates_.try_emplace(&entity);
    std::vector<BusTemplate>& templates = known->second;
    if (isNew) {
        const std::unique_ptr<sema::Scope> scope = makeScope(tree_, node);
        for (const ast::BusDecl* bus : entity.buses) {
            if (auto resolved = groups_.resolve(*bus, *scope))
                templates.push_back(std::move(*resolved));
        }
    }
    if (templates.size() != entity.buses.size()) return false;
    for (std::size_t i = 0; i < templates.size(); ++i) {
        if (!groups_.declare(*entity.buses[i], node, templates[i], entity.module, {})) return false;
    }
    return true;
}

/// Buses in order, each visible to those after it; a bad one leaves a silent name.
bool OwnBuses::declare(NodeId node, sema::Scope& scope) {
    const Entity& entity = *tree_.nodes[node].entity;
    tree_.nodes[node].firstGroup = static_cast<std::uint32_t>(tree_.design.busGroups.size());
    bool isGood = true;
    for (const ast::BusDecl* bus : entity.buses) {
        const std::optional<BusTemplate> resolved = groups_.resolve(*bus, scope);
        const auto group =
            resolved ? groups_.declare(*bus, node, *resolved, entity.module, {}) : std::nullopt;
        if (!group) {
            isGood = false;
            addSymbol(tree_, scope, bus->name, failedSymbol());
        } else if (!addSymbol(tree_, scope, bus->name, sema::BusSymbol{*group})) {
            isGood = false;
        }
    }
    return isGood;
}

}  // namespace smec::elab
