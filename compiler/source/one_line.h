#pragma once

#include <string>
#include <string_view>

namespace smec {

/// Names and texts of others as they stand in a message: on one line, in UTF-8, and without what
/// a terminal would take for a command. `a<line end>b` becomes `a\nb`.
std::string onOneLine(std::string_view text);

/// A word of a data file in quotes, as far as it is one: the first 60 ASCII characters, and then
/// `...` where more or other bytes follow.
std::string quotedWord(std::string_view word);

}  // namespace smec
