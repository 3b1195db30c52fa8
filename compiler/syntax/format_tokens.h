#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "syntax/lexer.h"

namespace smec::syntax {

/// How tight an operator binds, loose to tight; lines are broken at the loosest.
enum class Binding : std::uint8_t {
    None,
    Conditional,
    LogicalOr,
    LogicalAnd,
    Bits,
    Equality,
    Order,
    Shift,
    Sum,
    Product
};

struct FormatComment {
    std::string_view text;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    bool startsLine = false;  ///< nothing but white space before it on its line
    bool endsLine = false;    ///< nothing but white space after it on its line
    bool isAlone = false;     ///< nothing but comments on its line
    bool isLine() const { return text.starts_with("//"); }
};

struct FormatToken {
    std::uint16_t type = 0;
    std::string_view text;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t width = 0;    ///< in characters
    bool spaceBefore = false;   ///< between it and the token before, on one line
    bool startsLine = false;    ///< a line break of the source stands between it and that token
    bool isAssign = false;      ///< `=` and the compound assignments
    bool isPlainColon = false;  ///< of a type or a named argument
    Binding binding = Binding::None;
    std::span<const FormatComment> before;  ///< comments that belong to what follows
    std::span<const FormatComment> after;   ///< comments at the end of the token's line

    /// A comment in front of it needs a line of its own.
    bool breaksBefore() const;
};

/// The tokens of a file (the end of file is one) with their comments and the spaces between them.
/// Refers to the text.
struct FormatTokens {
    std::string_view text;
    std::vector<FormatComment> comments;
    std::vector<FormatToken> tokens;
};

FormatTokens formatTokens(std::string_view text, const Lexed& lexed);

/// Fills in spaceBefore, isAssign, isPlainColon and binding.
void decideSpaces(std::vector<FormatToken>& tokens);

/// Characters of UTF-8 text.
std::uint32_t characters(std::string_view text);

}  // namespace smec::syntax
