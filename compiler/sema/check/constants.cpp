#include "sema/check/constants.h"

#include "sema/check/conversions.h"
#include "sema/check/expressions.h"

namespace smec::sema {

using hir::Value;

Operand Constants::constant(ast::ExprId expr, std::string_view what) {
    Operand operand;
    {
        const Depth::Inside inside = nesting_.constantOnly.enter();
        operand = expressions_.check(expr);
    }
    if (operand.isError() || operand.isConstant()) return operand;
    if (operand.kind == Operand::Kind::Undefined)
        reporter_.report(DiagId::UndefinedUse, operand.range);
    else if (operand.kind == Operand::Kind::Bus)
        reporter_.report(DiagId::NotAValue, operand.range, reporter_.text(operand.range), "a bus",
                         "");
    else
        reporter_.report(DiagId::NotConstantValue, operand.range, what);
    return {};
}

std::optional<Value> Constants::constantFor(ast::ExprId expr, const Destination& destination,
                                            Operand* checked) {
    const Depth::Inside inside = nesting_.constantOnly.enter();
    Operand operand = expressions_.checkFor(expr, destination);
    bool ok = conversions_.convert(operand, destination);
    if (checked) *checked = operand;
    if (!ok) return std::nullopt;
    if (!operand.isConstant()) {
        reporter_.report(DiagId::NotConstantValue, operand.range, destination.what);
        return std::nullopt;
    }
    return operand.shared ? *operand.shared : std::move(operand.own);
}

std::optional<hir::Integer> Constants::integer(ast::ExprId expr, std::string_view what) {
    Operand operand = constant(expr, what);
    if (!operand.isConstant()) return std::nullopt;
    if (!types_.isInteger(operand.type)) {
        reporter_.report(DiagId::ConstantType, operand.range, what, "an integer",
                         described(types_, operand));
        return std::nullopt;
    }
    if (operand.perInstance) uses_.dependOn(operand);
    return operand.integer();
}

std::optional<std::uint64_t> Constants::size(ast::ExprId expr, std::string_view what) {
    auto value = integer(expr, what);
    if (!value) return std::nullopt;
    if (*value < 0 || *value > INT64_MAX) {
        reporter_.report(DiagId::SizeRange, module_[expr].range, what, value->str(),
                         *value < 0 ? "at least 0" : "below 2^63");
        return std::nullopt;
    }
    return value->convert_to<std::uint64_t>();
}

}  // namespace smec::sema
