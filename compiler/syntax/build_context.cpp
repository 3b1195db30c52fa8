#include "syntax/build_context.h"

#include "syntax/names.h"
#include "syntax/text.h"

namespace smec::syntax {

SourceRange BuildContext::rangeOf(const Token* token) const { return rangeOf(token, token); }

SourceRange BuildContext::rangeOf(const antlr4::ParserRuleContext& context) const {
    return rangeOf(context.start, context.stop);
}

SourceRange BuildContext::rangeOf(const Token* first, const Token* last) const {
    return {module.file, static_cast<const SmeToken*>(first)->begin(),
            static_cast<const SmeToken*>(last)->end()};
}

std::string_view BuildContext::textOf(const Token* token) const {
    const auto* t = static_cast<const SmeToken*>(token);
    return text.substr(t->begin(), t->end() - t->begin());
}

ast::Identifier BuildContext::identifier(P::IdentifierContext& context) const {
    return {std::string(textOf(context.start)), rangeOf(context.start)};
}

ast::Identifier BuildContext::declared(P::IdentifierContext& context, bool mayBeAnonymous) const {
    ast::Identifier name = identifier(context);
    if (name.text == "_" && mayBeAnonymous) return name;
    if (std::string_view reason = whyReserved(name.text); !reason.empty())
        diagnostics.report(DiagId::ReservedName, name.range, clip(name.text), reason);
    return name;
}

std::vector<ast::Identifier> BuildContext::path(P::QualifiedNameContext& context) const {
    std::vector<ast::Identifier> out;
    out.reserve(context.parts.size());
    for (P::IdentifierContext* part : context.parts)
        out.push_back(identifier(*part));
    return out;
}

void BuildContext::setOnce(bool& flag, const Token* word) const {
    if (flag) diagnostics.report(DiagId::GivenTwice, rangeOf(word), textOf(word));
    flag = true;
}

ast::ExprId BuildContext::add(SourceRange range, decltype(ast::Expr::node) node) const {
    module.exprs.push_back({range, std::move(node)});
    return {static_cast<std::uint32_t>(module.exprs.size() - 1)};
}

}  // namespace smec::syntax
