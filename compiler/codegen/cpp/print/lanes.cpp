#include "codegen/cpp/print/lanes.h"

namespace smec::codegen::cpp {

Value maskedSelect(const Value& condition, const Value& yes, const Value& no, ir::ExprType type,
                   const ExprFacts& facts) {
    Word word = type == ir::ExprType::Int ? facts.word : yes.type;
    if (word.isInt()) {
        for (const std::uint32_t bits : {8, 16, 32}) {
            const Word smaller{WordKind::Int, facts.extent.isNegative, bits};
            if (bits >= word.bits || !holds(smaller, facts.extent)) continue;
            word = smaller;
            break;
        }
    }
    return plain(fmt::format("sme::choose<{}>({}, {}, {})", nameOf(word), condition.text,
                             convert(yes, word).text, convert(no, word).text),
                 word);
}

ir::ExprId testedForLowBit(const ir::Body& body, const ir::Binary& node, const Word& word) {
    const auto isNumber = [&](ir::ExprId id, int number) {
        const auto* constant = std::get_if<ir::ConstInt>(&body[id].node);
        return constant != nullptr && constant->value == number;
    };
    if (node.op != ir::BinaryOp::Ne || !isNumber(node.right, 0)) return {};
    if (!word.isInt() || word.bits > 64) return {};
    if (const auto* wrap = std::get_if<ir::Wrap>(&body[node.left].node))
        return wrap->width == 1 && !wrap->isSigned ? wrap->operand : ir::ExprId{};
    const auto* mask = std::get_if<ir::Binary>(&body[node.left].node);
    const bool isMask =
        mask != nullptr && mask->op == ir::BinaryOp::And && isNumber(mask->right, 1);
    return isMask ? mask->left : ir::ExprId{};
}

Value lowBit(const Value& bit, const ExprFacts& of) {
    Word word = bit.type;
    for (const std::uint32_t bits : {16, 8}) {
        const Word smaller{WordKind::Int, of.extent.isNegative, bits};
        if (holds(smaller, of.extent)) word = Word{WordKind::Int, false, bits};
    }
    return plain(fmt::format("sme::isOdd<{}>({})", nameOf(word), bit.text), kBool);
}

}  // namespace smec::codegen::cpp
