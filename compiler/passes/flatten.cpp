#include <algorithm>
#include <unordered_set>
#include <utility>

#include "ir/analysis.h"
#include "ir/builder.h"
#include "ir/lanes.h"
#include "ir/reach.h"
#include "ir/references.h"
#include "ir/visit.h"
#include "passes/body.h"
#include "source/internal_error.h"
#include "source/overloaded.h"

// C++ compilers vectorise a loop whose body has no branches. Both sides of a branch are computed,
// and selects choose:
//
//   if (x.v > 3) { s = 1; } else { c = c + 1; }
//   t = x.v > 3;  s = t ? 1 : s;  c = t ? c : c + 1;
//
// Checks get the conditions around them: ok becomes !t || ok. A loop that is under no condition keeps
// its rounds.

namespace smec::passes {

using namespace ir;

namespace {

/// Which variables a loop finds as the round before left them, or leaves to what stands behind it.
class Carried {
public:
    explicit Carried(const Body& body) : body_(body), reach_(body) {}

    std::unordered_set<std::uint32_t> by(const For& loop, const Block& statements) {
        loop_ = &loop;
        walk(statements);
        loop_ = nullptr;
        walk(loop.body);
        return std::move(carried_);
    }

private:
    /// What is read there and not surely set before.
    void walk(const Block& block) {
        std::vector<std::uint32_t> here;
        for (const Stmt& stmt : block) {
            if (std::get_if<For>(&stmt.node) == loop_ && loop_ != nullptr) continue;
            noteReads(stmt);
            forEachBlock(stmt, [&](const Block& inner) { walk(inner); });
            const auto* set = std::get_if<Set>(&stmt.node);
            const bool isWhole = set != nullptr && !set->index.valid() && loop_ == nullptr;
            if (isWhole && set_.insert(set->local.index).second) here.push_back(set->local.index);
        }
        for (const std::uint32_t local : here)
            set_.erase(local);
    }

    void noteReads(const Stmt& stmt) {
        reach_.restart();
        reach_.from(stmt, [&](ExprId id) {
            forEachReference<LocalId>(body_[id], [&](LocalId local) {
                if (!set_.contains(local.index)) carried_.insert(local.index);
            });
        });
    }

    const Body& body_;
    Reach reach_;
    const For* loop_ = nullptr;  ///< left out
    std::unordered_set<std::uint32_t> set_, carried_;
};

class Flattener {
public:
    Flattener(Body& body, const std::vector<Interval>& intervals)
        : body_(body), intervals_(intervals) {}

    void run() {
        const Block statements = std::exchange(body_.statements, {});
        all_ = &statements;
        flatten(statements, {});
    }

private:
    ExprId add(Expr expr) { return addExpr(body_, std::move(expr)); }

    ExprId read(LocalId local) {
        const Scalar& type = body_.locals[local.index].type.scalar;
        return add({exprTypeOf(type), ReadLocal{local, {}}});
    }

    ExprId both(ExprId left, ExprId right) {
        return add({ExprType::Bool, Binary{BinaryOp::BoolAnd, left, right}});
    }

    void set(const SourceRange& range, LocalId local, ExprId value) {
        known_.insert(local.index);
        body_.statements.push_back({range, Set{local, {}, value}});
    }

    /// A new variable that keeps a value as it is now.
    LocalId keep(const SourceRange& range, ExprId value, const StorageType& type) {
        const LocalId local{static_cast<std::uint32_t>(body_.locals.size())};
        body_.locals.push_back({"taken", LocalKind::Temp, type, 0, {}});
        set(range, local, value);
        return local;
    }

    ExprId keepCondition(const SourceRange& range, ExprId around, ExprId condition) {
        const ExprId all = around.valid() ? both(around, condition) : condition;
        return read(keep(range, all, {{ScalarKind::Bool, false, 1}, 0}));
    }

    /// `around`: the conditions, invalid for none, under which the block runs.
    void flatten(const Block& block, ExprId around) {
        for (const Stmt& stmt : block)
            smec::visit([&](const auto& node) { flatten(node, stmt.range, around); }, stmt.node);
    }

    void flatten(const Set& node, const SourceRange& range, ExprId around) {
        if (isAccess(body_, {range, node})) return flattenAccess(node, range, around);
        if (node.index.valid()) return flattenElement(node, range, around);
        if (!around.valid() || (isUndefined(node.local) && alwaysFits(node)))
            return set(range, node.local, node.value);
        const ExprId otherwise = valueElse(node.local);
        set(range, node.local,
            add({body_[node.value].type, Select{around, node.value, otherwise}}));
    }

    /// Keeps its branch: where it is not taken the index may be anything.
    void flattenAccess(const Set& node, const SourceRange& range, ExprId around) {
        if (!node.index.valid()) known_.insert(node.local.index);
        if (!around.valid()) return body_.statements.push_back({range, node});
        If branch{around, {{range, node}}, {}};
        if (!node.index.valid())
            branch.no.push_back({range, Set{node.local, {}, constantOf(node.local)}});
        body_.statements.push_back({range, std::move(branch)});
    }

