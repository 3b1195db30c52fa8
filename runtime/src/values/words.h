#pragma once

#include <string>
#include <string_view>

namespace sme {

/// Names and texts of others as they stand in a message: on one line, and without what a terminal
/// would take for a command.
std::string onOneLine(std::string_view text);

/// A cell of a file in quotes, as far as it is a word: the first 60 ASCII characters, and then
/// `...` where more or other bytes follow.
std::string quotedWord(std::string_view word);

}  // namespace sme
