#include "sema/check/constant_checker.h"

namespace smec::sema {

ConstantChecker::ConstantChecker(Core& core, const Scope& scope)
    : state_(core, scope, CheckMode::Constant, nullptr, scope.paths()), parts_(state_.context) {}

Operand ConstantChecker::constant(ast::ExprId expr, std::string_view what) {
    return parts_.constants.constant(expr, what);
}

std::optional<hir::Value> ConstantChecker::constantFor(ast::ExprId expr,
                                                       const Destination& destination) {
    return parts_.constants.constantFor(expr, destination);
}

std::optional<hir::Integer> ConstantChecker::integer(ast::ExprId expr, std::string_view what) {
    return parts_.constants.integer(expr, what);
}

std::optional<std::uint64_t> ConstantChecker::size(ast::ExprId expr, std::string_view what) {
    return parts_.constants.size(expr, what);
}

hir::TypeId ConstantChecker::resolveType(const ast::TypeExpr& type) {
    return parts_.writtenTypes.resolve(type);
}

void ConstantChecker::dependOn(const TypeSymbol& type) { state_.uses.dependOn(type); }

}  // namespace smec::sema
