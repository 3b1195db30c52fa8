#include "elab/builder.h"

// Arguments of instances in generate bodies, compiled once: link[i + 1] becomes (bus link,
// dimensions, compiled i + 1). What cannot be compiled, or fails while it is evaluated, goes the
// general way, which also reports what is wrong.

namespace smec::elab {

Leaf Builder::leafOf(Frame& frame, ast::ExprId name, std::uint32_t iteration) {
    const auto& text = std::get<ast::Name>(tree_.expr({moduleOf(frame), name}).node).text;
    const sema::Scope& scope = enter(frame, iteration);
    const sema::Symbol* symbol = scope.find(text);
    if (!symbol || !std::holds_alternative<sema::ConstSymbol>(symbol->node)) return {};
    for (Block* block = frame.iterations[iteration].block; block; block = block->parent) {
        if (block->index == symbol) return {Leaf::Kind::Slot, &block->value, nullptr};
        if (block->scope->findHere(text) == symbol) return {};  // changes from round to round
    }
    const auto& constant = std::get<sema::ConstSymbol>(symbol->node);
    if (constant.state == sema::ConstSymbol::State::Failed) return {};
    if (!tree_.context.constant({moduleOf(frame), name}, scope)) return {};
    if (constant.state != sema::ConstSymbol::State::Done) return {};
    return {Leaf::Kind::Symbol, nullptr, symbol};
}

std::optional<IntegerExpr> Builder::compile(Frame& frame, ast::ExprId expr,
                                            std::uint32_t iteration) {
    return IntegerExpr::compile(tree_.context, {moduleOf(frame), expr},
                                [&](ast::ExprId name) { return leafOf(frame, name, iteration); });
}

void Builder::makePlan(Frame& frame, const ast::InstanceDecl& decl, const Call& call,
                       std::uint32_t iteration, ArgumentPlan& plan) {
    plan.hasIndices = true;
    for (const ast::ExprId index : decl.indices) {
        auto compiled = compile(frame, index, iteration);
        plan.hasIndices = plan.hasIndices && compiled && !compiled->isBool();
        if (compiled) plan.indices.push_back(std::move(*compiled));
    }
    plan.hasPorts = planPorts(frame, call, iteration, plan);
    plan.hasConstants = planConstants(frame, call, iteration, plan);
}

bool Builder::planPorts(Frame& frame, const Call& call, std::uint32_t iteration,
                        ArgumentPlan& plan) {
    if (portsDepend(*call.entity)) return false;
    for (std::size_t i = 0; i < call.ports.size(); ++i) {
        ArgumentPlan::Port& port = plan.ports.emplace_back();
        if (!planPort(frame, call.entity->ports[i], call.ports[i], iteration, port)) return false;
    }
    return true;
}

bool Builder::planPort(Frame& frame, const PortParam& param, ast::ExprId argument,
                       std::uint32_t iteration, ArgumentPlan::Port& port) {
    if (param.ast->isArray) return false;
    std::vector<ast::ExprId> indices;
    const ast::Expr* root = &tree_.expr({moduleOf(frame), argument});
    while (const auto* index = std::get_if<ast::Index>(&root->node)) {
        indices.insert(indices.begin(), index->index);
        root = &tree_.expr({moduleOf(frame), index->base});
    }
    const auto* name = std::get_if<ast::Name>(&root->node);
    const sema::Symbol* symbol = name ? enter(frame, iteration).find(name->text) : nullptr;
    if (!symbol) return false;
    if (const auto* bus = std::get_if<sema::BusSymbol>(&symbol->node)) {
        port.bus = symbol;
        port.dimensions = tree_.design.busGroups[bus->group].dimensions;
        const bool isLocal = frame.scope->findHere(name->text) != symbol;
        if (isLocal && !port.dimensions.empty())
            return false;  // its size may change from round to round
    } else if (const auto* outer = std::get_if<sema::PortSymbol>(&symbol->node)) {
        if (tree_.nodes[frame.node].state(Stage::Ports) != Node::Done) return false;
        port.view = &frame.ports[outer->port];
        port.dimensions = port.view->dimensions;
        if (port.view->readOnly && param.isOut) return false;
    } else {
        return false;
    }
    if (indices.size() != port.dimensions.size()) return false;
    symbol->used = true;
    for (const ast::ExprId index : indices) {
        auto compiled = compile(frame, index, iteration);
        if (!compiled || compiled->isBool()) return false;
        port.indices.push_back(std::move(*compiled));
    }
    return true;
}

bool Builder::planConstants(Frame& frame, const Call& call, std::uint32_t iteration,
                            ArgumentPlan& plan) {
    for (std::size_t i = 0; i < call.constants.size(); ++i) {
        ArgumentPlan::Constant& constant = plan.constants.emplace_back();
        if (!planConstant(frame, *call.entity, call.entity->constants[i], call.constants[i],
                          iteration, constant))
            return false;
    }
    return true;
}

bool Builder::planConstant(Frame& frame, const Entity& entity, ConstParam& param,
                           ast::ExprId argument, std::uint32_t iteration,
                           ArgumentPlan::Constant& constant) {
    if (param.depends) return false;
    resolveParam(entity, param);
    if (param.failed) return false;
    if (!argument.valid()) {
        if (param.fallback)
            constant.fixed = tree_.packed(param.fallback->value, param.fallback->type);
        return param.fallback.has_value();
    }
    constant.expr = compile(frame, argument, iteration);
    if (!constant.expr) return false;
    constant.type = param.type;
    if (!param.ast->type) return constant.expr->isUnsized() && !constant.expr->isBool();
    if (param.type == hir::TypeTable::kBool) {
        constant.high = 1;
        return constant.expr->isBool();
    }
    if (constant.expr->isBool() || !tree_.design.types.isInteger(param.type)) return false;
    const bool isUnbounded =
        param.type == hir::TypeTable::kUint || param.type == hir::TypeTable::kInt;
    constexpr auto kHigh = std::numeric_limits<std::int64_t>::max();
    constexpr auto kLow = std::numeric_limits<std::int64_t>::min();
    const hir::Integer low = tree_.design.types.minimum(param.type);
    const hir::Integer high = tree_.design.types.maximum(param.type);
    constant.low = low < kLow ? kLow : static_cast<std::int64_t>(low);
    constant.high = isUnbounded || high > kHigh ? kHigh : static_cast<std::int64_t>(high);
    if (param.type == hir::TypeTable::kUint) constant.low = 0;
    return true;
}

void Builder::followPlan(NodeId id, const Call& call, ArgumentPlan& plan) {
    Node& node = tree_.nodes[id];
    if (plan.hasConstants && followConstants(node, plan)) node.state(Stage::Constants) = Node::Done;
    if (plan.hasPorts && followPorts(node, call, plan)) node.state(Stage::Ports) = Node::Done;
    if (call.entity->hasInterior || node.state(Stage::Constants) != Node::Done
        || call.entity->structureNeedsPorts)
        return;
    if (call.entity->busesDepend) return;
    const bool isGood = openLeaf(id);
    tree_.nodes[id].state(Stage::Open) = isGood ? Node::Done : Node::Failed;
}

bool Builder::followPorts(Node& node, const Call& call, ArgumentPlan& plan) {
    const auto first = static_cast<std::uint32_t>(tree_.arguments.size());
    tuple_.clear();
    for (const ArgumentPlan::Port& port : plan.ports) {
        std::uint64_t element = 0;
        for (std::size_t i = 0; i < port.indices.size(); ++i) {
            const auto index = port.indices[i].evaluate();
            if (!index || *index < 0 || static_cast<std::uint64_t>(*index) >= port.dimensions[i]) {
                tree_.arguments.resize(first);
                return false;
            }
            element = element * port.dimensions[i] + static_cast<std::uint64_t>(*index);
        }
        hir::BusId bus;
        if (port.view) {
            bus = port.view->at(element);
        } else {
            const auto* symbol = std::get_if<sema::BusSymbol>(&port.bus->node);
            if (!symbol) {
                tree_.arguments.resize(first);
                return false;
            }
            bus.index = tree_.design.busGroups[symbol->group].first.index
                        + static_cast<std::uint32_t>(element);
        }
        tree_.arguments.push_back(bus);
        tuple_.push_back(tree_.design.buses[bus.index].shape.index);
        tuple_.push_back(0);
    }
    if (plan.portsId == kNone || tuple_ != plan.portTuple) {
        for (std::size_t i = 0; i < plan.ports.size(); ++i) {
            const bool isPlain = !call.entity->ports[i].ast->type;
            const hir::ShapeId shape{static_cast<std::uint32_t>(tuple_[2 * i])};
            if (isPlain
                || checkFields(*call.entity, call.entity->ports[i], shape, {}, nullptr, {}, true))
                continue;
            tree_.arguments.resize(first);
            return false;
        }
        plan.portTuple = tuple_;
        plan.portsId = tree_.portTuples.intern(tuple_);
    }
    node.firstArgument = first;
    node.ports = plan.portsId;
    return true;
}

bool Builder::followConstants(Node& node, ArgumentPlan& plan) {
    tuple_.clear();
    for (const ArgumentPlan::Constant& constant : plan.constants) {
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
    if (plan.constantsId == kNone || tuple_ != plan.constantTuple) {
        plan.constantTuple = tuple_;
        plan.constantsId = tree_.constantTuples.intern(tuple_);
    }
    node.constants = plan.constantsId;
    return true;
}

}  // namespace smec::elab
