#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "syntax/lexer.h"

namespace smec::syntax {

/// Where parsing goes on after the item at `start` failed at `failed`: at the next token that
/// starts an item, as far as its surroundings tell; else at the end of the file. Always after
/// `start`.
std::size_t nextItem(const std::vector<LexedToken>& tokens, std::string_view text,
                     std::size_t start, std::size_t failed);

/// What is parsed in one go. Items stand in a module; heads of processes and networks count as
/// such.
enum class PieceKind : std::uint8_t { Item, NetworkDeclaration, ProcessDeclaration, Statement };

/// Where parsing goes on within a process or network after a piece that starts at `start` and
/// failed at `failed`: at a token that can start a piece or end the list. Empty where that cannot
/// be told; then the item is given up.
std::optional<std::size_t> nextPiece(const std::vector<LexedToken>& tokens, std::string_view text,
                                     std::size_t start, std::size_t failed, PieceKind kind);

/// Whether a process, a network, an import or a declaration may start here.
bool startsItem(const std::vector<LexedToken>& tokens, std::size_t at);

}  // namespace smec::syntax
