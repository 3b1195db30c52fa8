#include "sema/check/body_builder.h"
#include "sema/operand_types.h"

// From operands to expressions of the body. A constant that depends on the instance becomes a
// column of the specialisation, with a note of what the check relied on; where its value shaped
// something it is folded and must be equal in every instance that shares.

namespace smec::sema {

using hir::ExprId;
using hir::TypeId;

ExprId BodyBuilder::emit(TypeId type, SourceRange range, decltype(hir::Expr::node) node) {
    ExprId id{static_cast<std::uint32_t>(body_.exprs.size())};
    body_.exprs.push_back({type, range, std::move(node)});
    return id;
}

hir::VarId BodyBuilder::addVariable(hir::Variable variable) {
    body_.vars.push_back(std::move(variable));
    return {static_cast<std::uint32_t>(body_.vars.size() - 1)};
}

void BodyBuilder::dropExprs(std::size_t begin) {
    body_.exprs.resize(begin);
    tables_.clear();
}

Operand BodyBuilder::valueOperand(ExprId id, TypeId type, SourceRange range) {
    Operand result;
    result.kind = Operand::Kind::Value;
    result.id = id;
    result.declared = type;
    result.type = operandType(types_, type);
    result.range = range;
    if (types_.isInteger(type)) result.interval = intervalOf(types_, type);
    return result;
}

Operand BodyBuilder::integerValue(ExprId id, TypeId type, SourceRange range, Interval interval,
                                  bool wide) {
    Operand result;
    result.kind = Operand::Kind::Value;
    result.id = id;
    result.declared = result.type = type;
    result.range = range;
    if (interval.unbounded) wide_.insert(id.index);
    result.wide = wide || interval.unbounded;
    result.interval = std::move(interval);
    return result;
}

Operand BodyBuilder::constantOperand(hir::Value value, TypeId type, SourceRange range) {
    Operand result;
    result.kind = Operand::Kind::Constant;
    result.declared = type;
    result.type = operandType(types_, type);
    result.range = range;
    if (types_.isInteger(type))
        result.interval = unite(intervalOf(types_, type), Interval::of(value.integer()));
    result.own = std::move(value);
    return result;
}

Operand BodyBuilder::unsizedConstant(hir::Integer value, SourceRange range) {
    Operand result;
    result.kind = Operand::Kind::Constant;
    result.declared = result.type = smallestType(types_, value);
    result.range = range;
    result.unsized = true;
    result.interval = Interval::of(value);
    result.own = hir::Value{std::move(value)};
    return result;
}

ExprId BodyBuilder::use(Operand& operand, SiteNeeds needs) {
    if (operand.kind == Operand::Kind::Value) return operand.id;
    if (operand.kind == Operand::Kind::Undefined)
        reporter_.report(DiagId::UndefinedUse, operand.range);
    if (!operand.isConstant()) return {};
    if (operand.perInstance
        && (mode_ != CheckMode::Process || !operand.siteSafe || needs.use == SiteUse::Value))
        uses_.dependOn(operand);
    else if (operand.perInstance) {
        if (!needs.fits) needs.fits = operand.convertedTo;
        return emit(operand.type, operand.range,
                    hir::InstanceConstant{uses_.column(operand, operand.type, needs)});
    }
    bool isTable = operand.shared && operand.symbol
                   && std::holds_alternative<hir::Value::List>(operand.value().data);
    if (!isTable) return emit(operand.type, operand.range, hir::Constant{operand.value()});
    auto [known, isNew] = tables_.try_emplace(operand.symbol);
    if (isNew) known->second = emit(operand.type, operand.range, hir::Constant{operand.value()});
    return known->second;
}

ExprId BodyBuilder::leaf(Operand& operand) {
    SiteNeeds needs;
    if (operand.unsized) needs.use = SiteUse::Width;
    return use(operand, std::move(needs));
}

}  // namespace smec::sema
