#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "sme/number_text.h"

namespace sme {

/// A whole number as text, for all who take one from a file, an option or a call, by the grammar of
/// sme/number_text.h. `limbs`, one at least, get it in two's complement, lowest first; TooLong: it
/// does not go into them.
inline NumberRead readNumber(std::string_view text, std::span<std::uint64_t> limbs) {
    return readNumber(text, limbs.data(), limbs.size());
}

/// The same for `true` and `false`, which are 1 and 0, too.
inline NumberRead readNumberOrBool(std::string_view text, std::span<std::uint64_t> limbs) {
    return readNumberOrBool(text, limbs.data(), limbs.size());
}

}  // namespace sme
