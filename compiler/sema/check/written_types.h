#pragma once

#include "sema/check/context.h"

namespace smec::sema {

class Constants;
class Expressions;
class Names;

/// Types as they are written in declarations and casts.
class WrittenTypes {
public:
    WrittenTypes(const CheckContext& in, Names& names, Expressions& expressions,
                 Constants& constants)
        : reporter_(in.core.reporter),
          types_(in.core.types()),
          typeSymbols_(in.core.typeSymbols),
          limits_(in.core.limits),
          scope_(in.scope),
          module_(in.module),
          uses_(in.uses),
          names_(names),
          expressions_(expressions),
          constants_(constants) {}

    hir::TypeId resolve(const ast::TypeExpr& type);

private:
    hir::TypeId writtenType(const ast::TypeExpr& type);
    hir::TypeId namedType(const ast::NamedType& node, SourceRange range);
    hir::TypeId sizedType(const ast::SizedType& node, SourceRange range);
    hir::TypeId arrayType(const ast::ArrayType& node, SourceRange range);
    hir::TypeId typeOf(const ast::TypeOf& node);
    hir::TypeId rangedType(hir::TypeId base, const ast::RangeBound& bound, SourceRange range);

    Reporter& reporter_;
    hir::TypeTable& types_;
    TypeSymbols& typeSymbols_;
    const Limits& limits_;
    const Scope& scope_;
    const ast::Module& module_;
    ConstantUses& uses_;
    Names& names_;
    Expressions& expressions_;
    Constants& constants_;
};

}  // namespace smec::sema
