#include "codegen/cpp/print/conversions.h"

#include "ir/arithmetic.h"

namespace smec::codegen::cpp {

Value selected(const Value& condition, const Value& yes, const Value& no, ir::ExprType type,
               const ExprFacts& facts) {
    const bool isInt = type == ir::ExprType::Int;
    const bool mustConvert = isInt && (yes.constant || no.constant || yes.type != no.type);
    const Value left = mustConvert ? convert(yes, facts.word) : yes;
    const Value right = mustConvert ? convert(no, facts.word) : no;
    return composed(
        fmt::format("{} ? {} : {}", condition.operand(), left.operand(), right.operand()),
        left.type);
}

Value wrapped(const ir::Wrap& node, const Operand& operand, const ExprFacts& facts) {
    const Word word = facts.word;
    const Value& x = operand.value;
    const ir::Scalar target{ir::ScalarKind::Int, node.isSigned, node.width};
    const bool fits = facts.isProven;
    if (fits || node.width > word.bits)
        return fits && holds(x.type, operand.facts.extent) ? x : convert(x, word);

    const Word stored = storedWord(target);
    if (stored.bits == node.width) return convert(x, stored);
    const Word in = unsignedOf(word);
    if (!node.isSigned) {
        if (in.isWide())
            return plain(fmt::format("sme::zeroExtend<{}>({})", node.width, convert(x, in).text),
                         in);
        const auto [left, right] = operandsIn(in, x, Value::ofInteger(ir::intervalOf(target).high));
        return infix(left, "&", right, in);
    }
    Word result = word;
    result.isSigned = true;
    return plain(fmt::format("sme::signExtend<{}>({})", node.width, convert(x, in).text), result);
}

Value converted(const ir::Convert& node, const Value& x, ir::ExprType type) {
    const Word target = type == ir::ExprType::F32 ? kF32 : kF64;
    switch (node.op) {
    case ir::ConvertOp::IntToBool: return convert(settle(x, kU64), kBool);
    case ir::ConvertOp::BoolToInt: return plain(fmt::format("u32({})", x.text), kU32);
    case ir::ConvertOp::IntToFloat:
        return plain(fmt::format("{}({})", nameOf(target), x.text), target);
    case ir::ConvertOp::FloatToFloat: return convert(x, target);
    case ir::ConvertOp::FloatToInt: {
        const Word word = variableWord({ir::ScalarKind::Int, node.isSigned, node.width});
        const char* name = node.width > 128 ? "toWideInteger" : "toInteger";
        return plain(fmt::format("sme::{}<{}, {}>({})", name, node.width, node.isSigned, x.text),
                     word);
    }
    }
    return {};
}

}  // namespace smec::codegen::cpp
