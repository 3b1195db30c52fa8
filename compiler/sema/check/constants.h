#pragma once

#include "sema/check/conversions.h"

namespace smec::sema {

class Expressions;

/// Expressions that must be constant.
class Constants {
public:
    Constants(const CheckContext& in, Expressions& expressions, Conversions& conversions)
        : reporter_(in.core.reporter),
          types_(in.core.types()),
          module_(in.module),
          uses_(in.uses),
          nesting_(in.nesting),
          expressions_(expressions),
          conversions_(conversions) {}

    Operand constant(ast::ExprId expr, std::string_view what);
    /// Converted to the destination's type; nothing after an error.
    std::optional<hir::Value> constantFor(ast::ExprId expr, const Destination& destination,
                                          Operand* checked = nullptr);
    std::optional<hir::Integer> integer(ast::ExprId expr, std::string_view what);
    std::optional<std::uint64_t> size(ast::ExprId expr, std::string_view what);

private:
    Reporter& reporter_;
    hir::TypeTable& types_;
    const ast::Module& module_;
    ConstantUses& uses_;
    Nesting& nesting_;
    Expressions& expressions_;
    Conversions& conversions_;
};

}  // namespace smec::sema
