#include "sema/checker.h"
#include "sema/operand_types.h"

// From operands to expressions of the body. A constant that depends on the instance becomes a
// column of the specialisation, with a note of what the check relied on; where its value shaped
// something it is folded and must be equal in every instance that shares.

namespace smec::sema {

using hir::ExprId;
using hir::TypeId;

ExprId Checker::emit(TypeId type, SourceRange range, decltype(hir::Expr::node) node) {
    ExprId id{static_cast<std::uint32_t>(body_.exprs.size())};
    body_.exprs.push_back({type, range, std::move(node)});
    return id;
}

Operand Checker::valueOperand(ExprId id, TypeId type, SourceRange range) {
    Operand result;
    result.kind = Operand::Kind::Value;
    result.id = id;
    result.declared = type;
    result.type = operandType(core_.types(), type);
    result.range = range;
    if (core_.types().isInteger(type)) result.interval = intervalOf(core_.types(), type);
    return result;
}

Operand Checker::integerValue(ExprId id, TypeId type, SourceRange range, Interval interval,
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

Operand Checker::constantOperand(hir::Value value, TypeId type, SourceRange range) {
    Operand result;
    result.kind = Operand::Kind::Constant;
    result.declared = type;
    result.type = operandType(core_.types(), type);
    result.range = range;
    if (core_.types().isInteger(type))
        result.interval = unite(intervalOf(core_.types(), type), Interval::of(value.integer()));
    result.own = std::move(value);
    return result;
}

Operand Checker::unsizedConstant(hir::Integer value, SourceRange range) {
    Operand result;
    result.kind = Operand::Kind::Constant;
    result.declared = result.type = smallestType(core_.types(), value);
    result.range = range;
    result.unsized = true;
    result.interval = Interval::of(value);
    result.own = hir::Value{std::move(value)};
    return result;
}

void Checker::merge(Operand& result, const Operand& part) {
    if (!part.isConstant()) return;
    if (part.perInstance && !result.perInstance) {
        result.touchedBegin = part.touchedBegin;
        result.touchedEnd = part.touchedEnd;
    } else if (part.perInstance) {
        result.touchedBegin = std::min(result.touchedBegin, part.touchedBegin);
        result.touchedEnd = std::max(result.touchedEnd, part.touchedEnd);
    }
    result.perInstance |= part.perInstance;
    result.siteSafe &= part.siteSafe;
}

void Checker::dependOn(const Operand& operand) {
    if (operand.siteSafe && mode_ != Mode::Function && operand.source.valid()) {
        dependencies_.push_back({scope_->module(), operand.source});
        return;
    }
    dependencies_.insert(dependencies_.end(), touched_.begin() + operand.touchedBegin,
                         touched_.begin() + operand.touchedEnd);
}

ExprId Checker::use(Operand& operand, SiteNeeds needs) {
    if (operand.kind == Operand::Kind::Value) return operand.id;
    if (operand.kind == Operand::Kind::Undefined) core_.report(DiagId::UndefinedUse, operand.range);
    if (!operand.isConstant()) return {};
    if (operand.perInstance
        && (mode_ != Mode::Process || !operand.siteSafe || needs.use == SiteUse::Value))
        dependOn(operand);
    else if (operand.perInstance) {
        if (!needs.fits) needs.fits = operand.convertedTo;
        return emit(operand.type, operand.range,
                    hir::InstanceConstant{column(operand, operand.type, needs)});
    }
    bool isTable = operand.shared && operand.symbol
                   && std::holds_alternative<hir::Value::List>(operand.value().data);
    if (!isTable) return emit(operand.type, operand.range, hir::Constant{operand.value()});
    auto [known, isNew] = tables_.try_emplace(operand.symbol);
    if (isNew) known->second = emit(operand.type, operand.range, hir::Constant{operand.value()});
    return known->second;
}

ExprId Checker::leaf(Operand& operand) {
    SiteNeeds needs;
    if (operand.unsized) needs.use = SiteUse::Width;
    return use(operand, std::move(needs));
}

std::uint32_t Checker::column(const Operand& operand, TypeId type, const SiteNeeds& needs) {
    auto fresh = [&] {
        columns_.push_back({type, core_.text(operand.range), operand.range});
        return static_cast<std::uint32_t>(columns_.size() - 1);
    };
    std::uint32_t number = 0;
    if (operand.symbol) {
        auto [at, isNew] =
            columnOf_.try_emplace(operand.symbol->name + "#" + std::to_string(type.index));
        if (isNew) at->second = fresh();
        number = at->second;
    } else {
        number = fresh();
    }
    ConstantSite site;
    site.expr = {scope_->module(), operand.source};
    site.use = needs.use;
    site.representative = operand.value();
    site.fits = needs.fits;
    site.nonZero = needs.nonZero;
    site.nonNegative = needs.nonNegative;
    site.below = needs.below;
    site.constant = number;
    site.type = operand.type;
    site.unsized = operand.unsized;
    site.narrowing = needs.narrowing;
    site.distinctFrom = needs.distinctFrom;
    sites_.push_back(std::move(site));
    return number;
}

void Checker::upgradeSites(std::size_t begin) {
    std::size_t from = begin;
    if (begin >= upgradedFrom_ && begin < upgradedTo_) from = upgradedTo_;
    for (std::size_t i = from; i < sites_.size(); ++i)
        if (sites_[i].unsized || sites_[i].narrowing) sites_[i].use = SiteUse::Value;
    if (from == begin) upgradedFrom_ = begin;
    upgradedTo_ = sites_.size();
}

Operand Checker::fail(Failure failure, SourceRange range, const Operand& substitute) {
    if (unevaluated_ > 0) return substitute;
    core_.reportFailure(failure, range, {});
    return {};
}

std::uint32_t Checker::widthOf(TypeId type) const {
    const hir::IntType* integer = core_.types().as<hir::IntType>(type);
    return integer ? integer->width : 1;
}

}  // namespace smec::sema
