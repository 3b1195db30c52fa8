#include "lower/body/numbers.h"

namespace smec::lower {

ir::ExprId Numbers::within(ir::ExprId value, const ir::Integer& low, const ir::Integer& high) {
    const ir::ExprId above = builder_.binary(ir::BinaryOp::Le, integer(low), value);
    const ir::ExprId below = builder_.binary(ir::BinaryOp::Le, value, integer(high));
    return builder_.binary(ir::BinaryOp::BoolAnd, above, below);
}

/// Of `width` bits from `index` on, in an integer of `bits` bits. What the report names is the bit
/// that lies outside.
Numbers::FirstBit Numbers::firstBit(ir::ExprId index, std::uint32_t width, std::uint32_t bits,
                                    const std::string& subject, SourceRange range) {
    const ir::ExprId ok = within(index, 0, ir::Integer(bits) - width);
    if (context_.options.unchecked) {
        const bool isAfter = width > 1 && builder_.interval(index).low >= 0;
        return {isAfter ? builder_.binary(ir::BinaryOp::Min, index, integer(bits - width))
                        : builder_.select(ok, index, integer(0)),
                ok};
    }
    const ir::ExprId last = builder_.binary(ir::BinaryOp::Add, index, integer(width - 1));
    const ir::ExprId isBelow = builder_.binary(ir::BinaryOp::Lt, index, integer(0));
    writer_.check(ok, failSite(ir::FailureKind::IndexOutOfRange, range, subject),
                  {builder_.select(isBelow, index, last), integer(bits)}, range);
    const bool* known = builder_.boolean(ok);
    return {known && !*known ? integer(0) : index, ok};
}

ir::ExprId Numbers::fit(ir::ExprId value, hir::TypeId type, SourceRange range) {
    const ir::Scalar target = scalarOf(context_.types(), type);
    const ir::ExprType from = body_[value].type;
    if (target.kind != ir::ScalarKind::Int) return castToFloat(value, exprTypeOf(target));
    if (from == ir::ExprType::Bool)
        value = builder_.convert(ir::ConvertOp::BoolToInt, value, ir::ExprType::Int);
    if (const auto declared = rangeOf(context_.types(), type);
        declared && !context_.options.unchecked) {
        const ir::ExprId ok = within(value, declared->low, declared->high);
        writer_.check(ok, failSite(ir::FailureKind::RangeViolation, range),
                      {value, integer(declared->low), integer(declared->high)}, range);
    }
    return builder_.wrap(value, target.width, target.isSigned);
}

std::uint32_t Numbers::widthOf(hir::TypeId type) const {
    return scalarOf(context_.types(), type).width;
}

ir::ExprId Numbers::constantOf(const ir::Constant& value, ir::ExprType type) {
    if (const auto* number = std::get_if<double>(&value.value))
        return builder_.constant(*number, type);
    const ir::Integer& number = std::get<ir::Integer>(value.value);
    if (type == ir::ExprType::Bool) return builder_.constant(number != 0);
    return castToFloat(builder_.constant(number), type);
}

ir::ExprId Numbers::constantOf(const hir::Value& value, hir::TypeId type) {
    const ir::ExprType to = exprTypeOf(context_.types(), type);
    if (!value.valid())
        return constantOf(lower::constantOf(hir::defaultValue(context_.types(), type)), to);
    return constantOf(lower::constantOf(value), to);
}

ir::ExprId Numbers::castToFloat(ir::ExprId value, ir::ExprType to) {
    const ir::ExprType from = body_[value].type;
    if (from == to) return value;
    if (to == ir::ExprType::Int || to == ir::ExprType::Bool) return value;
    if (from == ir::ExprType::Bool)
        value = builder_.convert(ir::ConvertOp::BoolToInt, value, ir::ExprType::Int);
    const bool isFloat = from == ir::ExprType::F32 || from == ir::ExprType::F64;
    return builder_.convert(isFloat ? ir::ConvertOp::FloatToFloat : ir::ConvertOp::IntToFloat,
                            value, to);
}

}  // namespace smec::lower
