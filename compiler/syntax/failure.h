#pragma once

#include <bitset>
#include <string>
#include <vector>

#include <SmeParser.h>
#include <antlr4-runtime.h>

#include "source/source_manager.h"
#include "syntax/lexer.h"

namespace smec::syntax {

/// Token types of grammar::SmeParser.
using TokenSet = std::bitset<128>;

/// Where the parser could not go on and what it would have taken there. Thrown through ANTLR's code
/// only; it never leaves this folder.
struct Failure {
    std::size_t token = 0;
    TokenSet expected;
};

/// Ends parsing at the first error with a Failure; repairs nothing.
class FailingStrategy final : public antlr4::ANTLRErrorStrategy {
public:
    void reset(antlr4::Parser*) override { visited_.clear(); }
    antlr4::Token* recoverInline(antlr4::Parser* parser) override;
    void recover(antlr4::Parser* parser, std::exception_ptr error) override;
    /// Notes the decisions taken at the current token: what they would have accepted is part of
    /// what was expected there.
    void sync(antlr4::Parser* parser) override;
    bool inErrorRecoveryMode(antlr4::Parser*) override { return false; }
    void reportMatch(antlr4::Parser*) override {}
    void reportError(antlr4::Parser*, const antlr4::RecognitionException&) override {}

private:
    TokenSet expectedAt(antlr4::Parser& parser, std::size_t token) const;

    std::vector<std::size_t> visited_;  // parser states
    std::size_t visitedAt_ = 0;         // the token they belong to
};

struct SyntaxMessage {
    SourceRange range;
    std::string text;
};

/// The message for a failure: "unexpected '*'; expected an expression". `words` has the spelling of
/// the tokens.
SyntaxMessage describe(const Failure& failure, const antlr4::dfa::Vocabulary& words,
                       const std::vector<LexedToken>& tokens, const SourceManager& sources,
                       FileId file);

}  // namespace smec::syntax
