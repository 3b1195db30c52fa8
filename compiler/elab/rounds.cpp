#include "elab/rounds.h"

#include "ast/names.h"
#include "elab/scopes.h"

// generate i = 0 until 3 { bus b {…}; instance s[i] of p(b, link[i + 1]); }
// One Block (scope with i, b and the body's constants) is set to i = 0, 1, 2 in turn.

namespace smec::elab {

Block& Rounds::blockOf(const Round& outer, const void* key, const ast::GenerateFor* loop,
                       const std::vector<ast::Decl>& decls) {
    std::unique_ptr<Block>& block = outer.frame.blocks[key];
    if (block) return *block;
    block = std::make_unique<Block>();
    block->loop = loop;
    block->decls = &decls;
    block->parent = outer.frame.iterations[outer.iteration].block;
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

Round Rounds::begin(const Round& outer, Block& block, std::int64_t value) {
    Frame& frame = outer.frame;
    const Round round{frame, static_cast<std::uint32_t>(frame.iterations.size())};
    frame.iterations.push_back({outer.iteration, &block, value, kNone});
    enter(round);
    declareBuses(round, block);
    return round;
}

void Rounds::drop(const Round& round) {
    std::vector<Iteration>& iterations = round.frame.iterations;
    const Iteration& last = iterations.back();
    if (round.iteration + 1 != iterations.size() || last.firstGroup != kNone) return;
    last.block->current = kNone;
    iterations.pop_back();
}

const Block* Rounds::blockAt(const Round& round) const {
    return round.frame.iterations[round.iteration].block;
}

sema::Scope& Rounds::enter(const Round& round) {
    const Iteration& iteration = round.frame.iterations[round.iteration];
    Block* block = iteration.block;
    if (!block) return *round.frame.scope;
    const sema::Scope& outer = enter({round.frame, iteration.parent});
    if (block->current != round.iteration) setBlock(round, *block, outer);
    return *block->scope;
}

/// Makes the scope of a block show the round.
void Rounds::setBlock(const Round& round, Block& block, const sema::Scope& outer) {
    const Iteration& iteration = round.frame.iterations[round.iteration];
    block.current = round.iteration;
    block.value = iteration.value;
    const bool isNew = !block.scope || !block.isReusable;
    if (isNew) makeScope(round.frame, block, outer);
    if (block.index)
        std::get<sema::ConstSymbol>(block.index->node) = valueSymbol(indexValue(iteration.value));
    if (!isNew) {
        for (sema::Symbol* symbol : block.constants) {
            auto* constant = std::get_if<sema::ConstSymbol>(&symbol->node);
            if (constant && constant->decl) constant->state = sema::ConstSymbol::State::Unevaluated;
        }
    }
    if (iteration.firstGroup == kNone) return;
    for (std::uint32_t i = 0; i < block.buses.size(); ++i) {
        if (!block.busSymbols[i])
            block.busSymbols[i] =
                addSymbol(tree_, *block.scope, block.buses[i]->name, sema::BusSymbol{});
        if (block.busSymbols[i])
            block.busSymbols[i]->node = sema::BusSymbol{iteration.firstGroup + i};
    }
}

void Rounds::makeScope(Frame& frame, Block& block, const sema::Scope& outer) {
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

void Rounds::declareBuses(const Round& round, Block& block) {
    if (block.buses.empty()) return;
    Iteration& iteration = round.frame.iterations[round.iteration];
    iteration.firstGroup = static_cast<std::uint32_t>(tree_.design.busGroups.size());
    sema::Scope& scope = *block.scope;
    for (std::size_t i = 0; i < block.buses.size(); ++i) {
        const ast::BusDecl& bus = *block.buses[i];
        const std::optional<BusTemplate> resolved = resolve(round.frame, block, i);
        const auto group = resolved ? groups_.declare(bus, round.frame.node, *resolved,
                                                      scope.module(), generateIndices(round))
                                    : std::nullopt;
        if (!block.busSymbols[i])
            block.busSymbols[i] = addSymbol(tree_, scope, bus.name, failedSymbol());
        if (!block.busSymbols[i]) continue;
        if (group) {
            block.busSymbols[i]->node = sema::BusSymbol{*group};
        } else {
            block.busSymbols[i]->node = failedSymbol();
            iteration.firstGroup = kNone;  // its buses are not consecutive
        }
    }
}

/// One of the block's buses in the round to which the block is set.
std::optional<BusTemplate> Rounds::resolve(const Frame& frame, Block& block, std::size_t bus) {
    if (block.fixedBuses[bus]) return block.fixedBuses[bus];
    const sema::Scope& scope = *block.scope;
    const ast::BusDecl& decl = *block.buses[bus];
    std::optional<BusTemplate> resolved = groups_.resolve(decl, scope);
    bool isFixed = resolved.has_value() && block.isReusable;
    ast::forEachName(tree_.module(scope.module()), decl, [&](std::string_view name) {
        isFixed = isFixed && scope.find(name) == frame.scope->find(name);
    });
    if (isFixed) block.fixedBuses[bus] = resolved;
    return resolved;
}

std::vector<std::uint64_t> Rounds::generateIndices(const Round& round) const {
    std::vector<std::uint64_t> result;
    const std::vector<Iteration>& iterations = round.frame.iterations;
    for (std::uint32_t id = round.iteration; id != kNone; id = iterations[id].parent) {
        if (iterations[id].block && iterations[id].block->loop)
            result.insert(result.begin(), static_cast<std::uint64_t>(iterations[id].value));
    }
    return result;
}

CompiledDecl* Rounds::compiledFor(const Round& round, const void* decl) {
    Block* block = round.frame.iterations[round.iteration].block;
    if (!block || !block->isReusable) return nullptr;
    CompiledDecl& compiled = block->compiled[decl];
    if (compiled.seen < 3) ++compiled.seen;
    return &compiled;
}

}  // namespace smec::elab
