#include "elab/builder.h"

#include <algorithm>

#include "ast/names.h"

// generate i = 0 until 3 { bus b {…}; instance s[i] of p(b, link[i + 1]); }
// One Block (scope with i, b and the body's constants) is set to i = 0, 1, 2 in turn; an Iteration
// remembers each round, so that an argument can be evaluated later.

namespace smec::elab {

void Builder::walk(Frame& frame, const std::vector<ast::Decl>& decls, std::uint32_t iteration) {
    for (const ast::Decl& decl : decls) {
        if (tree_.isFull) return;
        if (const auto* instance = std::get_if<ast::InstanceDecl>(&decl.node)) {
            addInstance(frame, *instance, iteration);
        } else if (const auto* loop = std::get_if<ast::GenerateFor>(&decl.node)) {
            generate(frame, *loop, iteration);
        } else if (const auto* choice = std::get_if<ast::GenerateIf>(&decl.node)) {
            choose(frame, *choice, iteration);
        }
    }
}

std::optional<hir::Integer> Builder::bound(Frame& frame, ArgumentPlan* plan, bool isFrom,
                                           ast::ExprId expr, std::uint32_t iteration) {
    if (plan) {
        std::optional<IntegerExpr>& compiled = isFrom ? plan->from : plan->to;
        if (plan->seen == 2) compiled = compile(frame, expr, iteration);
        if (compiled && !compiled->isBool()) {
            if (const auto value = compiled->evaluate()) return hir::Integer(*value);
        }
    }
    return tree_.context.integer({moduleOf(frame), expr}, enter(frame, iteration),
                                 "bound of a generate");
}

void Builder::generate(Frame& frame, const ast::GenerateFor& loop, std::uint32_t iteration) {
    ArgumentPlan* plan = planOf(frame, &loop, iteration);
    const auto from = bound(frame, plan, true, loop.from, iteration);
    const auto to = bound(frame, plan, false, loop.to, iteration);
    if (!from || !to) return;
    const hir::Integer count = *to - *from + (loop.isUntil ? 0 : 1);
    if (count <= 0 || overLimit(count, loop.variable.range)) return;
    constexpr std::int64_t kLargest = std::int64_t{1} << 62;
    if (*from < -kLargest || *to > kLargest) {
        tree_.diagnostics.report(DiagId::GenerateBound, loop.variable.range, from->str(),
                                 to->str());
        return;
    }
    Block& block = blockOf(frame, &loop, &loop, loop.body, iteration);
    const auto first = static_cast<std::int64_t>(*from);
    const auto rounds = static_cast<std::int64_t>(count);
    for (std::int64_t i = 0; i < rounds && !tree_.isFull; ++i)
        repeat(frame, block, iteration, first + i);
}

bool Builder::overLimit(const hir::Integer& count, SourceRange range) {
    if (count + rounds_ <= tree_.options.maxInstances) {
        rounds_ += static_cast<std::uint64_t>(count);
        return false;
    }
    tree_.diagnostics.report(DiagId::GenerateTooLarge, range, count.str(), rounds_,
                             tree_.options.maxInstances);
    tree_.isFull = true;
    return true;
}

void Builder::repeat(Frame& frame, Block& block, std::uint32_t outer, std::int64_t value) {
    const auto id = static_cast<std::uint32_t>(frame.iterations.size());
    frame.iterations.push_back({outer, &block, value, kNone});
    enter(frame, id);
    declareInBlock(frame, block, id);
    walk(frame, *block.decls, id);
}

void Builder::choose(Frame& frame, const ast::GenerateIf& choice, std::uint32_t iteration) {
    ArgumentPlan* plan = planOf(frame, &choice, iteration);
    std::optional<bool> isYes;
    if (plan) {
        if (plan->seen == 2) plan->condition = compile(frame, choice.condition, iteration);
        if (plan->condition && plan->condition->isBool()) {
            if (const auto value = plan->condition->evaluate()) isYes = *value != 0;
        }
    }
    if (!isYes)
        isYes =
            tree_.context.condition({moduleOf(frame), choice.condition}, enter(frame, iteration));
    if (!isYes) return;
    const std::vector<ast::Decl>& decls = *isYes ? choice.yes : choice.no;
    const bool hasNames = std::ranges::any_of(decls, [](const ast::Decl& decl) {
        return !std::holds_alternative<ast::InstanceDecl>(decl.node)
               && !std::holds_alternative<ast::GenerateFor>(decl.node)
               && !std::holds_alternative<ast::GenerateIf>(decl.node);
    });
    if (!hasNames) return walk(frame, decls, iteration);
    repeat(frame, blockOf(frame, &decls, nullptr, decls, iteration), iteration, 0);
}

Block& Builder::blockOf(Frame& frame, const void* key, const ast::GenerateFor* loop,
                        const std::vector<ast::Decl>& decls, std::uint32_t outer) {
    std::unique_ptr<Block>& block = frame.blocks[key];
    if (block) return *block;
    block = std::make_unique<Block>();
    block->loop = loop;
    block->decls = &decls;
    block->parent = frame.iterations[outer].block;
    block->isReusable = !block->parent || block->parent->isReusable;
    for (const ast::Decl& decl : decls) {
        if (const auto* bus = std::get_if<ast::BusDecl>(&decl.node)) block->buses.push_back(bus);
        const bool isName = std::holds_alternative<ast::TypeDecl>(decl.node)
                            || std::holds_alternative<ast::EnumDecl>(decl.node)
                            || std::holds_alternative<ast::FuncDecl>(decl.node)
                            || std::holds_alternative<ast::ExternFunc>(decl.node);
        if (isName) block->isReusable = false;
    }
    block->fixedBuses.resize(block->buses.size());
    return *block;
}

sema::Scope& Builder::enter(Frame& frame, std::uint32_t id) {
    Block* block = frame.iterations[id].block;
    if (!block) return *frame.scope;
    const sema::Scope& outer = enter(frame, frame.iterations[id].parent);
    if (block->current != id) setBlock(frame, *block, id, outer);
    return *block->scope;
}

/// Makes the scope of a block show the round `id`.
void Builder::setBlock(Frame& frame, Block& block, std::uint32_t id, const sema::Scope& outer) {
    const Iteration& iteration = frame.iterations[id];
    block.current = id;
    block.value = iteration.value;
    const bool isNew = !block.scope || !block.isReusable;
    if (isNew) {
        if (block.scope) frame.retired.push_back(std::move(block.scope));
        block.scope = std::make_unique<sema::Scope>(&outer, outer.module());
        block.index = nullptr;
        block.constants.clear();
        block.busSymbols.assign(block.buses.size(), nullptr);
        if (block.loop)
            block.index = addSymbol(tree_, *block.scope, block.loop->variable, failedSymbol());
        tree_.context.declare(*block.scope, *block.decls);
        for (const ast::Decl& decl : *block.decls) {
            const auto* constant = std::get_if<ast::ConstDecl>(&decl.node);
            sema::Symbol* symbol = constant ? block.scope->findHere(constant->name.text) : nullptr;
            if (symbol && symbol != block.index) block.constants.push_back(symbol);
        }
    }
    if (block.index)
        std::get<sema::ConstSymbol>(block.index->node) = valueSymbol(indexValue(iteration.value));
    if (!isNew) {
        for (sema::Symbol* symbol : block.constants) {
            auto* constant = std::get_if<sema::ConstSymbol>(&symbol->node);
            if (constant && constant->decl) constant->state = sema::ConstSymbol::State::Unevaluated;
        }
    }
    for (std::uint32_t i = 0; i < block.buses.size(); ++i) {
        if (iteration.firstGroup == kNone) continue;
        if (!block.busSymbols[i])
            block.busSymbols[i] =
                addSymbol(tree_, *block.scope, block.buses[i]->name, sema::BusSymbol{});
        if (block.busSymbols[i])
            block.busSymbols[i]->node = sema::BusSymbol{iteration.firstGroup + i};
    }
}

void Builder::declareInBlock(Frame& frame, Block& block, std::uint32_t id) {
    if (block.buses.empty()) return;
    frame.iterations[id].firstGroup = static_cast<std::uint32_t>(tree_.design.busGroups.size());
    sema::Scope& scope = *block.scope;
    for (std::size_t i = 0; i < block.buses.size(); ++i) {
        std::optional<BusTemplate> resolved = block.fixedBuses[i];
        if (!resolved) {
            resolved = resolve(*block.buses[i], scope);
            bool isFixed = resolved.has_value() && block.isReusable;
            ast::forEachName(tree_.module(scope.module()), *block.buses[i],
                             [&](std::string_view name) {
                                 isFixed = isFixed && scope.find(name) == frame.scope->find(name);
                             });
            if (isFixed) block.fixedBuses[i] = resolved;
        }
        const auto group = resolved ? declareBus(*block.buses[i], frame.node, *resolved,
                                                 scope.module(), generateIndices(frame, id))
                                    : std::nullopt;
        if (!block.busSymbols[i])
            block.busSymbols[i] = addSymbol(tree_, scope, block.buses[i]->name, failedSymbol());
        if (!block.busSymbols[i]) continue;
        if (group) {
            block.busSymbols[i]->node = sema::BusSymbol{*group};
        } else {
            block.busSymbols[i]->node = failedSymbol();
            frame.iterations[id].firstGroup = kNone;  // its buses are not consecutive
        }
    }
}

std::vector<std::uint64_t> Builder::generateIndices(const Frame& frame,
                                                    std::uint32_t iteration) const {
    std::vector<std::uint64_t> result;
    for (std::uint32_t id = iteration; id != kNone; id = frame.iterations[id].parent) {
        const Iteration& round = frame.iterations[id];
        if (round.block && round.block->loop)
            result.insert(result.begin(), static_cast<std::uint64_t>(round.value));
    }
    return result;
}

/// The plan of a declaration that stands in a generate body; none outside, where everything is done
/// once.
ArgumentPlan* Builder::planOf(Frame& frame, const void* decl, std::uint32_t iteration) {
    Block* block = frame.iterations[iteration].block;
    if (!block || !block->isReusable) return nullptr;
    ArgumentPlan& plan = block->plans[decl];
    if (plan.seen < 3) ++plan.seen;
    return &plan;
}

}  // namespace smec::elab
