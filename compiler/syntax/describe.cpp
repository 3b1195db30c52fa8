#include <array>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "syntax/failure.h"
#include "syntax/text.h"

// {Integer, '(', '-', Identifier, ...} becomes "an expression": sets of tokens that start one
// construct are named by it and taken out; operators that could go on are left out where something
// has to follow; the rest is listed.
//
//     n = 3 +* 4;      unexpected '*'; expected an expression
//     n = 5 m = 6;     unexpected 'm'; expected ';'
//     n = 5            expected ';' after '5'        (at the end of that line)

namespace smec::syntax {

namespace {

using P = grammar::SmeParser;

constexpr std::size_t kMaxListed = 4;

TokenSet setOf(std::initializer_list<std::size_t> types) {
    TokenSet set;
    for (std::size_t type : types)
        set.set(type);
    return set;
}

TokenSet range(std::size_t first, std::size_t last) {
    TokenSet set;
    for (std::size_t type = first; type <= last; ++type)
        set.set(type);
    return set;
}

TokenSet reservedWords() { return range(P::As, P::While); }
TokenSet contextualWords() { return range(P::Assume, P::Wait); }
TokenSet names() { return contextualWords() | setOf({P::Identifier}); }
TokenSet compoundAssignments() { return range(P::ShiftLeftAssign, P::XorAssign); }

TokenSet continuations() {
    return range(P::LogicalAnd, P::NotEqual)
           | setOf({P::Star, P::Slash, P::Percent, P::Less, P::Greater, P::Ampersand, P::Caret,
                    P::Pipe, P::Plus, P::Minus, P::Question, P::Dot, P::LeftParen, P::LeftBracket});
}

/// What starts a construct. It is meant where all of `all` are expected; then `starters` need no
/// further mention.
struct Construct {
    std::string_view name;
    TokenSet all;
    TokenSet starters;
};

// Those that hold others come first.
std::vector<Construct> constructs() {
    TokenSet expression =
        names()
        | setOf({P::Integer, P::Float, P::Character, P::String, P::True, P::False, P::Undefined,
                 P::Plus, P::Minus, P::Bang, P::Tilde, P::LeftParen, P::LeftBracket});
    TokenSet declaration = setOf({P::Const, P::Enum, P::Type, P::Func, P::Bus, P::Exposed, P::Hold,
                                  P::Unique, P::Delay, P::Var, P::Instance, P::Generate});
    TokenSet item =
        declaration
        | setOf({P::Import, P::From, P::Extern, P::Proc, P::Network, P::Sync, P::Async, P::Sim});
    TokenSet statement = names()
                         | setOf({P::Var, P::If, P::For, P::While, P::Switch, P::Break, P::Barrier,
                                  P::Return, P::Trace, P::Assert, P::LeftBrace});
    TokenSet parameter = setOf({P::In, P::Out, P::Const, P::LeftBracket});
    return {
        {"a declaration", setOf({P::Network, P::Proc, P::Import}), item},
        {"a declaration", setOf({P::Instance, P::Generate}), declaration},
        {"'bus'", setOf({P::Bus, P::Exposed, P::Hold}),
         setOf({P::Bus, P::Exposed, P::Hold, P::Unique, P::Delay})},
        {"a statement", setOf({P::If, P::For, P::Trace}), statement},
        {"an expression", setOf({P::Integer, P::Identifier}), expression},
        {"a parameter", setOf({P::In, P::Out, P::Const}), parameter},
        {"a name", setOf({P::Identifier}), names()},
        {"'='", setOf({P::Assign, P::PlusAssign}), setOf({P::Assign}) | compoundAssignments()},
    };
}

std::vector<std::string> expectations(TokenSet expected, const antlr4::dfa::Vocabulary& words) {
    if ((expected & ~continuations()).any()) expected &= ~continuations();
    if (expected.count() > 1) expected.reset(P::Dot);
    std::vector<std::string> out;
    for (const Construct& construct : constructs()) {
        if ((expected & construct.all) != construct.all) continue;
        out.emplace_back(construct.name);
        expected &= ~construct.starters;
    }
    for (std::size_t type = 1; type < expected.size(); ++type)
        if (expected.test(type))
            out.push_back(type == P::String ? "a string" : words.getLiteralName(type));
    return out;
}

std::string joined(const std::vector<std::string>& parts) {
    std::string out;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i > 0) out += i + 1 == parts.size() ? " or " : ", ";
        out += parts[i];
    }
    return out;
}

/// One failure with what stands around it.
class Description {
public:
    Description(const Failure& failure, const antlr4::dfa::Vocabulary& words,
                const std::vector<LexedToken>& tokens, const SourceManager& sources, FileId file)
        : expected_(failure.expected),
          words_(words),
          token_(tokens[failure.token]),
          text_(sources.text(file)),
          file_(file) {
        if (failure.token > 0) before_ = tokens[failure.token - 1];
    }

    SyntaxMessage build() const {
        if (endsTooEarly())
            return {{file_, before_.end, before_.end},
                    fmt::format("expected ';' after {}", quoted(before_))};
        std::string hint = hintText();
        std::string text = fmt::format("unexpected {}", quoted(token_));
        if (!hint.empty()) text += "; " + hint;
        return {{file_, token_.begin, token_.end}, text};
    }

private:
    std::string_view textOf(const LexedToken& token) const {
        return text_.substr(token.begin, token.end - token.begin);
    }

    std::string quoted(const LexedToken& token) const {
        return token.type == kEndOfFile ? "end of file" : fmt::format("'{}'", clip(textOf(token)));
    }

    bool onNewLine() const {
        if (token_.type == kEndOfFile) return true;
        return text_.substr(before_.end, token_.begin - before_.end).find('\n')
               != std::string_view::npos;
    }

    // A statement that breaks off at the end of its line or block lacks a semicolon, whatever else
    // might have followed.
    bool endsTooEarly() const {
        return expected_.test(P::Semicolon) && before_.end > 0
               && (onNewLine() || token_.type == P::RightBrace);
    }

    bool isReserved() const {
        return token_.type < expected_.size() && reservedWords().test(token_.type);
    }
    bool isDeclaration() const {
        return token_.type < expected_.size()
               && setOf({P::Const, P::Enum, P::Func, P::Bus, P::Instance, P::Generate})
                      .test(token_.type);
    }

    std::string hintText() const {
        if (before_.type == P::Else && token_.type == P::If) return "write 'elif'";
        if (token_.type == P::Assign && expected_.test(P::Equal)) return "write '==' to compare";
        if (token_.type == P::LeftParen && expected_.test(P::PlusAssign))
            return "a call is no statement";
        if (isDeclaration() && expected_.test(P::Trace))
            return "declarations stand in front of the body";
        if (before_.type == P::Until && expected_.test(P::LeftParen))
            return "expected '(' after 'wait until'";
        std::vector<std::string> parts = expectations(expected_, words_);
        if (isReserved() && parts.size() == 1 && parts[0] == "a name")
            return "a reserved word cannot be a name";
        if (parts.empty() || parts.size() > kMaxListed) return {};
        return "expected " + joined(parts);
    }

    TokenSet expected_;
    const antlr4::dfa::Vocabulary& words_;
    LexedToken token_;
    LexedToken before_;
    std::string_view text_;
    FileId file_;
};

}  // namespace

SyntaxMessage describe(const Failure& failure, const antlr4::dfa::Vocabulary& words,
                       const std::vector<LexedToken>& tokens, const SourceManager& sources,
                       FileId file) {
    return Description(failure, words, tokens, sources, file).build();
}

}  // namespace smec::syntax
