#include "elab/generates.h"

#include <algorithm>

#include "ast/names.h"
#include "source/overloaded.h"

namespace smec::elab {
namespace {

/// Rounds that are looked at behind an error, for what else is wrong. A bound: there may be 10^8.
constexpr std::int64_t kRoundsBehindError = 1000;

}  // namespace

void Generates::walk(const Round& round, const std::vector<ast::Decl>& decls) {
    for (const ast::Decl& decl : decls) {
        if (tree_.isFull) return;
        smec::visit(
            Overloaded{[&](const ast::InstanceDecl& instance) { instances_.add(round, instance); },
                       [&](const ast::GenerateFor& loop) { generate(round, loop); },
                       [&](const ast::GenerateIf& choice) { choose(round, choice); },
                       [](const AnyOf<ast::Import, ast::ConstDecl, ast::EnumDecl, ast::TypeDecl,
                                      ast::FuncDecl, ast::ExternFunc, ast::BusDecl, ast::VarDecl,
                                      ast::ProcDecl, ast::NetworkDecl> auto&) {}},
            decl.node);
    }
}

std::optional<hir::Integer> Generates::bound(const Round& round, CompiledDecl* compiled,
                                             bool isFrom, ast::ExprId expr) {
    if (compiled) {
        std::optional<IntegerExpr>& value = isFrom ? compiled->from : compiled->to;
        if (compiled->isDue()) value = compiler_.compile(round, expr);
        if (value && !value->isBool()) {
            if (const auto number = value->evaluate()) return hir::Integer(*number);
        }
    }
    return tree_.context.integer({tree_.moduleOf(round.frame), expr}, rounds_.enter(round),
                                 "bound of a generate");
}

void Generates::generate(const Round& round, const ast::GenerateFor& loop) {
    CompiledDecl* compiled = rounds_.compiledFor(round, &loop);
    const auto from = bound(round, compiled, true, loop.from);
    const auto to = bound(round, compiled, false, loop.to);
    if (!from || !to) return;
    const hir::Integer count = *to - *from + (loop.isUntil ? 0 : 1);
    if (count <= 0) return;
    if (!rounds_.blockAt(round)) {
        std::vector<std::string_view> inner;
        const hir::Integer all = leastRounds(round, loop, count, inner);
        if (all + count_ > tree_.options.maxInstances) return report(all, loop.variable.range);
    }
    if (overLimit(count, loop.variable.range)) return;
    constexpr std::int64_t kLargest = std::int64_t{1} << 62;
    if (*from < -kLargest || *to > kLargest) {
        tree_.diagnostics.report(DiagId::GenerateBound, loop.variable.range, from->str(),
                                 to->str());
        return;
    }
    Block& block = rounds_.blockOf(round, &loop, &loop, loop.body);
    const auto first = static_cast<std::int64_t>(*from);
    auto rounds = static_cast<std::int64_t>(count);
    bool isRight = true;
    for (std::int64_t i = 0; i < rounds && !tree_.isFull; ++i) {
        if (isRight && tree_.diagnostics.hasErrors()) {
            isRight = false;
            rounds = std::min(rounds, i + kRoundsBehindError);
        }
        const std::size_t nodes = tree_.nodes.size();
        const Round inside = rounds_.begin(round, block, first + i);
        walk(inside, loop.body);
        if (tree_.nodes.size() == nodes) rounds_.drop(inside);
    }
}

/// The rounds of a generate and of those in it, as far as their bounds do not depend on the round:
/// what cannot end within the limit is refused in front of its first round. `inner`: names that
/// belong to rounds.
hir::Integer Generates::leastRounds(const Round& round, const ast::GenerateFor& loop,
                                    const hir::Integer& count,
                                    std::vector<std::string_view>& inner) {
    const std::size_t known = inner.size();
    inner.push_back(loop.variable.text);
    for (const ast::Decl& decl : loop.body)
        if (const auto* constant = std::get_if<ast::ConstDecl>(&decl.node))
            inner.push_back(constant->name.text);
    hir::Integer each = 1;
    for (const ast::Decl& decl : loop.body)
        if (const auto* nested = std::get_if<ast::GenerateFor>(&decl.node))
            each += leastInside(round, *nested, inner);
    inner.resize(known);
    return count * each;
}

hir::Integer Generates::leastInside(const Round& round, const ast::GenerateFor& loop,
                                    std::vector<std::string_view>& inner) {
    const sema::ModuleId module = tree_.moduleOf(round.frame);
    bool depends = false;
    const auto look = [&](std::string_view name) {
        depends = depends || std::ranges::find(inner, name) != inner.end();
    };
    ast::forEachName(tree_.module(module), loop.from, look);
    ast::forEachName(tree_.module(module), loop.to, look);
    if (depends) return 0;
    const auto from = bound(round, nullptr, true, loop.from);
    const auto to = bound(round, nullptr, false, loop.to);
    if (!from || !to || *to < *from) return 0;
    return leastRounds(round, loop, *to - *from + (loop.isUntil ? 0 : 1), inner);
}

bool Generates::overLimit(const hir::Integer& count, SourceRange range) {
    if (count + count_ <= tree_.options.maxInstances) {
        count_ += static_cast<std::uint64_t>(count);
        return false;
    }
    report(count, range);
    return true;
}

void Generates::report(const hir::Integer& count, SourceRange range) {
    tree_.diagnostics.report(DiagId::GenerateTooLarge, range, count.str(), count_,
                             tree_.options.maxInstances);
    tree_.isFull = true;
}

std::optional<bool> Generates::condition(const Round& round, const ast::GenerateIf& choice) {
    if (CompiledDecl* compiled = rounds_.compiledFor(round, &choice)) {
        if (compiled->isDue()) compiled->condition = compiler_.compile(round, choice.condition);
        if (compiled->condition && compiled->condition->isBool()) {
            if (const auto value = compiled->condition->evaluate()) return *value != 0;
        }
    }
    return tree_.context.condition({tree_.moduleOf(round.frame), choice.condition},
                                   rounds_.enter(round));
}

void Generates::choose(const Round& round, const ast::GenerateIf& choice) {
    const std::optional<bool> isYes = condition(round, choice);
    if (!isYes) return;
    const std::vector<ast::Decl>& decls = *isYes ? choice.yes : choice.no;
    const bool hasNames = std::ranges::any_of(decls, [](const ast::Decl& decl) {
        return !std::holds_alternative<ast::InstanceDecl>(decl.node)
               && !std::holds_alternative<ast::GenerateFor>(decl.node)
               && !std::holds_alternative<ast::GenerateIf>(decl.node);
    });
    if (!hasNames) return walk(round, decls);
    walk(rounds_.begin(round, rounds_.blockOf(round, &decls, nullptr, decls), 0), decls);
}

}  // namespace smec::elab
