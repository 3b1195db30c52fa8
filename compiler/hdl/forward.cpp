#include "hdl/forward.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "hdl/target.h"
#include "ir/analysis.h"
#include "ir/references.h"
#include "source/overloaded.h"

// A call that is written out leaves copies of what it takes and gives:
//
//   a = x.v;  result = min(a, 9);  t = result;  y.v = t + 1;      y.v = min(x.v, 9) + 1;
//
// Statements are numbered in the order of the text. A helper that one statement sets, at s, and
// others read that follow in its block, the last at r, is what it is set to, unless what that reads
// is set between s and r; up to the end of a loop, where r is in one that s is not in.

namespace smec {

namespace {

using namespace ir;
namespace target = hdl::target;

using Number = std::uint32_t;  ///< of a statement

class Forwarder {
public:
    Forwarder(Body& body, const std::vector<Interval>& values)
        : body_(body),
          values_(values),
          locals_(body.locals.size()),
          reads_(body.exprs.size()),
          leaves_(body.locals.size()) {}

    void run() {
        number(body_.statements, UINT32_MAX);
        findReads();
        for (const Candidate& candidate : candidates_)
            if (std::optional<std::vector<LocalId>> leaves = fits(candidate)) {
                locals_[candidate.local.index].value = candidate.value;
                leaves_[candidate.local.index] = std::move(*leaves);
            }
        forEachStmt(body_.statements, [&](Stmt& stmt) {
            forEachExpr(stmt, [&](ExprId& id) { id = rewritten(id); });
        });
    }

private:
    struct Loop {
        Number begin, end = 0;
        std::uint32_t outer;  ///< number in loops_; UINT32_MAX: none
    };
    struct Candidate {
        LocalId local;
        ExprId value;
        Number at;
        std::uint32_t block;
    };
    /// What the expressions that read something are used for.
    struct Reads {
        Number first = UINT32_MAX, last = 0;
        std::uint32_t count = 0;  ///< 2: more than one
        void add(const Reads& other) {
            first = std::min(first, other.first);
            last = std::max(last, other.last);
            count = std::min(count + other.count, 2U);
        }
    };
    struct LocalInfo {
        std::vector<Number> sets;  ///< where it is set, ascending
        Reads reads;
        ExprId value;  ///< what is put in its place, if valid
    };

    // ------------------------------------------------------------ what is where

    void number(const Block& block, std::uint32_t loop) {
        const auto own = static_cast<std::uint32_t>(blockEnds_.size());
        blockEnds_.push_back(0);
        for (const Stmt& stmt : block) {
            const auto at = static_cast<Number>(loopOf_.size());
            loopOf_.push_back(loop);
            forEachExpr(stmt, [&](ExprId id) { reads_[id.index].add({at, at, 1}); });
            forEachAssigned(stmt, [&](LocalId id) { locals_[id.index].sets.push_back(at); });
            const auto* set = std::get_if<Set>(&stmt.node);
            if (set && !set->index.valid() && body_.locals[set->local.index].isHelper)
                candidates_.push_back({set->local, set->value, at, own});
            std::uint32_t inside = loop;
            if (isLoop(stmt)) {
                inside = static_cast<std::uint32_t>(loops_.size());
                loops_.push_back({at, at, loop});
            }
            forEachBlock(stmt, [&](const Block& inner) { number(inner, inside); });
            if (inside != loop) loops_[inside].end = last();
        }
        blockEnds_[own] = last();
    }

    Number last() const { return static_cast<Number>(loopOf_.size()) - 1; }

    void findReads() {
        for (std::size_t i = reads_.size(); i-- > 0;) {
            if (reads_[i].count == 0) continue;
            const Expr& expr = body_.exprs[i];
            forEachOperand(expr, [&](ExprId id) { reads_[id.index].add(reads_[i]); });
            forEachReference<LocalId>(expr,
                                      [&](LocalId id) { locals_[id.index].reads.add(reads_[i]); });
        }
    }

    // ------------------------------------------------------------ what can be forwarded

    /// The locals that the value reads, where it may stand for the helper.
    std::optional<std::vector<LocalId>> fits(const Candidate& candidate) const {
        const Local& local = body_.locals[candidate.local.index];
        const LocalInfo& info = locals_[candidate.local.index];
        if (local.kind != LocalKind::Temp || local.type.isArray()) return std::nullopt;
        if (info.sets.size() != 1 || info.reads.count == 0) return std::nullopt;
        if (info.reads.first <= candidate.at || info.reads.last > blockEnds_[candidate.block])
            return std::nullopt;
        const Interval range = local.range.value_or(intervalOf(local.type.scalar));
        if (local.type.scalar.kind == ScalarKind::Int
            && !within(values_[candidate.value.index], range))
            return std::nullopt;
        const std::uint32_t loop = loopAfter(candidate.at, info.reads.last);
        if (!isPlain(candidate.value)) {
            if (info.reads.count > 1 || loop != UINT32_MAX) return std::nullopt;
            std::uint32_t nodes = 0;
            if (!isSmall(candidate.value, nodes)) return std::nullopt;
        }
        std::vector<LocalId> leaves;
        addLeaves(candidate.value, leaves);
        const Number end = loop == UINT32_MAX ? info.reads.last : loops_[loop].end + 1;
        for (const LocalId leaf : leaves)
            if (isSetBetween(leaf, candidate.at, end)) return std::nullopt;
        return leaves;
    }

