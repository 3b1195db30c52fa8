#include "ir/lanes.h"

#include <algorithm>

#include "ir/visit.h"

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
            [](const ReadTable&) { return false; }, [](const Cycle&) { return false; },
            [](const Seed&) { return false; },
            [](const Unary& n) { return n.op != UnaryOp::Popcount && n.op != UnaryOp::Parity; },
            [](const Binary& n) { return isLaneOp(n.op); },
            [](const Convert& n) { return n.op != ConvertOp::FloatToInt; },
            [](const auto&) { return true; }},
        expr.node);
}

bool isLaneStmt(const Stmt& stmt) {
    const auto* set = std::get_if<Set>(&stmt.node);
    return (set && !set->index.valid()) || std::holds_alternative<If>(stmt.node)
           || std::holds_alternative<Switch>(stmt.node) || std::holds_alternative<Check>(stmt.node);
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
    return cls.instances >= kLaneInstances
           && std::all_of(statements.begin(), statements.end(),
                          [](const Stmt& stmt) {
                              return std::holds_alternative<Check>(stmt.node)
                                     || std::holds_alternative<Set>(stmt.node);
                          })
           && suitsLanes(cls.body, intervals);
}

}  // namespace smec::ir
