#include "ir/lanes.h"

#include <algorithm>

#include "ir/analysis.h"
#include "ir/operators.h"
#include "ir/reach.h"
#include "ir/target.h"
#include "ir/visit.h"
#include "source/overloaded.h"

namespace smec::ir {

namespace {

/// Elements of all instances that have one index lie side by side.
bool isSpread(const Body& body, LocalId id) {
    return body.locals[id.index].form == LocalForm::Spread;
}

bool isLaneExpr(const Body& body, const Expr& expr) {
    return smec::visit(
        Overloaded{
            [](const ReadInput& n) { return !n.element.valid() && !n.index.valid(); },
            [&](const ReadLocal& n) { return !n.index.valid() || isSpread(body, n.local); },
            [](const AnyOf<ReadTable, Cycle, Seed> auto&) { return false; },
            [](const Unary& n) { return n.op != UnaryOp::Popcount && n.op != UnaryOp::Parity; },
            [](const Binary& n) { return factsOf(n.op).fitsLanes; },
            [](const Convert& n) { return n.op != ConvertOp::FloatToInt; },
            [](const AnyOf<ConstInt, ConstBool, ConstFloat, ReadColumn, Select, Wrap> auto&) {
                return true;
            },
        },
        expr.node);
}

bool isLaneStmt(const Body& body, const Stmt& stmt) {
    return smec::visit(
        Overloaded{
            [&](const Set& n) { return !n.index.valid() || isSpread(body, n.local); },
            [](const AnyOf<If, Switch, Check> auto&) { return true; },
            [](const AnyOf<CopyArray, FillArray, For, Loop, CountRound, Break, Continue, Call,
                           Return, Trace, Stop> auto&) { return false; },
        },
        stmt.node);
}

/// Neither branches nor goes anywhere else.
bool isStraight(const Stmt& stmt) {
    return smec::visit(
        Overloaded{
            [](const AnyOf<Check, Set> auto&) { return true; },
            [](const AnyOf<CopyArray, FillArray, If, For, Loop, CountRound, Switch, Break, Continue,
                           Call, Return, Trace, Stop> auto&) { return false; },
        },
        stmt.node);
}

bool isSet(const Stmt& stmt) {
    const auto* set = std::get_if<Set>(&stmt.node);
    return set != nullptr && !set->index.valid();
}

bool isConstant(const Body& body, ExprId id) {
    return std::holds_alternative<ConstInt>(body.exprs[id.index].node);
}

bool isConstantRounds(const Body& body, const Stmt& stmt) {
    const auto* loop = std::get_if<For>(&stmt.node);
    return loop != nullptr && loop->rounds && isConstant(body, loop->from)
           && isConstant(body, loop->to)
           && std::all_of(loop->body.begin(), loop->body.end(), isSet);
}

/// Whether a word holds all values or, of what is computed, the low bits if nobody looks at more.
bool fitsWord(const Expr& expr, const Interval& values, std::uint32_t demanded) {
    static const Integer kLowest = -(Integer(1) << 63), kHighest = (Integer(1) << 64) - 1;
    if (expr.type != ExprType::Int || (kLowest <= values.low && values.high <= kHighest))
        return true;
    return demanded <= 64
           && smec::visit(
               Overloaded{
                   [](const AnyOf<ConstInt, Unary, Binary, Select, Wrap, Convert> auto&) {
                       return true;
                   },
                   [](const AnyOf<ConstBool, ConstFloat, ReadColumn, ReadInput, ReadLocal,
                                  ReadTable, Cycle, Seed> auto&) { return false; },
               },
               expr.node);
}

bool computesInLanes(const Body& body, const std::vector<Interval>& intervals) {
    const std::vector<std::uint32_t> demanded = demandedBits(body, intervals);
    for (std::size_t i = 0; i < body.exprs.size(); ++i)
        if (!fitsWord(body.exprs[i], intervals[i], demanded[i]) || !isLaneExpr(body, body.exprs[i]))
            return false;
    return std::none_of(body.locals.begin(), body.locals.end(), [](const Local& local) {
        return local.type.isArray() && local.form != LocalForm::Spread;
    });
}

/// The expressions that these statements use.
bool computesInLanes(const Body& body, const std::vector<ExprId>& roots,
                     const std::vector<Interval>& intervals) {
    const std::vector<std::uint32_t> demanded = demandedBits(body, intervals);
    Reach reach(body);
    bool computes = true;
    for (const ExprId root : roots)
        reach.from(root, [&](ExprId id) {
            computes = computes && fitsWord(body[id], intervals[id.index], demanded[id.index])
                       && isLaneExpr(body, body[id]);
        });
    return computes;
}

bool isOwnArray(const Body& body, LocalId id) {
    const Local& local = body.locals[id.index];
    return local.kind == LocalKind::State && local.form == LocalForm::Own;
}

/// t = a[i] or a[i] = v.
bool isBareAccess(const Body& body, const Stmt& stmt) {
    const auto* set = std::get_if<Set>(&stmt.node);
    if (set == nullptr) return false;
    if (set->index.valid())
        return isOwnArray(body, set->local) && isLeaf(body, set->index) && isLeaf(body, set->value);
    return smec::visit(
        Overloaded{
            [&](const ReadLocal& n) {
                return n.index.valid() && isOwnArray(body, n.local) && isLeaf(body, n.index);
            },
            [&](const ReadInput& n) {
                return n.index.valid() && !n.element.valid() && isLeaf(body, n.index);
            },
            [&](const ReadTable& n) { return isLeaf(body, n.index); },
            [](const AnyOf<ConstInt, ConstBool, ConstFloat, ReadColumn, Cycle, Seed, Unary, Binary,
                           Select, Wrap, Convert> auto&) { return false; },
        },
        body[set->value].node);
}

}  // namespace

bool isLeaf(const Body& body, ExprId id) {
    return smec::visit(
        Overloaded{
            [](const AnyOf<ConstInt, ConstBool, ConstFloat, ReadColumn> auto&) { return true; },
            [](const ReadInput& n) { return !n.element.valid() && !n.index.valid(); },
            [&](const ReadLocal& n) {
                return !n.index.valid() && !body.locals[n.local.index].type.isArray();
            },
            [](const AnyOf<ReadTable, Cycle, Seed, Unary, Binary, Select, Wrap, Convert> auto&) {
                return false;
            },
        },
        body[id].node);
}

bool isAccess(const Body& body, const Stmt& stmt) {
    const auto* branch = std::get_if<If>(&stmt.node);
    if (branch == nullptr) return isBareAccess(body, stmt);
    if (!isLeaf(body, branch->condition) || branch->yes.size() != 1
        || !isBareAccess(body, branch->yes.front()))
        return false;
    if (branch->no.empty()) return true;
    const auto& yes = std::get<Set>(branch->yes.front().node);
    const auto* no = std::get_if<Set>(&branch->no.front().node);
    return branch->no.size() == 1 && no != nullptr && no->local == yes.local && !yes.index.valid()
           && !no->index.valid() && isLeaf(body, no->value);
}

bool suitsLanes(const Body& body, const std::vector<Interval>& intervals) {
    bool suits = true;
    forEachStmt(body.statements,
                [&](const Stmt& stmt) { suits = suits && isLaneStmt(body, stmt); });
    return suits && computesInLanes(body, intervals);
}

bool fillsLanesInRounds(const Class& cls, const std::vector<Interval>& intervals) {
    const Block& statements = cls.body.statements;
    const auto isRounds = [&](const Stmt& stmt) { return isConstantRounds(cls.body, stmt); };
    return cls.instances >= target::kLaneInstances
           && std::count_if(statements.begin(), statements.end(), isRounds) == 1
           && std::all_of(statements.begin(), statements.end(),
                          [&](const Stmt& stmt) { return isSet(stmt) || isRounds(stmt); })
           && std::none_of(cls.body.locals.begin(), cls.body.locals.end(),
                           [](const Local& local) { return local.type.isArray(); })
           && computesInLanes(cls.body, intervals);
}

bool fillsLanesInStages(const Class& cls, const std::vector<Interval>& intervals) {
    const Body& body = cls.body;
    if (cls.instances < target::kLaneInstances) return false;
    const bool hasOutputArray =
        std::any_of(body.locals.begin(), body.locals.end(), [](const Local& local) {
            return local.type.isArray() && local.kind != LocalKind::State;
        });
    if (hasOutputArray) return false;
    std::vector<ExprId> values;
    bool hasAccess = false;
    for (const Stmt& stmt : body.statements) {
        if (isAccess(body, stmt))
            hasAccess = true;
        else if (isSet(stmt))
            values.push_back(std::get<Set>(stmt.node).value);
        else
            return false;
    }
    return hasAccess && computesInLanes(body, values, intervals);
}

bool fillsLanes(const Class& cls, const std::vector<Interval>& intervals) {
    const Block& statements = cls.body.statements;
    return cls.instances >= target::kLaneInstances
           && std::all_of(statements.begin(), statements.end(), isStraight)
           && suitsLanes(cls.body, intervals);
}

}  // namespace smec::ir
