#include "sema/check/constant_uses.h"

#include <algorithm>

namespace smec::sema {

using hir::TypeId;

void ConstantUses::enclose(Operand& constant, ast::ExprId source, std::uint32_t begin) const {
    if (!constant.isConstant()) return;
    constant.source = source;
    constant.touchedBegin = begin;
    constant.touchedEnd = mark();
}

void ConstantUses::dependOn(const Operand& operand) {
    if (operand.siteSafe && mode_ != CheckMode::Function && operand.source.valid()) {
        dependencies_.push_back({scope_.module(), operand.source});
        return;
    }
    dependencies_.insert(dependencies_.end(), touched_.begin() + operand.touchedBegin,
                         touched_.begin() + operand.touchedEnd);
}

void ConstantUses::dependOn(const TypeSymbol& type) {
    dependencies_.insert(dependencies_.end(), type.dependencies.begin(), type.dependencies.end());
}

void ConstantUses::dependOnTouched() {
    dependencies_.insert(dependencies_.end(), touched_.begin(), touched_.end());
    auto less = [](const ExprRef& a, const ExprRef& b) { return a.expr.index < b.expr.index; };
    auto same = [](const ExprRef& a, const ExprRef& b) { return a.expr == b.expr; };
    std::sort(dependencies_.begin(), dependencies_.end(), less);
    dependencies_.erase(std::unique(dependencies_.begin(), dependencies_.end(), same),
                        dependencies_.end());
}

std::uint32_t ConstantUses::addColumn(const Operand& operand, TypeId type) {
    columns_.push_back({type, reporter_.text(operand.range), operand.range});
    return static_cast<std::uint32_t>(columns_.size() - 1);
}

std::uint32_t ConstantUses::column(const Operand& operand, TypeId type, const SiteNeeds& needs) {
    std::uint32_t number = 0;
    if (operand.symbol) {
        auto [at, isNew] =
            columnOf_.try_emplace(operand.symbol->name + "#" + std::to_string(type.index));
        if (isNew) at->second = addColumn(operand, type);
        number = at->second;
    } else {
        number = addColumn(operand, type);
    }
    ConstantSite site;
    site.expr = {scope_.module(), operand.source};
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

void ConstantUses::upgradeSites(std::size_t begin) {
    std::size_t from = begin;
    if (begin >= upgradedFrom_ && begin < upgradedTo_) from = upgradedTo_;
    for (std::size_t i = from; i < sites_.size(); ++i)
        if (sites_[i].unsized || sites_[i].narrowing) sites_[i].use = SiteUse::Value;
    if (from == begin) upgradedFrom_ = begin;
    upgradedTo_ = sites_.size();
}

const hir::Value* ConstantUses::representative(std::uint32_t column) const {
    const auto site = std::find_if(sites_.begin(), sites_.end(),
                                   [&](const ConstantSite& one) { return one.constant == column; });
    return site == sites_.end() ? nullptr : &site->representative;
}

void ConstantUses::fix(std::uint32_t column) {
    for (ConstantSite& site : sites_)
        if (site.constant == column) site.use = SiteUse::Value;
}

}  // namespace smec::sema
