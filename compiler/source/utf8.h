#pragma once

#include <cstddef>
#include <string_view>

namespace smec {

/// Bytes of the UTF-8 character that starts at `at`; 0 where none does (a stray, overlong or cut
/// sequence).
std::size_t characterLength(std::string_view text, std::size_t at);

bool isUtf8(std::string_view text);

}  // namespace smec
