#pragma once

#include "driver/verilog/scan/token.h"

namespace smec::driver::scan {

/// Words of a text, one after the other, whatever its bytes are. Comments and attributes are
/// passed over, but for what they tell synthesis. O(n) for the whole text, which has to stay.
class Lexer {
public:
    Lexer(std::string_view text, std::uint16_t file, std::uint32_t line = 1,
          std::uint32_t column = 1)
        : text_(text),
          line_(line),
          lineBegin_(1 - static_cast<std::ptrdiff_t>(column)),
          file_(file) {}

    Token next();

    /// The rest of a logical line, which goes on after a `\` at its end; moves behind it.
    struct Line {
        std::string_view text;
        std::uint32_t line = 0;
        std::uint32_t column = 0;
    };
    Line restOfLine();

    /// Whether the next byte is this one, without blanks between.
    bool isNext(char c) const { return at_ < text_.size() && text_[at_] == c; }

private:
    char peek(std::size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }
    void advance(std::size_t count);
    bool skipBlank();
    void skipComment();
    bool skipAttribute();
    void takeNotes(std::string_view text, bool isComment);
    Token token(std::size_t begin, TokenKind kind) const;
    Token takeNumber();
    Token takeText();
    std::size_t basedEnd(std::size_t at) const;

    std::string_view text_;
    std::size_t at_ = 0;
    std::uint32_t line_ = 1;
    std::ptrdiff_t lineBegin_ = 0;
    std::uint16_t file_ = 0;
    Tokens notes_;  ///< of the last comment or attribute, the next one last
};

}  // namespace smec::driver::scan
