#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace smec::syntax {

/// Characters that are no token here but mean something in another language: 8'hff, $display,
/// #define.
struct ForeignText {
    std::size_t begin = 0;  ///< bytes of the file, half-open
    std::size_t end = 0;
    std::string message;
    bool isValue = false;  ///< stands where an operand does
};

/// Looks at the character at `at`, which is no token. A number or a name may end there: it starts
/// at `before`, or there is none and `before` is `at`.
std::optional<ForeignText> foreignText(std::string_view text, std::size_t at, std::size_t before);

/// "; write '10'" for the number 10u, 10u8 or 10ns; nothing where a malformed number suggests
/// nothing.
std::string numberHint(std::string_view number);

}  // namespace smec::syntax
