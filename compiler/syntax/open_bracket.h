#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "syntax/lexer.h"

namespace smec::syntax {

/// A bracket that nothing closes. `isGuess`: what closes it stands further left than its line, as
/// if it closed another.
struct OpenBracket {
    std::size_t token;
    bool isGuess = false;
};
/// The '{' that is not closed among the tokens from `start` to before `end`.
std::optional<OpenBracket> openBrace(const std::vector<LexedToken>& tokens, std::string_view text,
                                     std::size_t start, std::size_t end);

}  // namespace smec::syntax
