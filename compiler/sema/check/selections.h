#pragma once

#include "sema/check/indices.h"

namespace smec::sema {

class BusPaths;
class Buses;
class Expressions;
class Names;

/// Members, elements, bits and slices of what is read.
class Selections {
public:
    Selections(const CheckContext& in, Names& names, Indices& indices, Buses& buses,
               BusPaths& busPaths, Expressions& expressions)
        : reporter_(in.core.reporter),
          types_(in.core.types()),
          build_(in.build),
          names_(names),
          indices_(indices),
          buses_(buses),
          busPaths_(busPaths),
          expressions_(expressions) {}

    Operand member(ast::ExprId id, const ast::Member& node, SourceRange range);
    Operand memberOf(Operand base, const ast::Identifier& name, SourceRange range);
    Operand index(ast::ExprId id, const ast::Index& node, SourceRange range);
    Operand indexOf(Operand base, ast::ExprId index, SourceRange range);
    Operand slice(const ast::Slice& node, SourceRange range);
    Operand slice(const ast::IndexedSlice& node, SourceRange range);

private:
    Operand elementOf(Operand base, ast::ExprId index, SourceRange range);
    Operand bitOfInteger(Operand base, ast::ExprId index, SourceRange range);
    bool isSliceable(const Operand& base, SourceRange range);
    Operand sliceOfInteger(const Operand& base, const BitRange& bits, SourceRange range);

    Reporter& reporter_;
    hir::TypeTable& types_;
    BodyBuilder& build_;
    Names& names_;
    Indices& indices_;
    Buses& buses_;
    BusPaths& busPaths_;
    Expressions& expressions_;
};

}  // namespace smec::sema
