#pragma once

#include <unordered_map>
#include <unordered_set>

#include "sema/check/constant_uses.h"

namespace smec::sema {

/// The body that is made, and the operands that its expressions are. Constants stay values until
/// `use` puts them into the body.
class BodyBuilder {
public:
    BodyBuilder(Core& core, ConstantUses& uses, CheckMode mode)
        : reporter_(core.reporter), types_(core.types()), uses_(uses), mode_(mode) {}

    hir::Body& body() { return body_; }
    const hir::Body& body() const { return body_; }
    hir::ExprId emit(hir::TypeId type, SourceRange range, decltype(hir::Expr::node) node);
    hir::VarId addVariable(hir::Variable variable);
    /// Takes back the expressions from the given number on.
    void dropExprs(std::size_t begin);

    // ---- operands
    Operand valueOperand(hir::ExprId id, hir::TypeId type, SourceRange range);
    Operand integerValue(hir::ExprId id, hir::TypeId type, SourceRange range, Interval interval,
                         bool wide);
    Operand constantOperand(hir::Value value, hir::TypeId type, SourceRange range);
    Operand unsizedConstant(hir::Integer value, SourceRange range);
    hir::ExprId use(Operand& operand, SiteNeeds needs = {});
    /// An operand of an operator: it counts by its width when unsized.
    hir::ExprId leaf(Operand& operand);

    // ---- intermediates that are too wide (demand.cpp)
    static constexpr std::uint64_t kAllBits = UINT64_MAX;
    /// Tells apart what needs more than kMaxBits bits when `bits` of the value are wanted
    /// (kAllBits: all).
    bool demand(const Operand& operand, std::uint64_t bits);

private:
    bool demand(hir::ExprId id, std::uint64_t bits);
    bool reportTooWide(hir::ExprId id);
    hir::ExprId culpritOf(hir::ExprId id) const;
    hir::ExprId culpritOf(const hir::BinaryExpr& node) const;

    Reporter& reporter_;
    hir::TypeTable& types_;
    ConstantUses& uses_;
    const CheckMode mode_;
    hir::Body body_;
    std::unordered_map<const Symbol*, hir::ExprId>
        tables_;                              ///< constant arrays already in the body
    std::unordered_set<std::uint32_t> wide_;  ///< expressions whose interval is unbounded
};

inline constexpr std::uint64_t kAllBits = BodyBuilder::kAllBits;

}  // namespace smec::sema
