#include "ir/arithmetic.h"
#include "lower/body.h"

namespace smec::lower {

ir::FailSite BodyLowering::failSite(ir::FailureKind kind, SourceRange range,
                                    std::string subject) const {
    return {kind, range, {}, false, std::move(subject)};
}

std::uint32_t BodyLowering::addSite(ir::FailSite site) {
    usesOwner_ = true;
    mayFail_ = true;
    sites_.fails.push_back(std::move(site));
    return static_cast<std::uint32_t>(sites_.fails.size() - 1);
}

/// As 128-bit two's complement, unless only an unsigned one holds it.
ir::ArgFormat BodyLowering::numberFormat(ir::ExprId value) const {
    const bool isSigned =
        body_[value].type != ir::ExprType::Int || ir::bitsOf(builder_.interval(value), true) <= 128;
    return {body_[value].type, isSigned, 64, std::nullopt};
}

/// Nothing where `ok` is known to hold.
void BodyLowering::check(ir::ExprId ok, ir::FailSite site, std::vector<ir::ExprId> args,
                         SourceRange range) {
    const bool* known = builder_.boolean(ok);
    if (known && *known) return;
    if (site.text.args.empty()) {
        for (ir::ExprId arg : args)
            site.text.args.push_back(numberFormat(arg));
    }
    emit(range, ir::Check{ok, addSite(std::move(site)), std::move(args)});
}

ir::ExprId BodyLowering::within(ir::ExprId value, const ir::Integer& low, const ir::Integer& high) {
    const ir::ExprId above = builder_.binary(ir::BinaryOp::Le, integer(low), value);
    const ir::ExprId below = builder_.binary(ir::BinaryOp::Le, value, integer(high));
    return builder_.binary(ir::BinaryOp::BoolAnd, above, below);
}

/// Of `width` bits from `index` on, in an integer of `bits` bits. What the report names is the bit
/// that lies outside.
BodyLowering::FirstBit BodyLowering::firstBit(ir::ExprId index, std::uint32_t width,
                                              std::uint32_t bits, const std::string& subject,
                                              SourceRange range) {
    const ir::ExprId ok = within(index, 0, ir::Integer(bits) - width);
    if (context_.options.unchecked) {
        const bool isBehind = width > 1 && builder_.interval(index).low >= 0;
        return {isBehind ? builder_.binary(ir::BinaryOp::Min, index, integer(bits - width))
                         : builder_.select(ok, index, integer(0)),
                ok};
    }
    const ir::ExprId last = builder_.binary(ir::BinaryOp::Add, index, integer(width - 1));
    const ir::ExprId isBelow = builder_.binary(ir::BinaryOp::Lt, index, integer(0));
    check(ok, failSite(ir::FailureKind::IndexOutOfRange, range, subject),
          {builder_.select(isBelow, index, last), integer(bits)}, range);
    const bool* known = builder_.boolean(ok);
    return {known && !*known ? integer(0) : index, ok};
}

ir::ExprId BodyLowering::fit(ir::ExprId value, hir::TypeId type, SourceRange range) {
    const ir::Scalar target = scalarOf(context_.types(), type);
    const ir::ExprType from = body_[value].type;
    if (target.kind != ir::ScalarKind::Int) return castToFloat(value, exprTypeOf(target));
    if (from == ir::ExprType::Bool)
        value = builder_.convert(ir::ConvertOp::BoolToInt, value, ir::ExprType::Int);
    if (const auto declared = rangeOf(context_.types(), type);
        declared && !context_.options.unchecked) {
        const ir::ExprId ok = within(value, declared->low, declared->high);
        check(ok, failSite(ir::FailureKind::RangeViolation, range),
              {value, integer(declared->low), integer(declared->high)}, range);
    }
    return builder_.wrap(value, target.width, target.isSigned);
}

}  // namespace smec::lower
