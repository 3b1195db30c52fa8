#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ast/ast.h"
#include "diag/diagnostics.h"
#include "syntax/token_window.h"

#include <SmeParser.h>

namespace smec::syntax {

/// Where a declaration stands; decides what it may be.
enum class Place : std::uint8_t { Module, Network, Process, GenerateInNetwork, GenerateInProcess };

/// Makes syntax trees from ANTLR's contexts. Reports what the grammar lets pass but the language
/// does not: reserved names, misplaced declarations, literals out of range, expressions that nest
/// too deep.
class Builder {
public:
    /// `tokens` are those of the contexts.
    Builder(const SourceManager& sources, const TokenWindow& tokens, ast::Module& module,
            Diagnostics& diagnostics)
        : text_(sources.text(module.file)),
          tokens_(tokens),
          module_(module),
          diagnostics_(diagnostics) {}

    using P = grammar::SmeParser;

    /// Any item but a process or network, which come in pieces. Nothing where it does not belong
    /// into a module.
    std::optional<ast::Decl> item(P::ModuleItemContext& context);
    ast::ProcDecl processHead(P::ProcessHeadContext& context);
    ast::NetworkDecl networkHead(P::NetworkHeadContext& context);
    /// Nothing where it does not belong into `place`.
    std::optional<ast::Decl> declaration(P::DeclarationContext& context, Place place);
    ast::Stmt statement(P::StatementContext& context);

private:
    using Token = antlr4::Token;

    // ranges and names (build_declarations.cpp)
    SourceRange rangeOf(const Token* token) const;
    SourceRange rangeOf(const antlr4::ParserRuleContext& context) const;
    SourceRange rangeOf(const Token* first, const Token* last) const;
    const Token* next(const Token* token) const { return tokens_.get(token->getTokenIndex() + 1); }
    std::string_view textOf(const Token* token) const;
    std::string_view textOf(SourceRange range) const {
        return text_.substr(range.begin, range.end - range.begin);
    }
    ast::Identifier identifier(P::IdentifierContext& context) const;
    /// A name that is declared here: reserved ones are reported.
    ast::Identifier declared(P::IdentifierContext& context, bool mayBeAnonymous = false);
    std::vector<ast::Identifier> path(P::QualifiedNameContext& context) const;

    // build_expressions.cpp
    ast::ExprId add(SourceRange range, decltype(ast::Expr::node) node);
    ast::ExprId expression(P::ExpressionContext& context);
    ast::ExprId optionalExpression(P::ExpressionContext* context);
    std::vector<ast::ExprId> expressions(const std::vector<P::ExpressionContext*>& contexts);
    ast::ExprId operand(P::OperandContext& context);
    ast::ExprId primary(P::PrimaryContext& context);
    ast::ExprId prefixed(P::OperandContext& context, ast::ExprId inner);
    ast::ExprId suffixed(P::SuffixContext& context, ast::ExprId base);
    template <typename Context>  // SuffixContext or AccessorContext
    ast::ExprId accessed(Context& context, ast::ExprId base);
    ast::ExprId literal(const Token* token);
    ast::ExprId integerLiteral(const Token* token);
    ast::ExprId floatLiteral(const Token* token);
    ast::ExprId characterLiteral(const Token* token);
    ast::ExprId stringLiteral(const Token* token);
    std::string stringValue(const Token* token);
    void reportEscape(const Token* token, std::size_t offset, std::string_view where,
                      std::string_view known);
    ast::ExprId reduce(ast::ExprId left, const Token* op, ast::ExprId right);
    void reduceWhile(std::size_t opsBase, int precedence);
    void warnAboutPower(ast::ExprId left, ast::ExprId right);
    ast::ExprId nameOf(P::QualifiedNameContext& context);
    std::vector<ast::Argument> arguments(const std::vector<P::ArgumentContext*>& contexts);
    bool deeper(std::size_t levels, SourceRange range);

    // build_types.cpp
    ast::TypeExpr type(P::TypeExpressionContext& context);
    ast::TypeExpr innermostType(P::TypeExpressionContext& context);
    ast::TypeExpr boundedType(P::BoundedTypeContext& context);
    ast::TypeExpr boundedType(P::TypeExpressionContext& context,
                              const std::vector<P::RangeBoundContext*>& bounds);
    ast::RangeBound rangeBound(P::RangeBoundContext& context);
    std::optional<ast::TypeExpr> optionalType(P::TypeExpressionContext* context);
    std::optional<ast::TypeExpr> optionalType(P::BoundedTypeContext* context);
    std::vector<ast::FieldDecl> fields(const std::vector<P::FieldContext*>& contexts,
                                       bool ofStruct);
    ast::FieldDecl field(P::FieldContext& context, bool ofStruct);
    ast::EnumDecl enumDecl(P::EnumDeclarationContext& context);
    ast::TypeDecl typeDecl(P::TypeDeclarationContext& context);

    // build_declarations.cpp
    ast::Import import(P::ImportDeclarationContext& context);
    ast::Decl externDecl(P::ExternDeclarationContext& context);
    std::vector<ast::Decl> declarations(const std::vector<P::DeclarationContext*>& contexts,
                                        Place place);
    bool belongs(P::DeclarationContext& context, Place place);
    ast::ConstDecl constant(P::ConstDeclarationContext& context);
    ast::VarDecl variable(P::VariableDeclarationContext& context);
    ast::FuncDecl function(P::FunctionDeclarationContext& context);
    std::vector<ast::FuncParam>
    functionParams(const std::vector<P::FunctionParameterContext*>& contexts);
    std::vector<ast::Param> params(const std::vector<P::ParameterContext*>& contexts);
    ast::BusDecl bus(P::BusDeclarationContext& context);
    void apply(P::BusModifierContext& context, ast::BusDecl& bus);
    void setOnce(bool& flag, const Token* word);
    ast::InstanceDecl instance(P::InstanceDeclarationContext& context);
    ast::Decl generate(P::GenerateDeclarationContext& context, Place place);

    // build_statements.cpp
    ast::Block block(P::BlockContext& context);
    ast::Stmt variableStatement(P::VariableDeclarationContext& context);
    decltype(ast::Stmt::node) statementNode(P::StatementContext& context);
    decltype(ast::Stmt::node) simpleStatement(std::size_t word);
    ast::Assign assignment(P::AssignmentStatementContext& context);
    void warnAboutSign(const Token* op, const Token* sign);
    ast::If ifStatement(P::IfStatementContext& context);
    ast::For forStatement(P::ForStatementContext& context);
    ast::Switch switchStatement(P::SwitchStatementContext& context);
    ast::Assert assertStatement(P::AssertStatementContext& context);
    bool isString(ast::ExprId id) const;

    std::string_view text_;
    const TokenWindow& tokens_;
    ast::Module& module_;
    Diagnostics& diagnostics_;
    std::size_t depth_ = 0;  // of the expression being built, in operators and brackets
    std::vector<ast::ExprId>
        values_;  // operands and operators not yet combined, of all expressions under way
    std::vector<const Token*> operators_;
};

}  // namespace smec::syntax
