#pragma once

#include "lower/body/context.h"

namespace smec::lower {

class Calls;
class Parts;
class SourceTexts;

/// Scalars become pure expressions. Whatever may fail or call stands as statements in front.
class Scalars {
public:
    Scalars(const BodyContext& in, Parts& parts, SourceTexts& sourceTexts, Calls& calls)
        : context_(in.context),
          shape_(in.shape),
          source_(in.source),
          body_(in.body),
          builder_(in.builder),
          writer_(in.writer),
          variables_(in.variables),
          numbers_(in.numbers),
          parts_(parts),
          sourceTexts_(sourceTexts),
          calls_(calls) {}

    ir::ExprId scalar(hir::ExprId id);

private:
    ir::ExprId lower(const hir::Constant& node, const hir::Expr& expr);
    ir::ExprId lower(const hir::BitSelect& node, const hir::Expr& expr);
    ir::ExprId lower(const hir::SliceSelect& node, const hir::Expr& expr);
    ir::ExprId lower(const hir::IndexedSliceSelect& node, const hir::Expr& expr);
    ir::ExprId lower(const hir::UnaryExpr& node, const hir::Expr& expr);
    ir::ExprId lower(const hir::BinaryExpr& node, const hir::Expr& expr);
    ir::ExprId lower(const hir::ConditionalExpr& node, const hir::Expr& expr);
    ir::ExprId lower(const hir::CastExpr& node, const hir::Expr& expr);
    ir::ExprId lower(const hir::CallExpr& node, const hir::Expr& expr);
    ir::ExprId lower(const hir::BuiltinExpr& node, const hir::Expr& expr);
    ir::ExprId castToEnum(ir::ExprId value, hir::TypeId to, SourceRange range);
    ir::ExprId castToInt(ir::ExprId value, hir::TypeId to, SourceRange range);
    ir::ExprId logical(bool isAnd, ir::ExprId left, hir::ExprId right, SourceRange range);
    ir::ExprId apply(const hir::BinaryExpr& node, const hir::Expr& expr, ir::ExprId left);
    ir::ExprId integerOperator(hir::BinaryOp op, ir::ExprId left, ir::ExprId right,
                               SourceRange range);
    ir::ExprId floatOperator(hir::BinaryOp op, ir::ExprId left, ir::ExprId right,
                             SourceRange range);
    ir::ExprId divide(hir::BinaryOp op, ir::ExprId left, ir::ExprId right, SourceRange range);
    ir::ExprId shift(hir::BinaryOp op, ir::ExprId left, ir::ExprId right, SourceRange range);
    ir::ExprId compare(hir::BinaryOp op, ir::ExprId left, ir::ExprId right);
    ir::ExprId pattern(hir::ExprId id,
                       std::uint32_t& width);  ///< unsigned, at the width of the operand type
    ir::ExprId extreme(bool isMin, ir::ExprId best, ir::ExprId other);
    ir::ExprId concatenate(const hir::BuiltinExpr& node);
    ir::ExprId random(SourceRange range);
    ir::ExprId repeatByDoubling(ir::ExprId bits, std::uint32_t width, std::uint64_t count);

    Context& context_;
    const ClassShape& shape_;
    const hir::Body& source_;
    ir::Body& body_;
    ir::Builder& builder_;
    Writer& writer_;
    Variables& variables_;
    Numbers& numbers_;
    Parts& parts_;
    SourceTexts& sourceTexts_;
    Calls& calls_;
};

}  // namespace smec::lower
