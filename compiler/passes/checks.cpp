#include <algorithm>

#include "ir/analysis.h"
#include "ir/arithmetic.h"
#include "ir/builder.h"
#include "ir/operators.h"
#include "ir/references.h"
#include "passes/assignments.h"
#include "passes/body.h"
#include "passes/known_facts.h"
#include "passes/passes.h"
#include "source/internal_error.h"
#include "source/overloaded.h"

// A walk in evaluation order that carries what is known at each place: intervals of expressions,
// from the conditions of branches and from checks that were passed. An assignment forgets what was
// known of expressions that read its target.
//   if d == 9 { … } else { d = d + 1 }      d in [0, 9], not 9  ->  d in [0, 8]  ->  check d + 1 <=
//   9 holds a[i] = a[i] + 1                         the second check of i repeats the first

namespace smec::passes {

using namespace ir;

namespace {

class Prover {
public:
    Prover(Body& body, const std::vector<Column>& columns, const std::vector<Input>& inputs,
           const Design& design)
        : body_(body),
          base_(ir::intervals(body, columns, inputs, design)),
          assignments_(body),
          facts_(body) {}

    void run() { walk(body_.statements); }

private:
    // -------------------------------------------------------------- proving

    /// With the facts, through a bounded number of operators.
    Interval intervalOf(ExprId id, int depth = target::kOperatorDepth) {
        Interval result = base_[id.index];
        if (const Interval* known = facts_.interval(id)) result = meet(result, *known);
        if (depth == 0) return result;
        const Expr& expr = body_[id];
        const auto of = [&](ExprId operand) { return intervalOf(operand, depth - 1); };
        return smec::visit(
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
                [&](const Select& n) {
                    return expr.type == ExprType::Int && selects_ < target::kSelectDepth
                               ? meet(result, ofSides(n, depth - 1))
                               : result;
                },
                [&](const AnyOf<ConstInt, ConstBool, ConstFloat, ReadColumn, ReadInput, ReadLocal,
                                ReadTable, Cycle, Seed, Convert> auto&) { return result; },
            },
            expr.node);
    }

    /// Each side where the condition leads to it.
    Interval ofSides(const Select& node, int depth) {
        ++selects_;
        const auto side = [&](ExprId value, bool holds) {
            const auto mark = facts_.mark();
            learn(node.condition, holds);
            Interval found = intervalOf(value, depth);
            facts_.undo(mark);
            return found;
        };
        const Interval result = proves(node.condition, true) ? intervalOf(node.yes, depth)
                                : proves(node.condition, false)
                                    ? intervalOf(node.no, depth)
                                    : hull(side(node.yes, true), side(node.no, false));
        --selects_;
        return result;
    }

    bool proves(ExprId condition, bool wanted, int depth = target::kConditionDepth) {
        const Expr& expr = body_[condition];
        if (const auto* constant = std::get_if<ConstBool>(&expr.node))
            return constant->value == wanted;
        if (const auto known = facts_.condition(condition)) return *known == wanted;
        if (depth == 0) return false;
        if (const auto* n = std::get_if<Unary>(&expr.node)) {
            return n->op == UnaryOp::Not && proves(n->operand, !wanted, depth - 1);
        }
        const auto* n = std::get_if<Binary>(&expr.node);
        if (!n) return false;
        if (n->op == BinaryOp::BoolAnd || n->op == BinaryOp::BoolOr) {
            const bool both = wanted == (n->op == BinaryOp::BoolAnd);
            const bool left = proves(n->left, wanted, depth - 1);
            if (left != both) return left;
            return proves(n->right, wanted, depth - 1);
        }
        return isIntegerComparison(n->op) && compares(*n, wanted);
    }

    bool compares(const Binary& n, bool wanted) {
        const Interval x = intervalOf(n.left), y = intervalOf(n.right);
        if (isUnbounded(x) || isUnbounded(y)) return false;
        if (n.op == BinaryOp::Lt) return wanted ? x.high < y.low : x.low >= y.high;
        if (n.op == BinaryOp::Le) return wanted ? x.high <= y.low : x.low > y.high;
        require(n.op == BinaryOp::Eq || n.op == BinaryOp::Ne, "a comparison was expected");
        const bool apart = x.high < y.low || y.high < x.low;
        const bool equal = x.low == x.high && x == y;
        return wanted == (n.op == BinaryOp::Eq) ? equal : apart;
    }

    // -------------------------------------------------------------- learning

