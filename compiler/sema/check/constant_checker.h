#pragma once

#include "sema/check/parts.h"

namespace smec::sema {

/// Checks constant expressions and types in one scope.
class ConstantChecker {
public:
    ConstantChecker(Core& core, const Scope& scope);

    Operand constant(ast::ExprId expr, std::string_view what);
    /// Converted to the destination's type; nothing after an error.
    std::optional<hir::Value> constantFor(ast::ExprId expr, const Destination& destination);
    std::optional<hir::Integer> integer(ast::ExprId expr, std::string_view what);
    std::optional<std::uint64_t> size(ast::ExprId expr, std::string_view what);
    hir::TypeId resolveType(const ast::TypeExpr& type);
    void dependOn(const TypeSymbol& type);

    /// Constants of the instance whose values shaped what was checked (types, sizes …), in the
    /// checker's scope.
    const std::vector<ExprRef>& dependencies() const { return state_.uses.dependencies(); }
    bool dependsOnInstance() const { return state_.uses.isPerInstance(); }
    /// A bus outside of the scope was looked at.
    bool usesPaths() const { return !state_.ports.all().empty(); }

private:
    CheckState state_;
    ExpressionParts parts_;
};

}  // namespace smec::sema
