#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "sema/context.h"

namespace smec::sema {

struct Core;
class ConstantChecker;

/// The fields of buses: of types, of declarations, and as interned shapes.
class BusTypes {
public:
    explicit BusTypes(Core& core) : core_(core) {}

    std::optional<ResolvedBus> resolve(const ast::TypeExpr& type, const Scope& scope);
    std::optional<ResolvedBus> resolve(const ast::BusDecl& bus, const Scope& scope);
    std::optional<hir::BusShape> shapeOf(const std::vector<ast::FieldDecl>& fields,
                                         ConstantChecker& checker,
                                         std::vector<hir::Value>& defaults);
    hir::ShapeId intern(hir::BusShape shape);
    const std::vector<hir::FieldShape>& fieldsOf(hir::ShapeId shape) const;

private:
    std::optional<ResolvedBus> applyWords(const ast::BusDecl& bus, const Scope& scope,
                                          ConstantChecker& checker, hir::BusShape shape,
                                          std::vector<hir::Value> defaults);

    Core& core_;
    std::unordered_map<const ast::BusDecl*, ResolvedBus> known_;  ///< the same in every instance
    std::unordered_map<std::string, hir::ShapeId> shapes_;
};

}  // namespace smec::sema
