#include "hdl/bit_fields.h"

#include <algorithm>

#include "hdl/expressions.h"
#include "ir/arithmetic.h"
#include "ir/bits.h"

namespace smec::hdl {

using namespace ir;

std::optional<ExprId> BitFields::bitsBeside(ir::ExprId id, std::uint32_t width) {
    if (const auto* wrapped = std::get_if<Wrap>(&body_[id].node))
        return width <= wrapped->width ? part(*wrapped, width) : std::nullopt;
    if (const auto row = ir::repeated(body_, values_, id)) return repeat(*row, width);
    if (const auto two = ir::beside(body_, values_, id)) return concat(*two, width);
    if (!std::holds_alternative<Binary>(body_[id].node)) return std::nullopt;
    const std::uint32_t all = operands_.narrowType(id).width;
    const auto put = ir::inserted(body_, values_, id, all);
    const bool isKnown = put && put->value.valid() && !put->place.valid();
    return isKnown ? std::optional(insert(*put, width)) : std::nullopt;
}

ExprId BitFields::concat(const Beside& node, std::uint32_t width) {
    if (width <= node.width) return operands_.low(node.low, width);
    const Type above = unsignedType(width - node.width);
    const ExprId high = node.isPlaced ? builder_.constant(
                            std::get<ConstInt>(body_[node.high].node).value >> node.width, above)
                                      : operands_.low(node.high, above.width);
    return builder_.concat(high, operands_.low(node.low, node.width));
}

ExprId BitFields::repeat(const Repeated& node, std::uint32_t width) {
    if (width <= node.width) return operands_.low(node.operand, width);
    const ExprId one = sharing_.small(operands_.low(node.operand, node.width));
    const ExprId all = builder_.repeat(one, width / node.width);
    const std::uint32_t rest = width % node.width;
    return rest == 0 ? all : builder_.concat(builder_.resize(one, unsignedType(rest)), all);
}

/// A scalar or an element of which bits can be taken from any place on.
ExprId BitFields::named(ExprId value) {
    const Expr& expr = builder_.module()[value];
    if (expr.op != Op::Ref && expr.op != Op::Element) return leaves_.hold(value);
    const Signal& signal = builder_.module()[expr.signal];
    const bool isOther = signal.isPacked || signal.role == Role::Counter
                         || signal.role == Role::Table || signal.type.width == 1;
    return isOther ? leaves_.hold(value) : value;
}

/// x[k +: w], where all of these bits are there whatever k is.
std::optional<ExprId> BitFields::part(const Wrap& node, std::uint32_t width) {
    const auto* shift = std::get_if<Binary>(&body_[node.operand].node);
    if (!shift || shift->op != BinaryOp::Shr || sharing_.find(node.operand)) return std::nullopt;
    if (std::holds_alternative<ConstInt>(body_[shift->right].node)) return std::nullopt;
    const Interval& first = values_[shift->right.index];
    if (first.low < 0 || first.high + width > operands_.exactType(shift->left).width)
        return std::nullopt;
    const ExprId whole = named(operands_.exact(shift->left));
    const std::uint32_t place = indexWidth(builder_.type(whole).width);
    return builder_.part(whole, operands_.low(shift->right, place), unsignedType(width));
}

/// Bits of an unsigned value, which is a name or a constant.
ExprId BitFields::bitsFrom(ExprId value, std::uint32_t first, std::uint32_t width) {
    const Expr expr = builder_.module()[value];
    if (expr.op == Op::Const)
        return builder_.constant(wrapInteger(expr.value, expr.type.width, false) >> first,
                                 unsignedType(width));
    const std::uint32_t low = expr.op == Op::Slice ? expr.low + first : first;
    return builder_.slice(expr.signal, expr.args[0], low, unsignedType(width));
}

/// Parts beside one another.
ExprId BitFields::insert(const Inserted& node, std::uint32_t width) {
    ExprId whole = operands_.low(node.operand, width);
    if (node.low >= width) return whole;
    const Op op = builder_.module()[whole].op;
    if (op != Op::Ref && op != Op::Slice && op != Op::Element && op != Op::Const)
        whole = leaves_.hold(whole);
    const std::uint32_t end = std::min(node.low + node.width, width);
    const Type own = unsignedType(end - node.low);
    ExprId result =
        node.isPlaced
            ? builder_.constant(std::get<ConstInt>(body_[node.value].node).value >> node.low, own)
            : operands_.low(node.value, own.width);
    if (node.low > 0) result = builder_.concat(result, bitsFrom(whole, 0, node.low));
    if (end < width) result = builder_.concat(bitsFrom(whole, end, width - end), result);
    return result;
}

}  // namespace smec::hdl
