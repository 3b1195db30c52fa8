#include "elab/argument_compiler.h"

#include "elab/bus_arguments.h"

namespace smec::elab {

Leaf ArgumentCompiler::leafOf(const Round& round, ast::ExprId name) {
    const sema::ModuleId module = tree_.moduleOf(round.frame);
    const auto& text = std::get<ast::Name>(tree_.expr({module, name}).node).text;
    const sema::Scope& scope = rounds_.enter(round);
    const sema::Symbol* symbol = scope.find(text);
    if (!symbol || !std::holds_alternative<sema::ConstSymbol>(symbol->node)) return {};
    Block* block = round.frame.iterations[round.iteration].block;
    for (; block; block = block->parent) {
        if (block->index == symbol) return {Leaf::Kind::Slot, &block->value, nullptr};
        if (block->scope->findHere(text) == symbol) return {};  // changes from round to round
    }
    const auto& constant = std::get<sema::ConstSymbol>(symbol->node);
    if (constant.state == sema::ConstSymbol::State::Failed) return {};
    if (!tree_.context.constant({module, name}, scope)) return {};
    if (constant.state != sema::ConstSymbol::State::Done) return {};
    return {Leaf::Kind::Symbol, nullptr, symbol};
}

std::optional<IntegerExpr> ArgumentCompiler::compile(const Round& round, ast::ExprId expr) {
    return IntegerExpr::compile(tree_.context, {tree_.moduleOf(round.frame), expr},
                                [&](ast::ExprId name) { return leafOf(round, name); });
}

void ArgumentCompiler::compile(const Round& round, const ast::InstanceDecl& decl, const Call& call,
                               CompiledDecl& compiled) {
    compiled.hasIndices = true;
    for (const ast::ExprId index : decl.indices) {
        auto value = compile(round, index);
        compiled.hasIndices = compiled.hasIndices && value && !value->isBool();
        if (value) compiled.indices.push_back(std::move(*value));
    }
    compiled.hasPorts = compilePorts(round, call, compiled);
    compiled.hasConstants = compileConstants(round, call, compiled);
}

bool ArgumentCompiler::compilePorts(const Round& round, const Call& call, CompiledDecl& compiled) {
    if (call.entity->portsDepend()) return false;
    for (std::size_t i = 0; i < call.ports.size(); ++i) {
        compiled.ports.push_back(bus(round, call.entity->ports[i], call.ports[i], {}));
        if (compiled.ports.back().kind == CompiledBus::Kind::General) return false;
    }
    return true;
}

/// `after`: the steps after the argument, the last one first; an element that they select from a
/// list goes the general way.
CompiledBus ArgumentCompiler::bus(const Round& round, const PortParam& param, ast::ExprId argument,
                                  std::span<const ast::ExprId> after) {
    const sema::ModuleId module = tree_.moduleOf(round.frame);
    const ast::Expr& expr = tree_.expr({module, argument});
    if (const auto* paren = std::get_if<ast::Paren>(&expr.node))
        return bus(round, param, paren->inner, after);
    if (std::holds_alternative<ast::Conditional>(expr.node))
        return choice(round, param, argument, after);
    if (const auto* elements = std::get_if<ast::ArrayLiteral>(&expr.node))
        return after.empty() ? list(round, param, *elements) : CompiledBus{};
    std::vector<ast::ExprId> steps(after.begin(), after.end());
    const ast::ExprId from = chosenFrom(tree_, {module, argument}, steps);
    if (from.valid()) return bus(round, param, from, steps);
    return path(round, param, argument, after);
}

/// Only the side that is chosen needs to exist, so that one which is not compiled may never matter.
CompiledBus ArgumentCompiler::choice(const Round& round, const PortParam& param,
                                     ast::ExprId argument, std::span<const ast::ExprId> after) {
    const sema::ModuleId module = tree_.moduleOf(round.frame);
    CompiledBus result;
    while (const auto* node = std::get_if<ast::Conditional>(&tree_.expr({module, argument}).node)) {
        auto condition = compile(round, node->condition);
        if (!condition || !condition->isBool()) return {};
        result.indices.push_back(std::move(*condition));
        result.parts.push_back(bus(round, param, node->yes, after));
        argument = node->no;
    }
    result.parts.push_back(bus(round, param, argument, after));
    result.kind = CompiledBus::Kind::Choice;
    return result;
}

CompiledBus ArgumentCompiler::list(const Round& round, const PortParam& param,
                                   const ast::ArrayLiteral& node) {
    CompiledBus result;
    for (const ast::ExprId element : node.elements) {
        result.parts.push_back(bus(round, param, element, {}));
        if (result.parts.back().kind == CompiledBus::Kind::General) return {};
    }
    result.kind = CompiledBus::Kind::List;
    return result;
}

CompiledBus ArgumentCompiler::path(const Round& round, const PortParam& param, ast::ExprId argument,
                                   std::span<const ast::ExprId> after) {
    const sema::ModuleId module = tree_.moduleOf(round.frame);
    std::vector<ast::ExprId> indices;
    for (const ast::ExprId step : after) {
        const auto* index = std::get_if<ast::Index>(&tree_.expr({module, step}).node);
        if (!index) return {};
        indices.insert(indices.begin(), index->index);
    }
    const ast::Expr* base = &tree_.expr({module, argument});
    while (const auto* index = std::get_if<ast::Index>(&base->node)) {
        indices.insert(indices.begin(), index->index);
        base = &tree_.expr({module, index->base});
    }
    const auto* name = std::get_if<ast::Name>(&base->node);
    const sema::Symbol* symbol = name ? rounds_.enter(round).find(name->text) : nullptr;
    if (!symbol) return {};
    CompiledBus result = root(round, param, *symbol);
    if (result.kind == CompiledBus::Kind::General || indices.size() > result.dimensions.size())
        return {};
    symbol->used = true;
    for (const ast::ExprId index : indices) {
        auto value = compile(round, index);
        if (!value || value->isBool()) return {};
        result.indices.push_back(std::move(*value));
    }
    return result;
}

/// A declared bus or a port as a whole.
CompiledBus ArgumentCompiler::root(const Round& round, const PortParam& param,
                                   const sema::Symbol& symbol) {
    Frame& frame = round.frame;
    CompiledBus result;
    if (const auto* bus = std::get_if<sema::BusSymbol>(&symbol.node)) {
        result.bus = &symbol;
        result.dimensions = tree_.design.busGroups[bus->group].dimensions;
        const bool isLocal = frame.scope->findHere(symbol.name) != &symbol;
        const bool mayChange = isLocal && !result.dimensions.empty();  // from round to round
        if (!mayChange) result.kind = CompiledBus::Kind::Bus;
    } else if (const auto* outer = std::get_if<sema::PortSymbol>(&symbol.node)) {
        if (tree_.nodes[frame.node].state(Stage::Ports) != Node::Done) return {};
        result.view = &frame.ports[outer->port];
        result.dimensions = result.view->dimensions;
        const bool isDriven = result.view->readOnly && param.isOut;
        if (!isDriven) result.kind = CompiledBus::Kind::View;
    }
    return result;
}

bool ArgumentCompiler::compileConstants(const Round& round, const Call& call,
                                        CompiledDecl& compiled) {
    for (std::size_t i = 0; i < call.constants.size(); ++i) {
        CompiledDecl::Constant& constant = compiled.constants.emplace_back();
        if (!compileConstant(round, *call.entity, call.entity->constants[i], call.constants[i],
                             constant))
            return false;
    }
    return true;
}

bool ArgumentCompiler::compileConstant(const Round& round, const Entity& entity, ConstParam& param,
                                       ast::ExprId argument, CompiledDecl::Constant& constant) {
    if (param.depends) return false;
    constants_.resolve(entity, param);
    if (param.failed) return false;
    if (!argument.valid()) {
        if (param.fallback)
            constant.fixed = tree_.packed(param.fallback->value, param.fallback->type);
        return param.fallback.has_value();
    }
    constant.expr = compile(round, argument);
    return constant.expr && setRange(param, constant);
}

/// What the type of the parameter takes; false when it cannot be said in 64-bit integers.
bool ArgumentCompiler::setRange(const ConstParam& param, CompiledDecl::Constant& constant) const {
    const hir::TypeTable& types = tree_.design.types;
    constant.type = param.type;
    if (!param.ast->type) return constant.expr->isUnsized() && !constant.expr->isBool();
    if (param.type == hir::TypeTable::kBool) {
        constant.high = 1;
        return constant.expr->isBool();
    }
    if (constant.expr->isBool() || !types.isInteger(param.type)) return false;
    const bool isUnbounded =
        param.type == hir::TypeTable::kUint || param.type == hir::TypeTable::kInt;
    constexpr auto kHigh = std::numeric_limits<std::int64_t>::max();
    constexpr auto kLow = std::numeric_limits<std::int64_t>::min();
    const hir::Integer low = types.minimum(param.type);
    const hir::Integer high = types.maximum(param.type);
    constant.low = low < kLow ? kLow : static_cast<std::int64_t>(low);
    constant.high = isUnbounded || high > kHigh ? kHigh : static_cast<std::int64_t>(high);
    if (param.type == hir::TypeTable::kUint) constant.low = 0;
    return true;
}

}  // namespace smec::elab
