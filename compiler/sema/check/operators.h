#pragma once

#include "sema/check/context.h"

namespace smec::sema {

class Expressions;
class Judgements;

/// Operators of expressions.
class Operators {
public:
    Operators(const CheckContext& in, Expressions& expressions, Judgements& judgements)
        : reporter_(in.core.reporter),
          types_(in.core.types()),
          module_(in.module),
          uses_(in.uses),
          build_(in.build),
          nesting_(in.nesting),
          expressions_(expressions),
          judgements_(judgements) {}

    Operand unary(ast::UnaryOp op, Operand operand, SourceRange range);
    Operand conditional(const ast::Conditional& node, SourceRange range);
    Operand binarySpine(ast::ExprId id);
    Operand binary(ast::BinaryOp op, SourceRange opRange, Operand left, Operand right,
                   SourceRange range, std::size_t siteBegin);

private:
    /// One side of an operator; constant failures are no errors in what is not evaluated.
    Operand checkSide(ast::ExprId id, bool isUnevaluated);
    Operand test(ast::ExprId id);
    Operand unaryInteger(ast::UnaryOp op, Operand operand, SourceRange range);
    hir::TypeId narrow(hir::BinaryOp op, hir::TypeId cap, const Operand& left, const Operand& right,
                       std::size_t siteBegin, SiteNeeds& needs);
    Operand arithmetic(hir::BinaryOp op, Operand left, Operand right, SourceRange range,
                       std::size_t siteBegin);
    Operand foldIntegers(hir::BinaryOp op, const Operand& left, const Operand& right,
                         hir::TypeId type, bool unsized, SourceRange range);
    Operand shift(hir::BinaryOp op, Operand left, Operand right, SourceRange range,
                  std::size_t siteBegin);
    std::string equalityHint(hir::BinaryOp op, const Operand& left, const Operand& right,
                             std::string otherwise);
    Operand comparison(hir::BinaryOp op, SourceRange opRange, Operand left, Operand right,
                       SourceRange range);
    Operand logical(hir::BinaryOp op, SourceRange opRange, Operand left, Operand right,
                    SourceRange range);
    Operand floats(hir::BinaryOp op, Operand left, Operand right, SourceRange range);
    void adaptPatterns(hir::BinaryOp op, Operand& left, Operand& right);
    bool adaptFloats(Operand& left, Operand& right);
    void adaptUndefined(Operand& left, Operand& right);
    void warnMixed(const ast::Binary& node);
    bool isTypeArgument(const ast::Binary& node) const;
    Operand fail(Failure failure, SourceRange range, const Operand& substitute);

    Reporter& reporter_;
    hir::TypeTable& types_;
    const ast::Module& module_;
    ConstantUses& uses_;
    BodyBuilder& build_;
    Nesting& nesting_;
    Expressions& expressions_;
    Judgements& judgements_;
};

}  // namespace smec::sema
