#include <algorithm>
#include <map>

#include "ir/analysis.h"
#include "ir/arithmetic.h"
#include "ir/builder.h"
#include "ir/operators.h"
#include "ir/references.h"
#include "passes/body.h"
#include "passes/passes.h"
#include "source/internal_error.h"

// A walk in evaluation order that carries what is known at each place: intervals of expressions,
// from the conditions of branches and from checks that were passed. An assignment forgets what was
// known of expressions that read its target.
//   if d == 9 { … } else { d = d + 1 }      d in [0, 9], not 9  ->  d in [0, 8]  ->  check d + 1 <=
//   9 holds a[i] = a[i] + 1                         the second check of i repeats the first

namespace smec::passes {

using namespace ir;

namespace {

/// Known at one place of a body.
struct Facts {
    /// A boolean temporary of `if c { t = x } else { t = k }`: where it is not `constant`, the
    /// condition came out as `side` and `value` too is not `constant`.
    struct Choice {
        ExprId condition;
        bool side;
        ExprId value;
        bool constant;
    };
    std::map<ExprId, Interval> intervals;
    std::map<ExprId, bool> conditions;
    std::map<ExprId, Choice> choices;  ///< by the read of the temporary
};

class Prover {
public:
    Prover(Body& body, const std::vector<Column>& columns, const std::vector<Input>& inputs,
           const Design& design)
        : body_(body), base_(ir::intervals(body, columns, inputs, design)) {}

    void run() {
        Facts facts;
        walk(body_.statements, facts);
    }

private:
    // -------------------------------------------------------------- proving

    /// With the facts, through a bounded number of operators.
    Interval intervalOf(ExprId id, const Facts& facts, int depth = target::kOperatorDepth) const {
        Interval result = base_[id.index];
        if (const auto known = facts.intervals.find(id); known != facts.intervals.end())
            result = meet(result, known->second);
        if (depth == 0) return result;
        const Expr& expr = body_[id];
        const auto of = [&](ExprId operand) { return intervalOf(operand, facts, depth - 1); };
        return std::visit(
            Overloaded{
                [&](const Binary& n) {
                    return isArithmetic(n.op) ? meet(result, apply(n.op, of(n.left), of(n.right)))
                                              : result;
                },
                [&](const Wrap& n) {
                    return meet(result, wrapInterval(of(n.operand), n.width, n.isSigned));
                },
                [&](const Unary& n) {
                    return expr.type == ExprType::Int ? meet(result, apply(n.op, of(n.operand)))
                                                      : result;
                },
                [&](const AnyOf<ConstInt, ConstBool, ConstFloat, ReadColumn, ReadInput, ReadLocal,
                                ReadTable, Cycle, Seed, Select, Convert> auto&) { return result; },
            },
            expr.node);
    }

    bool proves(const Facts& facts, ExprId condition, bool wanted,
                int depth = target::kConditionDepth) const {
        const Expr& expr = body_[condition];
        if (const auto* constant = std::get_if<ConstBool>(&expr.node))
            return constant->value == wanted;
        if (const auto known = facts.conditions.find(condition); known != facts.conditions.end())
            return known->second == wanted;
        if (depth == 0) return false;
        if (const auto* n = std::get_if<Unary>(&expr.node)) {
            return n->op == UnaryOp::Not && proves(facts, n->operand, !wanted, depth - 1);
        }
        const auto* n = std::get_if<Binary>(&expr.node);
        if (!n) return false;
        if (n->op == BinaryOp::BoolAnd || n->op == BinaryOp::BoolOr) {
            const bool both = wanted == (n->op == BinaryOp::BoolAnd);
            const bool left = proves(facts, n->left, wanted, depth - 1);
            if (left != both) return left;
            return proves(facts, n->right, wanted, depth - 1);
        }
        return isIntegerComparison(n->op) && compares(*n, facts, wanted);
    }

    bool compares(const Binary& n, const Facts& facts, bool wanted) const {
        const Interval x = intervalOf(n.left, facts), y = intervalOf(n.right, facts);
        if (isUnbounded(x) || isUnbounded(y)) return false;
        if (n.op == BinaryOp::Lt) return wanted ? x.high < y.low : x.low >= y.high;
        if (n.op == BinaryOp::Le) return wanted ? x.high <= y.low : x.low > y.high;
        require(n.op == BinaryOp::Eq || n.op == BinaryOp::Ne, "a comparison was expected");
        const bool apart = x.high < y.low || y.high < x.low;
        const bool equal = x.low == x.high && x == y;
        return wanted == (n.op == BinaryOp::Eq) ? equal : apart;
    }

    // -------------------------------------------------------------- learning

    void narrow(Facts& facts, ExprId id, const Interval& to) const {
        if (isUnbounded(to) || std::holds_alternative<ConstInt>(body_[id].node)) return;
        const Interval now = intervalOf(id, facts);
        const Interval next{std::max(now.low, to.low), std::min(now.high, to.high)};
        if (next.low <= next.high) facts.intervals[id] = next;  // else: this place is never reached
    }

