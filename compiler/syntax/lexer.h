#pragma once

#include <cstdint>
#include <vector>

#include "ast/ast.h"
#include "diag/diagnostics.h"

namespace smec::syntax {

/// One token: a type of grammar::SmeLexer and byte offsets, half-open.
struct LexedToken {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint16_t type = 0;
};

/// Stands in LexedToken::type for the end of the file.
constexpr std::uint16_t kEndOfFile = UINT16_MAX;
/// Stands in LexedToken::type for a bracket that nests too deep. The grammar has no place for it,
/// so that parsing stops here.
constexpr std::uint16_t kTooDeep = UINT16_MAX - 1;

/// Stands for every token beyond the longest piece that is parsed in one go.
constexpr std::uint16_t kTooLong = UINT16_MAX - 2;

/// Tokens of one declaration or statement (of a process or network: of each in it). The parser
/// needs some 250 bytes a token.
constexpr std::size_t kMaxPieceTokens = std::size_t(1) << 22;

/// The deepest nesting of brackets, and of operators in one expression, that is accepted.
constexpr std::size_t kMaxNesting = 256;

struct Lexed {
    std::vector<LexedToken>
        tokens;  ///< without white space and comments; the last one is kEndOfFile
    std::vector<ast::Comment> comments;
    std::vector<std::uint32_t>
        errorTokens;      ///< of each error reported the token at or before which it stands
    bool gaveUp = false;  ///< so many errors that the file is hardly source text
};

/// Splits a file into tokens. Reports what is no text or no token, and goes on as if it had been
/// something harmless: bad characters are left out, malformed numbers and strings keep their place.
Lexed lex(const SourceManager& sources, FileId file, Diagnostics& diagnostics);

/// Marks (kTooDeep) every opening bracket and `?` that nests deeper than kMaxNesting. Words that
/// start a process, a network or an import begin anew, since none of them may stand inside of
/// anything.
void limitNesting(std::vector<LexedToken>& tokens);

}  // namespace smec::syntax
