#pragma once

#include <unordered_map>
#include <utility>

#include "sema/core.h"
#include "sema/operand.h"

namespace smec::sema {

/// What is checked: it decides what names may mean.
enum class CheckMode : std::uint8_t { Constant, Function, Process };

/// The constants that a body uses, for those who ask later whether another instance can share it.
/// A constant that depends on the instance becomes a column of the specialisation, with a note of
/// what the check relied on (a site); where its value shaped something it is a dependency: it is
/// folded and must be equal in every instance that shares.
class ConstantUses {
public:
    ConstantUses(Core& core, const Scope& scope, CheckMode mode)
        : reporter_(core.reporter), scope_(scope), mode_(mode) {}

    // ---- names
    /// A named constant was used, of which `ref` depends on the instance.
    void touch(ExprRef ref) { touched_.push_back(ref); }
    /// Where the uses inside an expression begin that is about to be checked.
    std::uint32_t mark() const { return static_cast<std::uint32_t>(touched_.size()); }
    /// What a constant was found from: the expression, and the uses since `begin`.
    void enclose(Operand& constant, ast::ExprId source, std::uint32_t begin) const;
    /// Named constants configure a design, so that what they decide is no mistake: warnings compare
    /// their number before and after.
    void countNamed() { ++named_; }
    std::size_t named() const { return named_; }

    // ---- dependencies
    void dependOn(const Operand& operand);
    void dependOn(const TypeSymbol& type);
    void dependOn(ExprRef ref) { dependencies_.push_back(ref); }
    /// On every constant of the instance that was touched; each comes once, in source order.
    void dependOnTouched();
    const std::vector<ExprRef>& dependencies() const { return dependencies_; }
    bool isPerInstance() const { return !touched_.empty() || !dependencies_.empty(); }

    // ---- sites
    std::uint32_t column(const Operand& operand, hir::TypeId type, const SiteNeeds& needs);
    std::size_t siteCount() const { return sites_.size(); }
    /// A type was narrowed by what the sites from `begin` on are: their values count from now on.
    void upgradeSites(std::size_t begin);
    /// The value of a column in the instance that is checked; null before its first use.
    const hir::Value* representative(std::uint32_t column) const;
    /// The value of the column shaped something.
    void fix(std::uint32_t column);

    // ---- at the end
    std::vector<ConstantSite> takeSites() { return std::move(sites_); }
    std::vector<hir::SpecConstant> takeColumns() { return std::move(columns_); }
    std::vector<ExprRef> takeDependencies() { return std::exchange(dependencies_, {}); }

private:
    std::uint32_t addColumn(const Operand& operand, hir::TypeId type);

    Reporter& reporter_;
    const Scope& scope_;
    const CheckMode mode_;
    std::size_t named_ = 0;
    std::vector<ExprRef> touched_;  ///< uses of the instance's constants
    std::vector<ExprRef> dependencies_;
    std::vector<ConstantSite> sites_;
    std::vector<hir::SpecConstant> columns_;
    std::unordered_map<std::string, std::uint32_t> columnOf_;
    std::size_t upgradedFrom_ = 0, upgradedTo_ = 0;
};

}  // namespace smec::sema
