#pragma once

#include <string_view>
#include <vector>

#include "syntax/lexer.h"

namespace smec::syntax {

/// Where parsing goes on after the item at `start` failed at `failed`: at the next token that
/// starts an item, as far as its surroundings tell; else at the end of the file. Always behind
/// `start`.
std::size_t nextItem(const std::vector<LexedToken>& tokens, std::string_view text,
                     std::size_t start, std::size_t failed);

}  // namespace smec::syntax