    void learn(Facts& facts, ExprId condition, bool holds,
               int depth = target::kConditionDepth) const {
        if (facts.intervals.size() + facts.conditions.size() > target::kMostFacts) facts = {};
        facts.conditions[condition] = holds;
        if (depth == 0) return;
        if (const auto it = facts.choices.find(condition);
            it != facts.choices.end() && it->second.constant != holds) {
            const Facts::Choice choice = it->second;
            learn(facts, choice.condition, choice.side, depth - 1);
            learn(facts, choice.value, holds, depth - 1);
        }
        const Expr& expr = body_[condition];
        if (const auto* n = std::get_if<Unary>(&expr.node); n && n->op == UnaryOp::Not)
            learn(facts, n->operand, !holds, depth - 1);
        const auto* n = std::get_if<Binary>(&expr.node);
        if (!n) return;
        if (n->op == (holds ? BinaryOp::BoolAnd : BinaryOp::BoolOr)) {
            learn(facts, n->left, holds, depth - 1);
            learn(facts, n->right, holds, depth - 1);
        } else if (isIntegerComparison(n->op)) {
            learnComparison(facts, *n, holds);
        }
    }

    void learnComparison(Facts& facts, const Binary& n, bool holds) const {
        const Interval x = intervalOf(n.left, facts), y = intervalOf(n.right, facts);
        if (isUnbounded(x) || isUnbounded(y)) return;
        const bool less = n.op == BinaryOp::Lt || n.op == BinaryOp::Le;
        if (less) {  // holds: left + strict <= right;  else right + !strict <= left
            const Integer strict = (n.op == BinaryOp::Lt) == holds ? 1 : 0;
            const ExprId small = holds ? n.left : n.right, large = holds ? n.right : n.left;
            const Interval s = holds ? x : y, l = holds ? y : x;
            narrow(facts, small, {std::min(s.low, Integer(l.high - strict)), l.high - strict});
            narrow(facts, large, {s.low + strict, std::max(l.high, Integer(s.low + strict))});
        } else if (holds == (n.op == BinaryOp::Eq)) {
            narrow(facts, n.left, y);
            narrow(facts, n.right, x);
        } else if (y.low == y.high) {
            exclude(facts, n.left, y.low);
        } else if (x.low == x.high) {
            exclude(facts, n.right, x.low);
        }
    }

    void exclude(Facts& facts, ExprId id, const Integer& value) const {
        const Interval x = intervalOf(id, facts);
        if (x.low == value) narrow(facts, id, {x.low + 1, std::max(x.high, Integer(x.low + 1))});
        if (x.high == value) narrow(facts, id, {std::min(x.low, Integer(x.high - 1)), x.high - 1});
    }

    // -------------------------------------------------------------- forgetting

    bool readsAny(ExprId id, const std::vector<bool>& locals) {
        std::vector<ExprId> pending{id};
        for (int steps = 0; !pending.empty(); ++steps) {
            if (steps == target::kMostSteps) return true;  // no fact is worth more
            const ExprId next = pending.back();
            pending.pop_back();
            const auto* read = std::get_if<ReadLocal>(&body_[next].node);
            if (read && locals[read->local.index]) return true;
            forEachOperand(body_[next], [&](ExprId operand) { pending.push_back(operand); });
        }
        return false;
    }

    void forget(Facts& facts, const std::vector<bool>& locals) {
        std::erase_if(facts.intervals,
                      [&](const auto& fact) { return readsAny(fact.first, locals); });
        std::erase_if(facts.conditions,
                      [&](const auto& fact) { return readsAny(fact.first, locals); });
        std::erase_if(facts.choices, [&](const auto& fact) {
            return readsAny(fact.first, locals) || readsAny(fact.second.condition, locals)
                   || readsAny(fact.second.value, locals);
        });
    }

    /// By LocalId: what the statement and the blocks in it assign.
    std::vector<bool> assignedBy(const Stmt& stmt) const {
        std::vector<bool> assigned(body_.locals.size());
        auto mark = [&](LocalId id) {
            if (id.valid()) assigned[id.index] = true;
        };
        auto visit = [&](const Stmt& s) { forEachAssigned(s, mark); };
        visit(stmt);
        forEachBlock(stmt, [&](const Block& inner) { forEachStmt(inner, visit); });
        return assigned;
    }

    void forgetAssigned(Facts& facts, const Stmt& stmt) {
        if (facts.intervals.empty() && facts.conditions.empty() && facts.choices.empty()) return;
        forget(facts, assignedBy(stmt));
    }

    // -------------------------------------------------------------- walking

    static bool leaves(const Block& block) { return !block.empty() && leavesBlock(block.back()); }

    void walk(Block& block, Facts& facts) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < block.size(); ++i) {
            if (!visit(block[i], facts)) continue;
            if (kept != i) block[kept] = std::move(block[i]);
            ++kept;
        }
        block.resize(kept);
    }

