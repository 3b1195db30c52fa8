#pragma once

#include "syntax/build_types.h"

namespace smec::syntax {

/// Makes statements, and variables, which stand among them.
class StatementBuilder {
public:
    using P = grammar::SmeParser;

    StatementBuilder(const BuildContext& in, ExpressionBuilder& expressions, TypeBuilder& types)
        : in_(in), expressions_(expressions), types_(types) {}

    ast::Stmt statement(P::StatementContext& context);
    ast::Block block(P::BlockContext& context);
    ast::Stmt variableStatement(P::VariableDeclarationContext& context);
    ast::VarDecl variable(P::VariableDeclarationContext& context);

private:
    using Token = antlr4::Token;

    decltype(ast::Stmt::node) statementNode(P::StatementContext& context);
    decltype(ast::Stmt::node) simpleStatement(std::size_t word);
    ast::Assign assignment(P::AssignmentStatementContext& context);
    void warnAboutSign(const Token* op, const Token* sign);
    ast::If ifStatement(P::IfStatementContext& context);
    ast::For forStatement(P::ForStatementContext& context);
    ast::Switch switchStatement(P::SwitchStatementContext& context);
    ast::Assert assertStatement(P::AssertStatementContext& context);
    bool isString(ast::ExprId id) const;

    const BuildContext& in_;
    ExpressionBuilder& expressions_;
    TypeBuilder& types_;
};

}  // namespace smec::syntax
