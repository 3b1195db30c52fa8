#include "ir/lanes.h"

#include <algorithm>

#include "ir/operators.h"
#include "ir/target.h"
#include "ir/visit.h"
#include "source/overloaded.h"

namespace smec::ir {

namespace {

/// Elements of all instances that have one index lie side by side.
bool isSpread(const Body& body, LocalId id) {
    return body.locals[id.index].form == LocalForm::Spread;
}

bool isLaneExpr(const Body& body, const Expr& expr, const Interval& values) {
    static const Integer kLowest = -(Integer(1) << 63), kHighest = (Integer(1) << 64) - 1;
    if (expr.type == ExprType::Int && (values.low < kLowest || values.high > kHighest))
        return false;
    return std::visit(
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
    return std::visit(
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
    return std::visit(
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

bool computesInLanes(const Body& body, const std::vector<Interval>& intervals) {
    for (std::size_t i = 0; i < body.exprs.size(); ++i)
        if (!isLaneExpr(body, body.exprs[i], intervals[i])) return false;
    return std::none_of(body.locals.begin(), body.locals.end(), [](const Local& local) {
        return local.type.isArray() && local.form != LocalForm::Spread;
    });
}

}  // namespace

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

bool fillsLanes(const Class& cls, const std::vector<Interval>& intervals) {
    const Block& statements = cls.body.statements;
    return cls.instances >= target::kLaneInstances
           && std::all_of(statements.begin(), statements.end(), isStraight)
           && suitsLanes(cls.body, intervals);
}

}  // namespace smec::ir
