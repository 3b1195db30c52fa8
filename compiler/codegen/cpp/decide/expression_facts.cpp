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
        const Word word = wordOf(machine);
        const Extent extent = extentOf(range);
        const ir::ExprId bit = tested(id);
        return {word,
                extent,
                atMost(range),
                isProven(id, word),
                laneBits(extent),
                bit,
                bit.valid() && isOddTested(id)};
    }

private:
    static std::uint32_t laneBits(const Extent& extent) {
        for (const std::uint32_t bits : {8U, 16U, 32U})
            if (holds(Word{WordKind::Int, extent.isNegative, bits}, extent)) return bits;
        return 0;
    }

    bool isNumber(ir::ExprId id, int number) const {
        const auto* constant = std::get_if<ir::ConstInt>(&body_[id].node);
        return constant != nullptr && constant->value == number;
    }

    /// ExprFacts::tested.
    ir::ExprId tested(ir::ExprId id) const {
        const auto* node = std::get_if<ir::Binary>(&body_[id].node);
        if (node == nullptr || (node->op != ir::BinaryOp::Ne && node->op != ir::BinaryOp::Eq))
            return {};
        if (!isNumber(node->right, 0) && !isNumber(node->right, 1)) return {};
        if (const auto* wrap = std::get_if<ir::Wrap>(&body_[node->left].node))
            return wrap->width == 1 && !wrap->isSigned ? wrap->operand : ir::ExprId{};
        const auto* mask = std::get_if<ir::Binary>(&body_[node->left].node);
        const bool isMask =
            mask != nullptr && mask->op == ir::BinaryOp::And && isNumber(mask->right, 1);
        return isMask ? mask->left : ir::ExprId{};
    }

    bool isOddTested(ir::ExprId id) const {
        const auto& node = std::get<ir::Binary>(body_[id].node);
        return (node.op == ir::BinaryOp::Eq) == isNumber(node.right, 1);
    }

    static std::uint64_t atMost(const ir::Interval& range) {
        if (range.high < 0) return 0;
        return range.high > UINT64_MAX ? UINT64_MAX : static_cast<std::uint64_t>(range.high);
    }

    bool isProven(ir::ExprId id, const Word& word) const {
        const ir::Expr& expr = body_[id];
        if (const auto* wrap = std::get_if<ir::Wrap>(&expr.node)) return isWithin(*wrap);
        if (const auto* node = std::get_if<ir::Unary>(&expr.node))
            return node->op == ir::UnaryOp::Neg && areHeld(word, {id, node->operand});
        const auto* node = std::get_if<ir::Binary>(&expr.node);
        if (node == nullptr) return false;
        using enum ir::BinaryOp;
        if (node->op == Div || node->op == Mod) return isPlainDivision(id, *node);
        if (node->op == Shl) return atMost(intervals_[node->right.index]) < word.bits;
        const bool isSum = node->op == Add || node->op == Sub || node->op == Mul;
        return isSum && areHeld(word, {id, node->left, node->right});
    }

    bool areHeld(const Word& word, std::initializer_list<ir::ExprId> values) const {
        return std::all_of(values.begin(), values.end(), [&](ir::ExprId id) {
            return holds(word, extentOf(intervals_[id.index]));
        });
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
