#include "codegen/cpp/decide/expression_facts.h"

#include <algorithm>

#include "ir/arithmetic.h"

namespace smec::codegen::cpp {
namespace {

class Facts {
public:
    Facts(const ir::Body& body, const std::vector<ir::Interval>& intervals)
        : body_(body), intervals_(intervals) {}

    ExprFacts of(ir::ExprId id, const ir::Machine& machine) const {
        const ir::Interval& range = intervals_[id.index];
        return {wordOf(machine), extentOf(range), atMost(range), isProven(id)};
    }

private:
    static std::uint64_t atMost(const ir::Interval& range) {
        if (range.high < 0) return 0;
        return range.high > UINT64_MAX ? UINT64_MAX : static_cast<std::uint64_t>(range.high);
    }

    bool isProven(ir::ExprId id) const {
        const ir::Expr& expr = body_[id];
        if (const auto* wrap = std::get_if<ir::Wrap>(&expr.node)) return isWithin(*wrap);
        const auto* node = std::get_if<ir::Binary>(&expr.node);
        if (node == nullptr) return false;
        return (node->op == ir::BinaryOp::Div || node->op == ir::BinaryOp::Mod)
               && isPlainDivision(id, *node);
    }

    bool isWithin(const ir::Wrap& wrap) const {
        const ir::Interval target =
            ir::intervalOf({ir::ScalarKind::Int, wrap.isSigned, wrap.width});
        const ir::Interval& operand = intervals_[wrap.operand.index];
        return operand.low >= target.low && operand.high <= target.high;
    }

    /// The lowest number of a word by -1 traps; a quotient that large has a longer word.
    bool isPlainDivision(ir::ExprId id, const ir::Binary& node) const {
        const ir::Interval& left = intervals_[node.left.index];
        const ir::Interval& divisor = intervals_[node.right.index];
        const Extent all =
            hull(extentOf(intervals_[id.index]), hull(extentOf(left), extentOf(divisor)));
        const bool traps = node.op == ir::BinaryOp::Mod && divisor.contains(-1)
                           && left.low <= intervalOf(wordFor(all)).low;
        return !divisor.contains(0) && !traps;
    }

    const ir::Body& body_;
    const std::vector<ir::Interval>& intervals_;
};

}  // namespace

std::vector<ExprFacts> factsOf(const ir::Body& body, const std::vector<ir::Interval>& intervals) {
    const std::vector<ir::Machine> machines =
        ir::machineTypes(body, intervals, ir::demandedBits(body, intervals));
    const Facts facts(body, intervals);
    std::vector<ExprFacts> result;
    result.reserve(body.exprs.size());
    for (std::uint32_t i = 0; i < body.exprs.size(); ++i)
        result.push_back(facts.of({i}, machines[i]));
    return result;
}

CounterWord counterOf(const ir::For& loop, const std::vector<ir::Interval>& intervals) {
    ir::Interval range = ir::hull(intervals[loop.from.index], intervals[loop.to.index]);
    const bool toTheEnd = wordFor(extentOf(range)).bits <= 64
                          && wordFor(extentOf({range.low - 1, range.high + 1})).bits > 64;
    if (!toTheEnd && loop.kind != ir::LoopKind::Up) range.low -= 1;
    if (!toTheEnd && loop.kind != ir::LoopKind::Down) range.high += 1;
    return {wordFor(extentOf(range)), toTheEnd};
}

}  // namespace smec::codegen::cpp