    /// Of a spread array, whose indices are in range whatever the condition is.
    void flattenElement(Set node, const SourceRange& range, ExprId around) {
        if (around.valid()) {
            const ExprType type = body_[node.value].type;
            const ExprId old = add({type, ReadLocal{node.local, node.index}});
            node.value = add({type, Select{around, node.value, old}});
        }
        body_.statements.push_back({range, node});
    }

    bool isUndefined(LocalId id) const {
        return body_.locals[id.index].kind == LocalKind::Temp && !known_.contains(id.index);
    }

    /// Whether a variable can hold the value even where the assignment is not taken.
    bool alwaysFits(const Set& node) const {
        const Local& local = body_.locals[node.local.index];
        if (local.type.scalar.kind != ScalarKind::Int) return true;
        const Interval& value = intervals_[node.value.index];
        const Interval all = local.range ? *local.range : intervalOf(local.type.scalar);
        return all.low <= value.low && value.high <= all.high;
    }

    void flatten(const If& node, const SourceRange& range, ExprId around) {
        const ExprId yes = keepCondition(range, around, node.condition);
        const ExprId isFalse = add({ExprType::Bool, Unary{UnaryOp::Not, node.condition}});
        const ExprId no = node.no.empty() ? ExprId{} : keepCondition(range, around, isFalse);
        flatten(node.yes, yes);
        if (!node.no.empty()) flatten(node.no, no);
    }

    void flatten(const Switch& node, const SourceRange& range, ExprId around) {
        ExprId others = add({ExprType::Bool, ConstBool{true}});
        std::vector<ExprId> conditions;
        for (const SwitchCase& one : node.cases) {
            const ExprId isCase = matches(node.subject, one.labels);
            conditions.push_back(keepCondition(range, around, isCase));
            others = both(others, add({ExprType::Bool, Unary{UnaryOp::Not, isCase}}));
        }
        if (!node.otherwise.empty()) conditions.push_back(keepCondition(range, around, others));
        for (std::size_t i = 0; i < node.cases.size(); ++i)
            flatten(node.cases[i].body, conditions[i]);
        if (!node.otherwise.empty()) flatten(node.otherwise, conditions.back());
    }

    void flatten(const Check& node, const SourceRange& range, ExprId around) {
        Check check = node;
        if (around.valid()) {
            const ExprId isNot = add({ExprType::Bool, Unary{UnaryOp::Not, around}});
            check.ok = add({ExprType::Bool, Binary{BinaryOp::BoolOr, isNot, node.ok}});
        }
        body_.statements.push_back({range, std::move(check)});
    }

    /// Rounds: what one leaves is what the next finds, but for what each sets before it reads it.
    void flatten(const For& node, const SourceRange& range, ExprId around) {
        if (around.valid()) throw InternalError("a loop under a condition", range);
        For loop{node.var, node.kind, node.from, node.to, {}, node.rounds};
        const std::unordered_set<std::uint32_t> carried = Carried(body_).by(node, *all_);
        forEachStmt(node.body, [&](const Stmt& stmt) {
            forEachAssigned(stmt, [&](LocalId id) {
                if (carried.contains(id.index)) known_.insert(id.index);
            });
        });
        Block before = std::exchange(body_.statements, {});
        flatten(node.body, {});
        loop.body = std::exchange(body_.statements, std::move(before));
        body_.statements.push_back({range, std::move(loop)});
    }

    /// suitsLanes() saw none.
    void flatten(const AnyOf<CopyArray, FillArray, Loop, CountRound, Break, Continue, Call, Return,
                             Trace, Stop> auto&,
                 const SourceRange& range, ExprId) {
        throw InternalError("a statement that no lane computes", range);
    }

    ExprId matches(ExprId subject, const std::vector<Integer>& labels) {
        ExprId any;
        for (const Integer& label : labels) {
            const ExprId number = add({ExprType::Int, ConstInt{label}});
            const ExprId equal = add({ExprType::Bool, Binary{BinaryOp::Eq, subject, number}});
            any = any.valid() ? add({ExprType::Bool, Binary{BinaryOp::BoolOr, any, equal}}) : equal;
        }
        return any.valid() ? any : add({ExprType::Bool, ConstBool{false}});
    }

    /// What a variable is where an assignment is not taken: itself, or anything of its type while
    /// it is undefined.
    ExprId valueElse(LocalId id) { return isUndefined(id) ? constantOf(id) : read(id); }

    ExprId constantOf(LocalId id) {
        const Local& local = body_.locals[id.index];
        switch (local.type.scalar.kind) {
        case ScalarKind::Int: return add({ExprType::Int, ConstInt{anyOf(local)}});
        case ScalarKind::Bool: return add({ExprType::Bool, ConstBool{false}});
        case ScalarKind::F32:
        case ScalarKind::F64: break;
        }
        return add({exprTypeOf(local.type.scalar), ConstFloat{0}});
    }

    static Integer anyOf(const Local& local) {
        if (!local.range) return 0;
        return std::clamp(Integer(0), local.range->low, local.range->high);
    }

    Body& body_;
    const Block* all_ = nullptr;               ///< statements of the body, as they were
    const std::vector<Interval>& intervals_;   ///< of the expressions that were there before
    std::unordered_set<std::uint32_t> known_;  ///< temporaries that were set
};

}  // namespace

void flattenBranches(Body& body, const std::vector<Interval>& intervals) {
    Flattener(body, intervals).run();
}

}  // namespace smec::passes
