#pragma once

#include <optional>

#include "syntax/build_expressions.h"

namespace smec::syntax {

/// Makes types as they are written, and their declarations.
class TypeBuilder {
public:
    using P = grammar::SmeParser;

    TypeBuilder(const BuildContext& in, ExpressionBuilder& expressions)
        : in_(in), expressions_(expressions) {}

    ast::TypeExpr bounded(P::BoundedTypeContext& context);
    /// The type of a variable or field, with the range that stands in one of its two places.
    ast::TypeExpr bounded(P::TypeExpressionContext& context,
                          const std::vector<P::RangeBoundContext*>& bounds);
    std::optional<ast::TypeExpr> optional(P::TypeExpressionContext* context);
    std::optional<ast::TypeExpr> optional(P::BoundedTypeContext* context);
    std::vector<ast::FieldDecl> fields(const std::vector<P::FieldContext*>& contexts,
                                       bool ofStruct);
    ast::EnumDecl enumDecl(P::EnumDeclarationContext& context);
    ast::TypeDecl typeDecl(P::TypeDeclarationContext& context);

private:
    using Token = antlr4::Token;

    ast::TypeExpr type(P::TypeExpressionContext& context);
    ast::TypeExpr innermostType(P::TypeExpressionContext& context);
    ast::RangeBound rangeBound(P::RangeBoundContext& context);
    ast::FieldDecl field(P::FieldContext& context, bool ofStruct);

    const BuildContext& in_;
    ExpressionBuilder& expressions_;
};

}  // namespace smec::syntax
