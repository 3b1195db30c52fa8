#pragma once

#include "syntax/build_context.h"

namespace smec::syntax {

/// Makes expressions, and reports those that nest too deep.
class ExpressionBuilder {
public:
    using P = grammar::SmeParser;

    explicit ExpressionBuilder(const BuildContext& in) : in_(in) {}

    ast::ExprId expression(P::ExpressionContext& context);
    /// Invalid where there is none.
    ast::ExprId optional(P::ExpressionContext* context);
    std::vector<ast::ExprId> list(const std::vector<P::ExpressionContext*>& contexts);
    /// What an assignment writes to.
    ast::ExprId target(P::AssignmentStatementContext& context);
    ast::ExprId nameOf(P::QualifiedNameContext& context);
    std::vector<ast::Argument> arguments(const std::vector<P::ArgumentContext*>& contexts);
    /// False, with an error, where `levels` more would nest too deep.
    bool mayNest(std::size_t levels, SourceRange range);

private:
    using Token = antlr4::Token;

    ast::ExprId operand(P::OperandContext& context);
    ast::ExprId primary(P::PrimaryContext& context);
    ast::ExprId prefixed(P::OperandContext& context, ast::ExprId inner);
    ast::ExprId suffixed(P::SuffixContext& context, ast::ExprId base);
    template <typename Context>  // SuffixContext or AccessorContext
    ast::ExprId accessed(Context& context, ast::ExprId base);
    ast::ExprId reduce(ast::ExprId left, const Token* op, ast::ExprId right);
    void reduceWhile(std::size_t opsBase, int precedence);
    ast::ExprId chosen(std::vector<ast::Conditional>& open, ast::ExprId last);
    void warnAboutPower(ast::ExprId left, ast::ExprId right);

    const BuildContext& in_;
    std::size_t depth_ = 0;  ///< of the expression being built, in operators and brackets
    std::vector<ast::ExprId>
        values_;  ///< operands and operators not yet combined, of all expressions under way
    std::vector<const Token*> operators_;
};

}  // namespace smec::syntax
