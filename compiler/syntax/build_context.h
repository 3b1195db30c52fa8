#pragma once

#include <string_view>
#include <vector>

#include "ast/ast.h"
#include "diag/diagnostics.h"
#include "syntax/token_window.h"

#include <SmeParser.h>

namespace smec::syntax {

/// What the builders of syntax trees read, and where they write. `tokens` are those of ANTLR's
/// contexts.
struct BuildContext {
    using P = grammar::SmeParser;
    using Token = antlr4::Token;

    std::string_view text;  ///< of the file
    const TokenWindow& tokens;
    ast::Module& module;
    Diagnostics& diagnostics;

    SourceRange rangeOf(const Token* token) const;
    SourceRange rangeOf(const antlr4::ParserRuleContext& context) const;
    SourceRange rangeOf(const Token* first, const Token* last) const;
    const Token* next(const Token* token) const { return tokens.get(token->getTokenIndex() + 1); }
    std::string_view textOf(const Token* token) const;
    std::string_view textOf(SourceRange range) const {
        return text.substr(range.begin, range.end - range.begin);
    }
    ast::Identifier identifier(P::IdentifierContext& context) const;
    /// A name that is declared here: reserved ones are reported.
    ast::Identifier declared(P::IdentifierContext& context, bool mayBeAnonymous = false) const;
    std::vector<ast::Identifier> path(P::QualifiedNameContext& context) const;
    /// Sets what a word stands for; reports a word that was there before.
    void setOnce(bool& flag, const Token* word) const;
    ast::ExprId add(SourceRange range, decltype(ast::Expr::node) node) const;
};

}  // namespace smec::syntax
