#include <algorithm>
#include <optional>

#include "ir/references.h"
#include "passes/body.h"
#include "source/overloaded.h"

// A loop of a few rounds becomes these rounds, one after the other, with the variable's value in
// each:
//
//   for i = 0 until 3 { if (a[i] == x) { break; } c = c + i; }
//   if (a[0] == x) { } else { c = c + 0; if (a[1] == x) { } else { c = c + 1; … } }

namespace smec::passes {

using namespace ir;

namespace {

class Unroller {
public:
    Unroller(Body& body, const UnrollLimits& limits) : body_(body), limits_(limits) {}

    bool run() { return walk(body_.statements); }

private:
    /// From the innermost loops outwards.
    bool walk(Block& block) {
        Block to;
        for (Stmt& stmt : block) {
            bool fits = !countsRounds(stmt);
            forEachBlock(stmt, [&](Block& inner) { fits = fits && walk(inner); });
            auto* loop = std::get_if<For>(&stmt.node);
            if (!fits || (loop && !unroll(*loop, stmt.range, to))) return false;
            if (!loop) to.push_back(std::move(stmt));
        }
        block = std::move(to);
        return body_.exprs.size() <= limits_.exprs;
    }

    /// Of a loop without constant bounds.
    static bool countsRounds(const Stmt& stmt) {
        return smec::visit(
            Overloaded{
                [](const AnyOf<Loop, CountRound> auto&) { return true; },
                [](const AnyOf<Set, CopyArray, FillArray, Check, If, For, Switch, Break, Continue,
                               Call, Return, Trace, Stop> auto&) { return false; },
            },
            stmt.node);
    }

    bool unroll(const For& loop, const SourceRange& range, Block& to) {
        const std::optional<Rounds> rounds = roundsOf(body_, loop);
        if (!rounds || isAssigned(loop)) return false;
        if (limits_.stays && limits_.stays(loop, *rounds)) {
            For kept = loop;
            kept.body = withoutExits(body_, std::move(kept.body), Exit::Continue);
            to.push_back({range, std::move(kept)});
            return true;
        }
        if (rounds->count > limits_.rounds) return false;
        written_ += rounds->count * statementsIn(loop.body);
        if (written_ > limits_.statements) return false;
        Block all;
        for (Integer i = 0; i < rounds->count; ++i) {
            if (body_.exprs.size() > limits_.exprs) return false;
            Block round = roundOf(loop, rounds->first + i * rounds->step, range);
            round = withoutExits(body_, std::move(round), Exit::Continue);
            std::move(round.begin(), round.end(), std::back_inserter(all));
        }
        all = withoutExits(body_, std::move(all), Exit::Break);
        std::move(all.begin(), all.end(), std::back_inserter(to));
        return true;
    }

    static std::size_t statementsIn(const Block& block) {
        std::size_t count = 0;
        forEachStmt(block, [&](const Stmt&) { ++count; });
        return count;
    }

    static bool isAssigned(const For& loop) {
        bool assigned = false;
        forEachStmt(loop.body, [&](const Stmt& stmt) {
            forEachAssigned(stmt, [&](const LocalId& id) { assigned |= id == loop.var; });
        });
        return assigned;
    }

    /// The loop's body with a number for its variable, which has it too.
    Block roundOf(const For& loop, const Integer& value, const SourceRange& range) {
        const std::size_t size = body_.exprs.size();
        const ExprId number = add({ExprType::Int, ConstInt{value}});
        Block round{{range, Set{loop.var, {}, number}}};
        round.insert(round.end(), loop.body.begin(), loop.body.end());

        std::vector<bool> used(size);
        forEachStmt(round, [&](const Stmt& stmt) {
            forEachExpr(stmt, [&](ExprId id) {
                if (id.index < size) used[id.index] = true;
            });
        });
        for (std::size_t i = size; i-- > 0;) {
            if (used[i]) forEachOperand(body_.exprs[i], [&](ExprId id) { used[id.index] = true; });
        }
        std::vector<ExprId> now(size);
        for (std::uint32_t i = 0; i < size; ++i)
            now[i] = used[i] ? inRound({i}, loop.var, number, now) : ExprId{i};
        forEachStmt(round, [&](Stmt& stmt) {
            forEachExpr(stmt, [&](ExprId& id) {
                if (id.index < size) id = now[id.index];
            });
        });
        return round;
    }

    /// `now`: of its operands.
    ExprId inRound(ExprId id, LocalId var, ExprId number, const std::vector<ExprId>& now) {
        const auto* read = std::get_if<ReadLocal>(&body_[id].node);
        if (read && read->local == var) return number;
        Expr expr = body_[id];
        bool changed = false;
        forEachOperand(expr, [&](ExprId& operand) {
            changed = changed || now[operand.index] != operand;
            operand = now[operand.index];
        });
        return changed ? add(std::move(expr)) : id;
    }

    ExprId add(Expr expr) { return addExpr(body_, std::move(expr)); }

    Body& body_;
    const UnrollLimits& limits_;
    Integer written_ = 0;  ///< statements
};

}  // namespace

bool unrollLoops(Body& body, const UnrollLimits& limits) { return Unroller(body, limits).run(); }

}  // namespace smec::passes
