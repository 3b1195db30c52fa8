#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ast/ast.h"

namespace smec::syntax {

/// The widest integer literal, in bits; constants have the same limit.
constexpr std::size_t kMaxIntegerBits = 65536;

/// The value of an Integer token; nothing where it has more than kMaxIntegerBits.
std::optional<ast::Integer> parseInteger(std::string_view text);

/// The value of a Float token, rounded to the nearest; nothing where that is infinite.
std::optional<double> parseFloat(std::string_view text);

struct ParsedString {
    std::string value;
    std::optional<std::size_t> badEscape;  ///< offset of the first unknown escape in the token
};

/// The value of a String token, quotes included in `text`. Unknown escapes stay as they are.
ParsedString parseString(std::string_view text);
/// The same of a Character token: one byte, unless its escape is unknown.
ParsedString parseCharacter(std::string_view text);

}  // namespace smec::syntax
