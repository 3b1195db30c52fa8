#include "ir/analysis.h"
#include "ir/arithmetic.h"
#include "ir/builder.h"
#include "ir/target.h"
#include "ir/visit.h"
#include "source/overloaded.h"

// Expressions stand in an order where operands come first, so one sweep computes them all, given
// the locals. Temporaries and loop variables start at their types (true for sure) and are narrowed
// to what is stored into them; three sweeps reach through nests of loops. A loop variable:  for i =
// 0 to n  with n in [0, 9]  ->  i in [0, 9].

namespace smec::ir {

namespace {

using Narrowed = std::vector<std::optional<Interval>>;

class Sweeps {
public:
    Sweeps(const Body& body, const Leaves& leaves) : body_(body), leaves_(leaves) {
        for (const Local& local : body.locals) {
            const bool isInt = local.type.scalar.kind == ScalarKind::Int;
            locals_.push_back(!isInt        ? Interval{0, 0}
                              : local.range ? *local.range
                                            : intervalOf(local.type.scalar));
        }
        leaves_.locals = &locals_;
    }

    std::vector<Interval> run() {
        std::vector<Interval> result = expressions();
        for (int i = 0; i < target::kIntervalSweeps && narrow(result); ++i)
            result = expressions();
        return result;
    }

    std::vector<Interval> takeLocals() { return std::move(locals_); }

private:
    std::vector<Interval> expressions() const {
        std::vector<Interval> result;
        result.reserve(body_.exprs.size());
        for (const Expr& expr : body_.exprs)
            result.push_back(intervalOf(expr, body_, leaves_, result));
        return result;
    }

    void join(Narrowed& stored, LocalId local, const Interval& value) const {
        std::optional<Interval>& all = stored[local.index];
        all = all ? hull(*all, value) : value;
    }

    void visit(const Stmt& stmt, const std::vector<Interval>& values, Narrowed& stored) const {
        smec::visit(Overloaded{
                        [&](const Set& n) {
                            if (body_[n.value].type == ExprType::Int)
                                join(stored, n.local, values[n.value.index]);
                        },
                        [&](const For& n) {
                            join(stored, n.var,
                                 valuesOf(n.kind, values[n.from.index], values[n.to.index]));
                        },
                        [&](const Call& n) {
                            for (const LocalId id : n.results)
                                join(stored, id, intervalOf(body_.locals[id.index].type.scalar));
                        },
                        [](const AnyOf<CopyArray, FillArray> auto&) {},  // arrays are their types
                        [](const AnyOf<Check, If, Loop, CountRound, Switch, Break, Continue, Return,
                                       Trace, Stop> auto&) {},
                    },
                    stmt.node);
    }

    /// Of a loop's variable.
    static Interval valuesOf(LoopKind kind, const Interval& from, const Interval& to) {
        switch (kind) {
        case LoopKind::Up: return {from.low, std::max(from.low, to.high)};
        case LoopKind::Down: return {std::min(to.low, from.high), from.high};
        case LoopKind::Either: break;
        }
        return hull(from, to);
    }

    /// Whether anything became narrower.
    bool narrow(const std::vector<Interval>& values) {
        Narrowed stored(body_.locals.size());
        forEachStmt(body_.statements, [&](const Stmt& stmt) { visit(stmt, values, stored); });
        bool changed = false;
        for (std::size_t i = 0; i < locals_.size(); ++i) {
            const Local& local = body_.locals[i];
            if (local.kind != LocalKind::Temp || local.type.isArray() || !stored[i]) continue;
            if (local.type.scalar.kind != ScalarKind::Int) continue;
            Interval next = meet(locals_[i], *stored[i]);
            changed = changed || next != locals_[i];
            locals_[i] = std::move(next);
        }
        return changed;
    }

    const Body& body_;
    Leaves leaves_;
    std::vector<Interval> locals_;
};

}  // namespace

std::vector<Interval> intervals(const Body& body, const std::vector<Column>& columns,
                                const std::vector<Input>& inputs, const Design& design) {
    return Sweeps(body, {&columns, &inputs, &design.tables, nullptr}).run();
}

std::vector<Interval> localIntervals(const Body& body, const std::vector<Column>& columns,
                                     const std::vector<Input>& inputs, const Design& design) {
    Sweeps sweeps(body, {&columns, &inputs, &design.tables, nullptr});
    sweeps.run();
    return sweeps.takeLocals();
}

}  // namespace smec::ir
