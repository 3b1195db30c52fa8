// A loop whose bounds vary:
//
//   for i = 0 until n { s = s + a[i]; }     to = n - 1;
//                                           for i = 0 to 14 { if (0 <= i && i <= to) { … } }

#include "hdl/loop_bounds.h"

#include <algorithm>
#include <utility>

#include "hdl/target.h"
#include "ir/analysis.h"
#include "ir/arithmetic.h"
#include "ir/visit.h"
#include "passes/body.h"
#include "source/overloaded.h"

namespace smec {

namespace {

using namespace ir;
namespace target = hdl::target;

class LoopBounder {
public:
    LoopBounder(Body& body, std::vector<Interval> values)
        : body_(body), values_(std::move(values)) {}

    void run() { walk(body_.statements); }

private:
    void walk(Block& block) {
        Block to;
        for (Stmt& stmt : block) {
            forEachBlock(stmt, [&](Block& inner) { walk(inner); });
            const bool isBounded = smec::visit(
                Overloaded{
                    [&](For& loop) {
                        return !(isConstant(loop.from) && isConstant(loop.to))
                               && bound(loop, stmt.range, to);
                    },
                    // a Loop has no bounds: that is reported
                    [](AnyOf<Set, CopyArray, FillArray, Check, If, Loop, CountRound, Switch, Break,
                             Continue, Call, Return, Trace, Stop> auto&) { return false; },
                },
                stmt.node);
            if (!isBounded) to.push_back(std::move(stmt));
        }
        block = std::move(to);
    }

    bool isConstant(ExprId id) const { return std::holds_alternative<ConstInt>(body_[id].node); }

    bool bound(For& loop, SourceRange range, Block& to) {
        const Interval from = values_[loop.from.index], last = values_[loop.to.index];
        if (isUnbounded(from) || isUnbounded(last)) return false;
        const bool goesUp = loop.kind != LoopKind::Down, goesDown = loop.kind != LoopKind::Up;
        if (goesUp && last.high - from.low >= target::kMostBounded) return false;
        if (goesDown && from.high - last.low >= target::kMostBounded) return false;
        const ExprId first = isConstant(loop.from) ? loop.from : held(loop.from, from, range, to);
        const ExprId end = isConstant(loop.to) ? loop.to : held(loop.to, last, range, to);
        Block up, down;
        if (goesUp) up = {{range, whole(loop, LoopKind::Up, from.low, last.high, first, end)}};
        if (goesDown)
            down = {{range, whole(loop, LoopKind::Down, from.high, last.low, end, first)}};
        if (loop.kind == LoopKind::Either) {
            to.push_back({range, If{compare(first, end), std::move(up), std::move(down)}});
        } else {
            Block& one = goesUp ? up : down;
            to.push_back(std::move(one.front()));
        }
        return true;
    }

    /// `least` and `most`: what the variable lies between where the body runs. Not both are
    /// constants, and one that is, is a bound of the loop.
    For whole(const For& loop, LoopKind kind, const Integer& from, const Integer& to, ExprId least,
              ExprId most) {
        const ExprId var = add({ExprType::Int, ReadLocal{loop.var, {}}});
        ExprId isInside = isConstant(least) ? compare(var, most) : compare(least, var);
        if (!isConstant(least) && !isConstant(most))
            isInside =
                add({ExprType::Bool, Binary{BinaryOp::BoolAnd, isInside, compare(var, most)}});
        For result{loop.var,
                   kind,
                   add({ExprType::Int, ConstInt{from}}),
                   add({ExprType::Int, ConstInt{to}}),
                   {},
                   {}};
        result.body.push_back({SourceRange{}, If{isInside, loop.body, {}}});
        return result;
    }

    ExprId held(ExprId value, const Interval& interval, SourceRange range, Block& to) {
        const bool isSigned = interval.low < 0;
        const Scalar type{ScalarKind::Int, isSigned, std::max(bitsOf(interval, isSigned), 1U)};
        const LocalId local{static_cast<std::uint32_t>(body_.locals.size())};
        body_.locals.push_back({"bound", LocalKind::Temp, {type, 0}, 0, interval});
        to.push_back({range, Set{local, {}, value}});
        return add({ExprType::Int, ReadLocal{local, {}}});
    }

    ExprId compare(ExprId left, ExprId right) {
        return add({ExprType::Bool, Binary{BinaryOp::Le, left, right}});
    }
    ExprId add(Expr expr) { return passes::addExpr(body_, std::move(expr)); }

    Body& body_;
    std::vector<Interval> values_;
};

}  // namespace

void hdl::boundLoops(Body& body, std::vector<Interval> values) {
    LoopBounder(body, std::move(values)).run();
}

}  // namespace smec
