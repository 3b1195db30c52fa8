#include "elab/compiled_arguments.h"

namespace smec::elab {

void CompiledArguments::evaluate(NodeId id, const Call& call, CompiledDecl& compiled) {
    Node& node = tree_.nodes[id];
    if (compiled.hasConstants && evaluateConstants(node, compiled))
        node.state(Stage::Constants) = Node::Done;
    if (compiled.hasPorts && evaluatePorts(node, call, compiled))
        node.state(Stage::Ports) = Node::Done;
    if (call.entity->hasInterior || node.state(Stage::Constants) != Node::Done
        || call.entity->structureNeedsPorts)
        return;
    if (call.entity->busesDepend) return;
    const bool isGood = buses_.openLeaf(id);
    tree_.nodes[id].state(Stage::Open) = isGood ? Node::Done : Node::Failed;
}

/// False: the general way has to do it.
bool CompiledArguments::evaluatePorts(Node& node, const Call& call, CompiledDecl& compiled) {
    const auto first = static_cast<std::uint32_t>(tree_.arguments.size());
    const auto giveUp = [&] {
        tree_.arguments.resize(first);
        return false;
    };
    tuple_.clear();
    ports_.clear();
    dimensions_.resize(compiled.ports.size());
    for (std::size_t i = 0; i < compiled.ports.size(); ++i) {
        std::vector<std::uint64_t>& dimensions = dimensions_[i];
        dimensions.clear();
        const std::size_t begin = tree_.arguments.size();
        if (!append(compiled.ports[i], dimensions) || tree_.arguments.size() == begin)
            return giveUp();
        const hir::ShapeId shape = tree_.design.buses[tree_.arguments[begin].index].shape;
        for (std::size_t k = begin; k < tree_.arguments.size(); ++k)
            if (tree_.design.buses[tree_.arguments[k].index].shape != shape) return giveUp();
        ports_.push_back({shape, !dimensions.empty(), dimensions, {}});
        Tree::appendPort(tuple_, ports_.back());
    }
    if (compiled.portsId == kNone || tuple_ != compiled.portTuple) {
        if (!isTaken(call)) return giveUp();
        compiled.portTuple = tuple_;
        compiled.portsId = tree_.portTuples.intern(tuple_);
    }
    node.firstArgument = first;
    node.ports = compiled.portsId;
    return true;
}

/// The ports take what was found.
bool CompiledArguments::isTaken(const Call& call) {
    for (std::size_t i = 0; i < ports_.size(); ++i) {
        const PortCheck check{*call.entity, call.entity->ports[i], nullptr, {}, {}, true};
        if (!checks_.checkArray(check, dimensions_[i])
            || !checks_.checkFields(check, ports_[i].shape))
            return false;
    }
    return true;
}

/// Appends the buses to Tree::arguments and says what array they are.
bool CompiledArguments::append(const CompiledBus& bus, std::vector<std::uint64_t>& dimensions) {
    switch (bus.kind) {
    case CompiledBus::Kind::General: return false;
    case CompiledBus::Kind::Bus:
    case CompiledBus::Kind::View: return appendPath(bus, dimensions);
    case CompiledBus::Kind::List: return appendList(bus, dimensions);
    case CompiledBus::Kind::Choice: break;
    }
    std::size_t chosen = 0;
    for (; chosen < bus.indices.size(); ++chosen) {
        const auto condition = bus.indices[chosen].evaluate();
        if (!condition) return false;
        if (*condition != 0) break;
    }
    return append(bus.parts[chosen], dimensions);
}

bool CompiledArguments::appendList(const CompiledBus& bus, std::vector<std::uint64_t>& dimensions) {
    std::vector<std::uint64_t> part;
    for (std::size_t i = 0; i < bus.parts.size(); ++i) {
        part.clear();
        if (!append(bus.parts[i], part)) return false;
        if (i == 0)
            dimensions = part;
        else if (part != dimensions)
            return false;
    }
    dimensions.insert(dimensions.begin(), bus.parts.size());
    return true;
}

bool CompiledArguments::appendPath(const CompiledBus& bus, std::vector<std::uint64_t>& dimensions) {
    std::uint64_t first = 0, count = 1;
    for (std::size_t i = 0; i < bus.dimensions.size(); ++i) {
        first *= bus.dimensions[i];
        if (i >= bus.indices.size()) {
            dimensions.push_back(bus.dimensions[i]);
            count *= bus.dimensions[i];
            continue;
        }
        const auto index = bus.indices[i].evaluate();
        if (!index || *index < 0 || static_cast<std::uint64_t>(*index) >= bus.dimensions[i])
            return false;
        first += static_cast<std::uint64_t>(*index);
    }
    return appendBuses(bus, first, count);
}

bool CompiledArguments::appendBuses(const CompiledBus& bus, std::uint64_t first,
                                    std::uint64_t count) {
    const auto* symbol = bus.bus ? std::get_if<sema::BusSymbol>(&bus.bus->node) : nullptr;
    if (bus.bus && !symbol) return false;
    for (std::uint64_t i = first; i < first + count; ++i) {
        hir::BusId one;
        if (bus.view)
            one = bus.view->at(i);
        else
            one.index =
                tree_.design.busGroups[symbol->group].first.index + static_cast<std::uint32_t>(i);
        const bool isAsSeen = !bus.view || tree_.design.buses[one.index].shape == bus.view->shape;
        if (!isAsSeen) return false;
        tree_.arguments.push_back(one);
    }
    return true;
}

bool CompiledArguments::evaluateConstants(Node& node, CompiledDecl& compiled) {
    tuple_.clear();
    for (const CompiledDecl::Constant& constant : compiled.constants) {
        if (!constant.expr) {
            tuple_.push_back(constant.fixed);
            continue;
        }
        const auto value = constant.expr->evaluate();
        if (!value) return false;
        hir::TypeId type = constant.type;
        if (tree_.design.types.isError(type)) {
            type = *value < 0 ? hir::TypeTable::kInt : hir::TypeTable::kUint;
        } else if (*value < constant.low || *value > constant.high) {
            return false;
        }
        tuple_.push_back(tree_.packed(*value, type));
    }
    if (compiled.constantsId == kNone || tuple_ != compiled.constantTuple) {
        compiled.constantTuple = tuple_;
        compiled.constantsId = tree_.constantTuples.intern(tuple_);
    }
    node.constants = compiled.constantsId;
    return true;
}

}  // namespace smec::elab