    static bool within(const Interval& inner, const Interval& outer) {
        return outer.low <= inner.low && inner.high <= outer.high;
    }

    /// The outermost loop around a statement that begins after `from`.
    std::uint32_t loopAfter(Number from, Number at) const {
        std::uint32_t found = UINT32_MAX;
        for (std::uint32_t loop = loopOf_[at]; loop != UINT32_MAX && loops_[loop].begin > from;
             loop = loops_[loop].outer)
            found = loop;
        return found;
    }

    /// What costs nothing to read again.
    bool isPlain(ExprId id) const {
        return smec::visit(
            Overloaded{
                [&](const ReadLocal& n) {
                    const ExprId value = locals_[n.local.index].value;
                    return !n.index.valid() && (!value.valid() || isPlain(value));
                },
                [](const ReadInput& n) { return !n.element.valid() && !n.index.valid(); },
                [](const AnyOf<ConstInt, ConstBool, ReadColumn> auto&) { return true; },
                [](const AnyOf<ConstFloat, ReadTable, Cycle, Seed, Unary, Binary, Select, Wrap,
                               Convert> auto&) { return false; },
            },
            body_[id].node);
    }

    /// Elements of arrays stay where they are read: that may be a port of a memory.
    bool isSmall(ExprId id, std::uint32_t& nodes) const {
        if (++nodes > target::kMostForwarded) return false;
        const Expr& expr = body_[id];
        return smec::visit(
            Overloaded{
                [&](const ReadLocal& n) {
                    const ExprId value = locals_[n.local.index].value;
                    return !n.index.valid() && (!value.valid() || isSmall(value, nodes));
                },
                [](const ReadInput& n) { return !n.element.valid() && !n.index.valid(); },
                [](const ReadTable&) { return false; },
                [&](const AnyOf<ConstInt, ConstBool, ConstFloat, ReadColumn, Cycle, Seed, Unary,
                                Binary, Select, Wrap, Convert> auto&) {
                    bool small = true;
                    forEachOperand(
                        expr, [&](ExprId operand) { small = small && isSmall(operand, nodes); });
                    return small;
                },
            },
            expr.node);
    }

    void addLeaves(ExprId id, std::vector<LocalId>& leaves) const {
        const Expr& expr = body_[id];
        forEachReference<LocalId>(expr, [&](LocalId local) {
            if (locals_[local.index].value.valid()) {
                const std::vector<LocalId>& more = leaves_[local.index];
                leaves.insert(leaves.end(), more.begin(), more.end());
            } else {
                leaves.push_back(local);
            }
        });
        forEachOperand(expr, [&](ExprId operand) { addLeaves(operand, leaves); });
    }

    /// Neither at `from` nor at `to`.
    bool isSetBetween(LocalId id, Number from, Number to) const {
        const std::vector<Number>& sets = locals_[id.index].sets;
        const auto next = std::upper_bound(sets.begin(), sets.end(), from);
        return next != sets.end() && *next < to;
    }

    // ------------------------------------------------------------ expressions

    ExprId rewritten(ExprId id) {
        if (const auto it = now_.find(id.index); it != now_.end()) return it->second;
        ExprId result = id;
        const auto* read = std::get_if<ReadLocal>(&body_[id].node);
        if (read && locals_[read->local.index].value.valid()) {
            result = rewritten(locals_[read->local.index].value);
        } else {
            Expr expr = body_[id];
            bool changed = false;
            forEachOperand(expr, [&](ExprId& operand) {
                const ExprId before = operand;
                operand = rewritten(before);
                changed = changed || operand != before;
            });
            if (changed) {
                result = {static_cast<std::uint32_t>(body_.exprs.size())};
                body_.exprs.push_back(std::move(expr));
            }
        }
        now_.emplace(id.index, result);
        return result;
    }

    Body& body_;
    const std::vector<Interval>& values_;
    std::vector<LocalInfo> locals_;
    std::vector<Reads> reads_;                  ///< by expression
    std::vector<std::vector<LocalId>> leaves_;  ///< by local: of what is put in its place
    std::vector<Candidate> candidates_;
    std::vector<Number> blockEnds_;
    std::vector<Loop> loops_;
    std::vector<std::uint32_t> loopOf_;  ///< by statement
    std::unordered_map<std::uint32_t, ExprId> now_;
};

}  // namespace

void hdl::forwardValues(ir::Body& body, const std::vector<ir::Interval>& values) {
    Forwarder(body, values).run();
}

}  // namespace smec
