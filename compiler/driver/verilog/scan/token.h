#pragma once

#include <algorithm>
#include <cstdint>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

namespace smec::driver::scan {

enum class TokenKind : std::uint8_t {
    End,
    Name,        ///< also keywords
    SystemName,  ///< $display
    Number,      ///< 12, 4'b1??0, 'hff, '1, 2.5e3
    Text,        ///< "..."
    Sign,
    Directive,  ///< `ifdef, or a macro's use
    Note        ///< a word for synthesis in a comment or an attribute: "translate_off"
};

/// A word of Verilog and where it stands: lines and columns count from 1, columns in bytes. What a
/// macro makes stands where the macro is used.
struct Token {
    std::string_view text;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::uint32_t length = 0;  ///< of what stands there
    std::uint16_t file = 0;
    TokenKind kind = TokenKind::End;

    bool is(std::string_view what) const { return text == what && kind != TokenKind::Text; }
    bool isName() const { return kind == TokenKind::Name; }
    bool isNumber() const { return kind == TokenKind::Number; }
};
using Tokens = std::vector<Token>;

template <class List>
bool isIn(std::string_view word, const List& list) {
    return std::ranges::find(list, word) != std::ranges::end(list);
}

/// Part of a list of tokens.
struct Span {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    bool empty() const { return begin >= end; }
    std::uint32_t size() const { return empty() ? 0 : end - begin; }
    bool operator==(const Span&) const = default;
};

}  // namespace smec::driver::scan
