#pragma once

#include <string_view>

namespace sme {

/// p[2] before p[10]: runs of digits compare as numbers, all else by character.
bool naturalLess(std::string_view a, std::string_view b);

/// `*` any text, `?` one character, all else itself (brackets too: they stand in names).
bool globMatches(std::string_view glob, std::string_view name);

}  // namespace sme
