#include "codegen/cpp/print/lanes.h"

namespace smec::codegen::cpp {

Value maskedSelect(const Value& condition, const Value& yes, const Value& no, ir::ExprType type,
                   const ExprFacts& facts) {
    Word word = type == ir::ExprType::Int ? facts.word : yes.type;
    if (word.isInt() && facts.laneBits != 0 && facts.laneBits < word.bits)
        word = Word{WordKind::Int, facts.extent.isNegative, facts.laneBits};
    return plain(fmt::format("sme::choose<{}>({}, {}, {})", nameOf(word), condition.text,
                             convert(yes, word).text, convert(no, word).text),
                 word);
}

Value lowBit(const Value& bit, const ExprFacts& of, bool isOdd) {
    const bool isSmall = of.laneBits == 8 || of.laneBits == 16;
    const Word word = isSmall ? Word{WordKind::Int, false, of.laneBits} : bit.type;
    return plain(fmt::format("{}sme::isOdd<{}>({})", isOdd ? "" : "!", nameOf(word), bit.text),
                 kBool);
}

Value equalityInLanes(ir::BinaryOp op, const Value& left, const Value& right) {
    const char* name = op == ir::BinaryOp::BoolXor ? "differInLanes" : "sameInLanes";
    return plain(fmt::format("sme::{}({}, {})", name, left.text, right.text), kBool);
}

}  // namespace smec::codegen::cpp