    /// Whether the statement stays.
    bool visit(Stmt& stmt, Facts& facts) {
        bool stays = true;
        std::visit(Overloaded{
                       [&](const Check& n) {
                           stays = !proves(facts, n.ok, true);
                           if (stays) learn(facts, n.ok, true);
                       },
                       [&](If& n) { visitIf(stmt, n, facts); },
                       [&](Switch& n) {
                           visitSwitch(n, facts);
                           forgetAssigned(facts, stmt);
                       },
                       [&](AnyOf<For, Loop> auto& n) {
                           // a later round sees what an earlier one assigned
                           forgetAssigned(facts, stmt);
                           Facts inside = facts;
                           walk(n.body, inside);
                       },
                       [&](const Set& n) { visitSet(stmt, n, facts); },
                       [&](const AnyOf<CopyArray, FillArray, CountRound, Break, Continue, Call,
                                       Return, Trace, Stop> auto&) { forgetAssigned(facts, stmt); },
                   },
                   stmt.node);
        return stays;
    }

    void visitSet(const Stmt& stmt, const Set& set, Facts& facts) {
        const bool isScalar = !set.index.valid() && body_[set.value].type == ExprType::Int;
        const std::optional<Interval> stored =
            isScalar ? std::optional(intervalOf(set.value, facts)) : std::nullopt;
        forgetAssigned(facts, stmt);
        if (stored) learnStored(facts, set.local, *stored);
    }

    void visitIf(Stmt& stmt, If& branch, Facts& facts) {
        Facts yes = facts, no = facts;
        learn(yes, branch.condition, true);
        learn(no, branch.condition, false);
        walk(branch.yes, yes);
        walk(branch.no, no);
        if (leaves(branch.yes) && !leaves(branch.no))
            facts = std::move(no);
        else if (leaves(branch.no) && !leaves(branch.yes))
            facts = std::move(yes);
        else
            forgetAssigned(facts, stmt);
        learnChoice(facts, stmt, branch);
    }

    /// `ok && a[i] == 0` became `if ok { t = a[i] == 0 } else { t = false }`; where t holds, ok
    /// does.
    void learnChoice(Facts& facts, const Stmt& stmt, const If& branch) {
        if (branch.yes.empty() || branch.no.empty()) return;
        const auto* yes = std::get_if<Set>(&branch.yes.back().node);
        const auto* no = std::get_if<Set>(&branch.no.back().node);
        if (!yes || !no || yes->local != no->local || yes->index.valid() || no->index.valid())
            return;
        const auto* whenYes = std::get_if<ConstBool>(&body_[yes->value].node);
        const auto* whenNo = std::get_if<ConstBool>(&body_[no->value].node);
        if (!whenYes == !whenNo) return;
        const std::vector<bool> assigned = assignedBy(stmt);
        std::vector<bool> target(body_.locals.size());
        target[yes->local.index] = true;
        const ExprId value = whenNo ? yes->value : no->value;
        const ExprId read = readOf(yes->local);
        if (!read.valid() || readsAny(branch.condition, assigned) || readsAny(value, target))
            return;
        facts.choices[read] = {branch.condition, whenNo != nullptr, value,
                               whenNo ? whenNo->value : whenYes->value};
    }

    void visitSwitch(Switch& choice, const Facts& facts) {
        for (SwitchCase& c : choice.cases) {
            Facts inside = facts;
            const auto [low, high] = std::minmax_element(c.labels.begin(), c.labels.end());
            if (!c.labels.empty()) narrow(inside, choice.subject, {*low, *high});
            walk(c.body, inside);
        }
        Facts inside = facts;
        walk(choice.otherwise, inside);
    }

    void learnStored(Facts& facts, LocalId local, const Interval& value) {
        if (const ExprId read = readOf(local); read.valid()) narrow(facts, read, value);
    }

    /// The expression that reads a scalar local, if the body has one.
    ExprId readOf(LocalId local) {
        if (reads_.empty()) {
            reads_.resize(body_.locals.size());
            for (std::uint32_t i = 0; i < body_.exprs.size(); ++i) {
                const auto* read = std::get_if<ReadLocal>(&body_.exprs[i].node);
                if (read && !read->index.valid()) reads_[read->local.index] = ExprId{i};
            }
        }
        return reads_[local.index];
    }

    Body& body_;
    std::vector<Interval> base_;
    std::vector<ExprId> reads_;
};

}  // namespace

void removeProvedChecks(Body& body, const std::vector<Column>& columns,
                        const std::vector<Input>& inputs, const Design& design) {
    Prover(body, columns, inputs, design).run();
}

void removeProvedChecks(Design& design) {
    for (Function& function : design.functions)
        removeProvedChecks(function.body, {}, {}, design);
    for (Class& cls : design.classes)
        removeProvedChecks(cls.body, cls.columns, cls.inputs, design);
}

}  // namespace smec::passes
