#include "ir/lanes.h"

#include <algorithm>

#include "ir/target.h"
#include "ir/visit.h"
#include "source/overloaded.h"

namespace smec::ir {

namespace {

bool isLaneOp(BinaryOp op) {
    return op != BinaryOp::Div && op != BinaryOp::Mod && op != BinaryOp::FMin
           && op != BinaryOp::FMax;
}

bool isLaneExpr(const Expr& expr, const Interval& values) {
    static const Integer kLowest = -(Integer(1) << 63), kHighest = (Integer(1) << 64) - 1;
    if (expr.type == ExprType::Int && (values.low < kLowest || values.high > kHighest))
        return false;
    return std::visit(
        Overloaded{
            [](const ReadInput& n) { return !n.element.valid() && !n.index.valid(); },
            [](const ReadLocal& n) { return !n.index.valid(); },
            [](const AnyOf<ReadTable, Cycle, Seed> auto&) { return false; },
            [](const Unary& n) { return n.op != UnaryOp::Popcount && n.op != UnaryOp::Parity; },
            [](const Binary& n) { return isLaneOp(n.op); },
            [](const Convert& n) { return n.op != ConvertOp::FloatToInt; },
            [](const AnyOf<ConstInt, ConstBool, ConstFloat, ReadColumn, Select, Wrap> auto&) {
                return true;
            },
        },
        expr.node);
}

bool isLaneStmt(const Stmt& stmt) {
    return std::visit(
        Overloaded{
            [](const Set& n) { return !n.index.valid(); },
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

}  // namespace

bool suitsLanes(const Body& body, const std::vector<Interval>& intervals) {
    bool suits = std::none_of(body.locals.begin(), body.locals.end(),
                              [](const Local& local) { return local.type.isArray(); });
    forEachStmt(body.statements, [&](const Stmt& stmt) { suits = suits && isLaneStmt(stmt); });
    for (std::size_t i = 0; i < body.exprs.size() && suits; ++i)
        suits = isLaneExpr(body.exprs[i], intervals[i]);
    return suits;
}

bool fillsLanes(const Class& cls, const std::vector<Interval>& intervals) {
    const Block& statements = cls.body.statements;
    return cls.instances >= target::kLaneInstances
           && std::all_of(statements.begin(), statements.end(), isStraight)
           && suitsLanes(cls.body, intervals);
}

}  // namespace smec::ir
