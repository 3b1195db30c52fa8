#include "ir/arithmetic.h"
#include "ir/visit.h"
#include "lower/body.h"
#include "source/internal_error.h"

// Stores: the value first, then the indices of the place from left to right, then the store. A bit
// or slice rewrites the scalar it lies in:
//   x[7:4] = v   ->   x = (x & 0x0F) | (wrap u4(v) << 4)

namespace smec::lower {

std::string BodyLowering::placeText(const hir::Place& place, std::size_t steps) const {
    std::string text;
    hir::TypeId type;
    if (const auto* var = std::get_if<hir::VarId>(&place.root)) {
        text = source_.vars[var->index].name;
        type = source_.vars[var->index].type;
    } else {
        const auto& ref = std::get<hir::FieldRef>(place.root);
        const hir::Port& port = shape_.spec->ports[ref.port];
        const hir::FieldShape& field = context_.hir.shapes[port.shape.index].fields[ref.field];
        text = port.name;
        if (ref.element.valid()) text += "[" + textOf(ref.element) + "]";
        text += "." + field.name;
        type = field.type;
    }
    for (std::size_t i = 0; i < steps; ++i) {
        if (const auto* member = std::get_if<hir::MemberStep>(&place.steps[i])) {
            const auto& step =
                std::get<hir::StructType>(context_.types()[type]).members[member->member];
            text += "." + step.name;
            type = step.type;
        } else if (const auto* index = std::get_if<hir::IndexStep>(&place.steps[i])) {
            text += "[" + textOf(index->index) + "]";
            type = std::get<hir::ArrayType>(context_.types()[type]).element;
        }
    }
    return text;
}

Part BodyLowering::target(const hir::Place& place, std::size_t& steps) {
    const auto* var = std::get_if<hir::VarId>(&place.root);
    const auto* ref = std::get_if<hir::FieldRef>(&place.root);
    Part result =
        var ? variable(*var) : field(ref->port, ref->field, ref->element, true, place.range);
    for (steps = 0; steps < place.steps.size(); ++steps) {
        if (const auto* member = std::get_if<hir::MemberStep>(&place.steps[steps])) {
            result = this->member(std::move(result), member->member);
        } else if (const auto* index = std::get_if<hir::IndexStep>(&place.steps[steps])) {
            result = element(std::move(result), scalar(index->index), index->range,
                             placeText(place, steps));
        } else {
            break;
        }
    }
    return result;
}

void BodyLowering::assign(const hir::Assign& node, SourceRange range) {
    std::size_t steps = 0;
    if (isAggregate(context_.types(), typeOf(node.value))) return assignAggregate(node, range);
    ir::ExprId value = scalar(node.value);
    Part to = target(node.place, steps);
    if (steps < node.place.steps.size()) {
        ir::ExprId inside = to.inside;
        value = replaceBits(to, inside, node.place, steps, value);
        to.inside = inside;
    }
    storeScalar(to, value, node.place.range);
}

ir::ExprId BodyLowering::replaceBits(const Part& to, ir::ExprId& inside, const hir::Place& place,
                                     std::size_t step, ir::ExprId value) {
    const ir::Scalar type = leafOf(to, 0).scalar;
    const ir::ExprId old = read(to);
    if (body_[value].type == ir::ExprType::Bool)
        value = builder_.convert(ir::ConvertOp::BoolToInt, value, ir::ExprType::Int);
    if (const auto* slice = std::get_if<hir::SliceStep>(&place.steps[step])) {
        const std::uint32_t width = slice->high - slice->low + 1;
        const ir::Integer hole = (ir::powerOfTwo(width) - 1) << slice->low;
        const ir::Integer rest = type.isSigned ? ir::Integer(-1 - hole)
                                               : ir::Integer(ir::powerOfTwo(type.width) - 1 - hole);
        const ir::ExprId kept = builder_.binary(ir::BinaryOp::And, old, integer(rest));
        const ir::ExprId placed = builder_.binary(
            ir::BinaryOp::Shl, builder_.wrap(value, width, false), integer(slice->low));
        return builder_.binary(ir::BinaryOp::Or, kept, placed);
    }
    const auto* bit = std::get_if<hir::BitStep>(&place.steps[step]);
    const auto* part = std::get_if<hir::IndexedSliceStep>(&place.steps[step]);
    const std::uint32_t width = bit ? 1 : part->width;
    const FirstBit first = firstBit(scalar(bit ? bit->index : part->low), width, type.width,
                                    placeText(place, step), bit ? bit->range : part->range);
    if (context_.options.unchecked)
        inside = inside.valid() ? builder_.binary(ir::BinaryOp::BoolAnd, inside, first.inside)
                                : first.inside;
    const ir::ExprId hole =
        builder_.binary(ir::BinaryOp::Shl, integer(ir::powerOfTwo(width) - 1), first.index);
    const ir::ExprId kept =
        builder_.binary(ir::BinaryOp::And, old, builder_.unary(ir::UnaryOp::BitNot, hole));
    const ir::ExprId placed =
        builder_.binary(ir::BinaryOp::Shl, builder_.wrap(value, width, false), first.index);
    return builder_.binary(ir::BinaryOp::Or, kept, placed);
}

void BodyLowering::storeScalar(const Part& to, ir::ExprId value, SourceRange range) {
    const Leaf& leaf = leafOf(to, 0);
    const ir::ExprId stored = fit(value, leaf.type, range);
    const ir::Set store{localsOf(to)[to.leaf], offsetOf(to, leaf), stored};
    const bool* inside = to.inside.valid() ? builder_.boolean(to.inside) : nullptr;
    if (inside && !*inside) return;
    if (!to.inside.valid() || inside) return emit(range, store);
    ir::Block block;
    block.push_back({range, store});
    emit(range, ir::If{to.inside, std::move(block), {}});
}

void BodyLowering::storeValue(const Part& to, hir::ExprId value, SourceRange range) {
    if (isAggregate(context_.types(), to.type)) return storeLiteral(to, value, range);
    storeScalar(to, scalar(value), range);
}

void BodyLowering::storeDefault(const Part& to, SourceRange range) {
    for (std::uint32_t i = 0; i < context_.layouts.of(to.type).size(); ++i) {
        const Leaf& leaf = leafOf(to, i);
        const ir::ExprId value =
            constantOf(hir::defaultValue(context_.types(), leaf.type), leaf.type);
        const ir::LocalId local = localsOf(to)[to.leaf + i];
        if (leaf.dimensions.empty())
            set(range, local, offsetOf(to, leaf), value);
        else
            emit(range, ir::FillArray{local, value});
    }
}

}  // namespace smec::lower
