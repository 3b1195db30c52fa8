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
        plan.ports.push_back(planBus(frame, call.entity->ports[i], call.ports[i], {}, iteration));
        if (plan.ports.back().kind == PlannedBus::Kind::Unplanned) return false;
    }
    return true;
}

/// Of a choice only the side that is chosen needs to exist, so that one without a plan may never
/// matter. `behind`: the steps behind it, the last one first; an element that they select from a
/// list goes the general way.
PlannedBus Builder::planBus(Frame& frame, const PortParam& param, ast::ExprId argument,
                            std::span<const ast::ExprId> behind, std::uint32_t iteration) {
    const ast::Expr& expr = tree_.expr({moduleOf(frame), argument});
    const auto plan = [&](ast::ExprId part) {
        return planBus(frame, param, part, behind, iteration);
    };
    PlannedBus result;
    if (const auto* paren = std::get_if<ast::Paren>(&expr.node)) return plan(paren->inner);
    if (std::holds_alternative<ast::Conditional>(expr.node)) {
        ast::ExprId last = argument;
        while (const auto* choice =
                   std::get_if<ast::Conditional>(&tree_.expr({moduleOf(frame), last}).node)) {
            auto condition = compile(frame, choice->condition, iteration);
            if (!condition || !condition->isBool()) return result;
            result.indices.push_back(std::move(*condition));
            result.parts.push_back(plan(choice->yes));
            last = choice->no;
        }
        result.parts.push_back(plan(last));
        result.kind = PlannedBus::Kind::Choice;
    } else if (const auto* list = std::get_if<ast::ArrayLiteral>(&expr.node)) {
        if (!behind.empty()) return result;
        for (const ast::ExprId element : list->elements) {
            result.parts.push_back(plan(element));
            if (result.parts.back().kind == PlannedBus::Kind::Unplanned) return result;
        }
        result.kind = PlannedBus::Kind::List;
    } else {
        std::vector<ast::ExprId> steps(behind.begin(), behind.end());
        const ast::ExprId from = chosenFrom({moduleOf(frame), argument}, steps);
        if (from.valid()) return planBus(frame, param, from, steps, iteration);
        return planPath(frame, param, argument, behind, iteration);
    }
    return result;
}

PlannedBus Builder::planPath(Frame& frame, const PortParam& param, ast::ExprId argument,
                             std::span<const ast::ExprId> behind, std::uint32_t iteration) {
    std::vector<ast::ExprId> indices;
    for (const ast::ExprId step : behind) {
        const auto* index = std::get_if<ast::Index>(&tree_.expr({moduleOf(frame), step}).node);
        if (!index) return {};
        indices.insert(indices.begin(), index->index);
    }
    const ast::Expr* root = &tree_.expr({moduleOf(frame), argument});
    while (const auto* index = std::get_if<ast::Index>(&root->node)) {
        indices.insert(indices.begin(), index->index);
        root = &tree_.expr({moduleOf(frame), index->base});
    }
    const auto* name = std::get_if<ast::Name>(&root->node);
    const sema::Symbol* symbol = name ? enter(frame, iteration).find(name->text) : nullptr;
    if (!symbol) return {};
    PlannedBus result;
    if (const auto* bus = std::get_if<sema::BusSymbol>(&symbol->node)) {
        result.bus = symbol;
        result.dimensions = tree_.design.busGroups[bus->group].dimensions;
        const bool isLocal = frame.scope->findHere(name->text) != symbol;
        if (isLocal && !result.dimensions.empty())
            return {};  // its size may change from round to round
    } else if (const auto* outer = std::get_if<sema::PortSymbol>(&symbol->node)) {
        if (tree_.nodes[frame.node].state(Stage::Ports) != Node::Done) return {};
        result.view = &frame.ports[outer->port];
        result.dimensions = result.view->dimensions;
        if (result.view->readOnly && param.isOut) return {};
    } else {
        return {};
    }
    if (indices.size() > result.dimensions.size()) return {};
    symbol->used = true;
    for (const ast::ExprId index : indices) {
        auto compiled = compile(frame, index, iteration);
        if (!compiled || compiled->isBool()) return {};
        result.indices.push_back(std::move(*compiled));
    }
    result.kind = result.view ? PlannedBus::Kind::View : PlannedBus::Kind::Bus;
    return result;
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

/// False: the general way has to do it.
bool Builder::followPorts(Node& node, const Call& call, ArgumentPlan& plan) {
    const auto first = static_cast<std::uint32_t>(tree_.arguments.size());
    const auto giveUp = [&] {
        tree_.arguments.resize(first);
        return false;
    };
    tuple_.clear();
    followed_.clear();
    followedDimensions_.resize(plan.ports.size());
    for (std::size_t i = 0; i < plan.ports.size(); ++i) {
        std::vector<std::uint64_t>& dimensions = followedDimensions_[i];
        dimensions.clear();
        const std::size_t begin = tree_.arguments.size();
        if (!follow(plan.ports[i], dimensions) || tree_.arguments.size() == begin) return giveUp();
        const hir::ShapeId shape = tree_.design.buses[tree_.arguments[begin].index].shape;
        for (std::size_t k = begin; k < tree_.arguments.size(); ++k)
            if (tree_.design.buses[tree_.arguments[k].index].shape != shape) return giveUp();
        followed_.push_back({shape, !dimensions.empty(), dimensions, {}});
        Tree::appendPort(tuple_, followed_.back());
    }
    if (plan.portsId == kNone || tuple_ != plan.portTuple) {
        if (!isTaken(call)) return giveUp();
        plan.portTuple = tuple_;
        plan.portsId = tree_.portTuples.intern(tuple_);
    }
    node.firstArgument = first;
    node.ports = plan.portsId;
    return true;
}

/// The ports take what was followed.
bool Builder::isTaken(const Call& call) {
    for (std::size_t i = 0; i < followed_.size(); ++i) {
        const PortCheck check{*call.entity, call.entity->ports[i], nullptr, {}, {}, true};
        if (!checkArray(check, followedDimensions_[i]) || !checkFields(check, followed_[i].shape))
            return false;
    }
    return true;
}

/// Appends the buses to Tree::arguments and says what array they are.
bool Builder::follow(const PlannedBus& bus, std::vector<std::uint64_t>& dimensions) {
    switch (bus.kind) {
    case PlannedBus::Kind::Unplanned: return false;
    case PlannedBus::Kind::Bus:
    case PlannedBus::Kind::View: return followPath(bus, dimensions);
    case PlannedBus::Kind::List: return followList(bus, dimensions);
    case PlannedBus::Kind::Choice: break;
    }
    std::size_t chosen = 0;
    for (; chosen < bus.indices.size(); ++chosen) {
        const auto condition = bus.indices[chosen].evaluate();
        if (!condition) return false;
        if (*condition != 0) break;
    }
    return follow(bus.parts[chosen], dimensions);
}

bool Builder::followList(const PlannedBus& bus, std::vector<std::uint64_t>& dimensions) {
    std::vector<std::uint64_t> part;
    for (std::size_t i = 0; i < bus.parts.size(); ++i) {
        part.clear();
        if (!follow(bus.parts[i], part)) return false;
        if (i == 0)
            dimensions = part;
        else if (part != dimensions)
            return false;
    }
    dimensions.insert(dimensions.begin(), bus.parts.size());
    return true;
}

bool Builder::followPath(const PlannedBus& bus, std::vector<std::uint64_t>& dimensions) {
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
