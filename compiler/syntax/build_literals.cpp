#include "syntax/build_literals.h"

#include "source/utf8.h"
#include "syntax/literals.h"
#include "syntax/text.h"

namespace smec::syntax {

namespace {

using P = grammar::SmeParser;
using antlr4::Token;

void reportEscape(const BuildContext& in, const Token* token, std::size_t offset,
                  std::string_view where, std::string_view known) {
    SourceRange range = in.rangeOf(token);
    range.begin += static_cast<std::uint32_t>(offset);
    std::string_view escape =
        in.text.substr(range.begin, 1 + characterLength(in.text, range.begin + 1));
    range.end = range.begin + static_cast<std::uint32_t>(escape.size());
    in.diagnostics.report(DiagId::BadEscape, range, clip(escape), where, known);
}

ast::ExprId integerLiteral(const BuildContext& in, const Token* token) {
    std::optional<ast::Integer> value = parseInteger(in.textOf(token));
    if (!value) in.diagnostics.report(DiagId::IntegerTooLarge, in.rangeOf(token), kMaxIntegerBits);
    return in.add(in.rangeOf(token), ast::IntLiteral{value ? std::move(*value) : ast::Integer()});
}

ast::ExprId floatLiteral(const BuildContext& in, const Token* token) {
    const std::string_view text = in.textOf(token);
    const std::optional<double> value = parseFloat(text);
    if (!value) in.diagnostics.report(DiagId::FloatTooLarge, in.rangeOf(token), clip(text));
    return in.add(in.rangeOf(token), ast::FloatLiteral{value.value_or(0)});
}

ast::ExprId characterLiteral(const BuildContext& in, const Token* token) {
    const ParsedString parsed = parseCharacter(in.textOf(token));
    if (parsed.badEscape)
        reportEscape(in, token, *parsed.badEscape, "a character", "\\', \\\", \\\\, \\n or \\t");
    return in.add(in.rangeOf(token),
                  ast::CharacterLiteral{static_cast<std::uint8_t>(parsed.value.front())});
}

}  // namespace

ast::ExprId buildLiteral(const BuildContext& in, const Token* token) {
    switch (token->getType()) {
    case P::Integer: return integerLiteral(in, token);
    case P::Float: return floatLiteral(in, token);
    case P::Character: return characterLiteral(in, token);
    case P::String: return buildString(in, token);
    case P::True: return in.add(in.rangeOf(token), ast::BoolLiteral{true});
    case P::False: return in.add(in.rangeOf(token), ast::BoolLiteral{false});
    default: return in.add(in.rangeOf(token), ast::Undefined{});
    }
}

ast::ExprId buildString(const BuildContext& in, const Token* token) {
    return in.add(in.rangeOf(token), ast::StringLiteral{stringValue(in, token)});
}

std::string stringValue(const BuildContext& in, const Token* token) {
    ParsedString parsed = parseString(in.textOf(token));
    if (parsed.badEscape)
        reportEscape(in, token, *parsed.badEscape, "a string", "\\\", \\\\, \\n or \\t");
    return std::move(parsed.value);
}

}  // namespace smec::syntax