    void narrow(ExprId id, const Interval& to) {
        if (isUnbounded(to) || std::holds_alternative<ConstInt>(body_[id].node)) return;
        const Interval now = intervalOf(id);
        const Interval next{std::max(now.low, to.low), std::min(now.high, to.high)};
        if (next.low <= next.high)
            facts_.setInterval(id, next);  // else: this place is never reached
    }

    void learn(ExprId condition, bool holds, int depth = target::kConditionDepth) {
        if (facts_.size() > target::kMostFacts) facts_.clear();
        facts_.setCondition(condition, holds);
        if (depth == 0) return;
        if (const auto choice = facts_.choice(condition); choice && choice->constant != holds) {
            learn(choice->condition, choice->side, depth - 1);
            learn(choice->value, holds, depth - 1);
        }
        const Expr& expr = body_[condition];
        if (const auto* n = std::get_if<Unary>(&expr.node); n && n->op == UnaryOp::Not)
            learn(n->operand, !holds, depth - 1);
        const auto* n = std::get_if<Binary>(&expr.node);
        if (!n) return;
        if (n->op == (holds ? BinaryOp::BoolAnd : BinaryOp::BoolOr)) {
            learn(n->left, holds, depth - 1);
            learn(n->right, holds, depth - 1);
        } else if (isIntegerComparison(n->op)) {
            learnComparison(*n, holds);
        }
    }

    void learnComparison(const Binary& n, bool holds) {
        const Interval x = intervalOf(n.left), y = intervalOf(n.right);
        if (isUnbounded(x) || isUnbounded(y)) return;
        const bool less = n.op == BinaryOp::Lt || n.op == BinaryOp::Le;
        if (less) {  // holds: left + strict <= right;  else right + !strict <= left
            const Integer strict = (n.op == BinaryOp::Lt) == holds ? 1 : 0;
            const ExprId small = holds ? n.left : n.right, large = holds ? n.right : n.left;
            const Interval s = holds ? x : y, l = holds ? y : x;
            narrow(small, {std::min(s.low, Integer(l.high - strict)), l.high - strict});
            narrow(large, {s.low + strict, std::max(l.high, Integer(s.low + strict))});
        } else if (holds == (n.op == BinaryOp::Eq)) {
            narrow(n.left, y);
            narrow(n.right, x);
        } else if (y.low == y.high) {
            exclude(n.left, y.low);
        } else if (x.low == x.high) {
            exclude(n.right, x.low);
        }
    }

    void exclude(ExprId id, const Integer& value) {
        const Interval x = intervalOf(id);
        if (x.low == value) narrow(id, {x.low + 1, std::max(x.high, Integer(x.low + 1))});
        if (x.high == value) narrow(id, {std::min(x.low, Integer(x.high - 1)), x.high - 1});
    }

    // -------------------------------------------------------------- forgetting

    /// Of what the statement and the blocks in it assign, or of all that is known, whichever is
    /// less to go through.
    void forgetAssigned(Assignments::Number number) {
        if (facts_.empty()) return;
        const std::span<const LocalId> assigned = assignments_.in(number);
        if (assigned.size() <= facts_.extent()) {
            for (const LocalId local : assigned)
                facts_.forget(local);
        } else {
            facts_.forgetIf([&](LocalId local) { return assignments_.assigns(number, local); });
        }
    }

    // -------------------------------------------------------------- walking

    static bool leaves(const Block& block) { return !block.empty() && leavesBlock(block.back()); }

