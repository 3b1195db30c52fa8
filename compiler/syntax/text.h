#pragma once

#include <string>
#include <string_view>

namespace smec::syntax {

/// Source text for a message: at most 30 characters, then "..."; on one line, with unprintable
/// bytes replaced.
std::string clip(std::string_view text);

}  // namespace smec::syntax
