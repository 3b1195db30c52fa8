#include "elab/scopes.h"

#include "elab/expression_paths.h"

namespace smec::elab {

namespace {

sema::PortSymbol portSymbol(std::uint32_t number, const PortShape& port) {
    return {number, port.shape, port.isArray, {port.dimensions.begin(), port.dimensions.end()}};
}

}  // namespace

sema::Symbol* addSymbol(Tree& tree, sema::Scope& scope, const ast::Identifier& name,
                        decltype(sema::Symbol::node) node) {
    const bool isTaken = scope.findHere(name.text) != nullptr;
    sema::Symbol symbol;
    symbol.name = name.text;
    symbol.range = name.range;
    symbol.node = std::move(node);
    sema::Symbol* added = tree.context.add(scope, std::move(symbol));
    return isTaken ? nullptr : added;
}

sema::TypedValue indexValue(std::int64_t value) {
    return {hir::Value{hir::Integer(value)},
            value < 0 ? hir::TypeTable::kInt : hir::TypeTable::kUint};
}

sema::ConstSymbol valueSymbol(sema::TypedValue value) {
    sema::ConstSymbol symbol;
    symbol.state = sema::ConstSymbol::State::Done;
    symbol.perInstance = true;
    symbol.value = std::move(value);
    return symbol;
}

sema::ConstSymbol failedSymbol() {
    sema::ConstSymbol symbol;
    symbol.state = sema::ConstSymbol::State::Failed;
    return symbol;
}

std::unique_ptr<sema::Scope> makeScope(Tree& tree, NodeId id) {
    return makeScope(tree, id, std::make_unique<StructurePaths>(tree, id));
}

std::unique_ptr<sema::Scope> makeScope(Tree& tree, NodeId id,
                                       std::unique_ptr<sema::PathResolver> paths) {
    const Node& node = tree.nodes[id];
    const Entity& entity = *node.entity;
    auto scope = std::make_unique<sema::Scope>(&tree.context.moduleScope(entity.module),
                                               entity.module, std::move(paths));
    std::uint32_t port = 0;
    std::size_t constant = 0;
    for (const ast::Param& param : *entity.params) {
        if (param.kind != ast::ParamKind::Const) {
            addSymbol(tree, *scope, param.name, sema::PortSymbol{port++});
        } else if (node.constants != kNone) {
            addSymbol(tree, *scope, param.name, valueSymbol(tree.constantOf(node, constant++)));
        } else if (node.state(Stage::Constants) == Node::Failed) {
            addSymbol(tree, *scope, param.name, failedSymbol());
        }
    }
    updatePorts(tree, id, *scope);
    tree.context.declare(*scope, *entity.decls);
    return scope;
}

void updatePorts(Tree& tree, NodeId id, sema::Scope& scope) {
    const Node& node = tree.nodes[id];
    const std::vector<PortShape> ports = tree.portsOf(node);
    for (std::uint32_t i = 0; i < ports.size(); ++i) {
        sema::Symbol* symbol = scope.findHere(node.entity->ports[i].ast->name.text);
        if (symbol && std::holds_alternative<sema::PortSymbol>(symbol->node))
            symbol->node = portSymbol(i, ports[i]);
    }
}

void addBuses(Tree& tree, NodeId id, sema::Scope& scope) {
    const Node& node = tree.nodes[id];
    const auto& buses = node.entity->buses;
    for (std::uint32_t i = 0; i < buses.size(); ++i)
        addSymbol(tree, scope, buses[i]->name, sema::BusSymbol{node.firstGroup + i});
}

void addInstances(Tree& tree, NodeId id, sema::Scope& scope) {
    const Frame* frame = tree.frameOf(id);
    if (!frame) return;
    for (std::uint32_t i = 0; i < frame->names.size(); ++i) {
        const NamedInstances& named = frame->names[i];
        addSymbol(tree, scope, {std::string(named.name), named.range}, sema::InstanceSymbol{i});
    }
}

sema::Scope& LeafScopes::at(NodeId id) {
    const Entity& entity = *tree_.nodes[id].entity;
    Shared& shared = shared_[&entity];
    if (!shared.scope || !entity.isReusable) {
        create(shared, id);
    } else {
        set(shared, id);
    }
    return *shared.scope;
}

void LeafScopes::create(Shared& shared, NodeId id) {
    const Entity& entity = *tree_.nodes[id].entity;
    shared = {};
    auto paths = std::make_unique<StructurePaths>(tree_, id);
    shared.paths = paths.get();
    shared.scope = makeScope(tree_, id, std::move(paths));
    addBuses(tree_, id, *shared.scope);
    addInstances(tree_, id, *shared.scope);
    shared.ports = tree_.nodes[id].ports;
    for (const ConstParam& param : entity.constants)
        shared.params.push_back(shared.scope->findHere(param.ast->name.text));
    for (const ast::BusDecl* bus : entity.buses)
        shared.buses.push_back(shared.scope->findHere(bus->name.text));
    for (const ast::Decl& decl : *entity.decls) {
        const auto* constant = std::get_if<ast::ConstDecl>(&decl.node);
        if (!constant) continue;
        sema::Symbol* symbol = shared.scope->findHere(constant->name.text);
        if (symbol && std::get_if<sema::ConstSymbol>(&symbol->node))
            shared.constants.push_back(symbol);
    }
}

void LeafScopes::set(Shared& shared, NodeId id) {
    const Node& node = tree_.nodes[id];
    shared.paths->setNode(id);
    for (std::size_t i = 0; i < shared.params.size(); ++i) {
        std::get<sema::ConstSymbol>(shared.params[i]->node).value = tree_.constantOf(node, i);
    }
    for (sema::Symbol* symbol : shared.constants) {
        auto& constant = std::get<sema::ConstSymbol>(symbol->node);
        if (constant.decl) constant.state = sema::ConstSymbol::State::Unevaluated;
    }
    for (std::uint32_t i = 0; i < shared.buses.size(); ++i) {
        auto* bus = std::get_if<sema::BusSymbol>(&shared.buses[i]->node);
        if (bus) bus->group = node.firstGroup + i;
    }
    if (shared.ports == node.ports) return;
    shared.ports = node.ports;
    updatePorts(tree_, id, *shared.scope);
}

}  // namespace smec::elab