    void walk(Block& block) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < block.size(); ++i) {
            if (!visit(block[i])) continue;
            if (kept != i) block[kept] = std::move(block[i]);
            ++kept;
        }
        block.resize(kept);
    }

    /// Whether the statement stays.
    bool visit(Stmt& stmt) {
        const Assignments::Number number = next_++;
        bool stays = true;
        smec::visit(Overloaded{
                        [&](const Check& n) {
                            stays = !proves(n.ok, true);
                            if (stays) learn(n.ok, true);
                        },
                        [&](If& n) { visitIf(number, n); },
                        [&](Switch& n) {
                            Ends ends(*this, number);
                            visitSwitch(n, ends);
                            forgetAssigned(number);
                            ends.learn();
                        },
                        [&](AnyOf<For, Loop> auto& n) {
                            // a later round sees what an earlier one assigned
                            forgetAssigned(number);
                            const auto mark = facts_.mark();
                            walk(n.body);
                            facts_.undo(mark);
                        },
                        [&](const Set& n) { visitSet(number, n); },
                        [&](const AnyOf<CopyArray, FillArray, CountRound, Break, Continue, Call,
                                        Return, Trace, Stop> auto&) { forgetAssigned(number); },
                    },
                    stmt.node);
        return stays;
    }

    void visitSet(Assignments::Number number, const Set& set) {
        const bool isScalar = !set.index.valid() && body_[set.value].type == ExprType::Int;
        const std::optional<Interval> stored =
            isScalar ? std::optional(intervalOf(set.value)) : std::nullopt;
        forgetAssigned(number);
        if (stored) learnStored(set.local, *stored);
    }

    void visitIf(Assignments::Number number, If& branch) {
        const auto mark = facts_.mark();
        Ends ends(*this, number);
        const bool isAlways = proves(branch.condition, true);
        const bool isNever = proves(branch.condition, false);
        learn(branch.condition, true);
        walk(branch.yes);
        if (!isNever) ends.add(branch.yes);
        KnownFacts::Changes yes = facts_.undo(mark);
        learn(branch.condition, false);
        walk(branch.no);
        if (!isAlways) ends.add(branch.no);
        if (leaves(branch.yes) && !leaves(branch.no)) {
            // what holds at the end of the other side holds behind it
        } else if (leaves(branch.no) && !leaves(branch.yes)) {
            facts_.undo(mark);
            facts_.redo(std::move(yes));
        } else {
            facts_.undo(mark);
            forgetAssigned(number);
            ends.learn();
        }
        learnChoice(number, branch);
    }

    /// Behind branches what they assign is what it is at the end of one of them.
    class Ends {
    public:
        Ends(Prover& prover, Assignments::Number branches) : prover_(prover) {
            std::span<const LocalId> assigned = prover.assignments_.in(branches);
            if (assigned.size() > target::kMostJoined) return;
            for (const LocalId local : assigned) {
                const ExprId read = prover.readOf(local);
                const bool isNew = read.valid() && prover.body_[read].type == ExprType::Int
                                   && std::ranges::find(reads_, read, &Read::id) == reads_.end();
                if (isNew) reads_.push_back({read, {}});
            }
        }

        void add(const Block& side) {
            if (leaves(side)) return;
            for (Read& read : reads_) {
                const Interval here = prover_.intervalOf(read.id);
                read.all = read.all ? hull(*read.all, here) : here;
            }
        }

        void learn() {
            for (const Read& read : reads_)
                if (read.all) prover_.narrow(read.id, *read.all);
        }

    private:
        struct Read {
            ExprId id;
            std::optional<Interval> all;
        };
        Prover& prover_;
        std::vector<Read> reads_;
    };

    /// `ok && a[i] == 0` became `if ok { t = a[i] == 0 } else { t = false }`; where t holds, ok
    /// does.
    void learnChoice(Assignments::Number number, const If& branch) {
        if (branch.yes.empty() || branch.no.empty()) return;
        const auto* yes = std::get_if<Set>(&branch.yes.back().node);
        const auto* no = std::get_if<Set>(&branch.no.back().node);
        if (!yes || !no || yes->local != no->local || yes->index.valid() || no->index.valid())
            return;
        const auto* whenYes = std::get_if<ConstBool>(&body_[yes->value].node);
        const auto* whenNo = std::get_if<ConstBool>(&body_[no->value].node);
        if (!whenYes == !whenNo) return;
        const ExprId value = whenNo ? yes->value : no->value;
        const ExprId read = readOf(yes->local);
        const auto isAssigned = [&](LocalId local) { return assignments_.assigns(number, local); };
        const auto isTarget = [&](LocalId local) { return local == yes->local; };
        if (!read.valid() || facts_.readsAny(branch.condition, isAssigned)
            || facts_.readsAny(value, isTarget))
            return;
        facts_.setChoice(read, {branch.condition, whenNo != nullptr, value,
                                whenNo ? whenNo->value : whenYes->value});
    }

    void visitSwitch(Switch& choice, Ends& ends) {
        for (SwitchCase& c : choice.cases) {
            const auto mark = facts_.mark();
            const auto [low, high] = std::minmax_element(c.labels.begin(), c.labels.end());
            if (!c.labels.empty()) narrow(choice.subject, {*low, *high});
            walk(c.body);
            ends.add(c.body);
            facts_.undo(mark);
        }
        const auto mark = facts_.mark();
        walk(choice.otherwise);
        ends.add(choice.otherwise);
        facts_.undo(mark);
    }

    void learnStored(LocalId local, const Interval& value) {
        if (const ExprId read = readOf(local); read.valid()) narrow(read, value);
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
    const Assignments assignments_;
    KnownFacts facts_;
    Assignments::Number next_ = 0;  ///< of the statement that is visited next
    int selects_ = 0;               ///< around the expression that is looked at
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
