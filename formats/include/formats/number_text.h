#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace sme {

enum class NumberRead : std::uint8_t { Good, NoNumber, TooLong };

/// A whole number as text, for all who take one from a file, an option or a call: as the language
/// writes it, `123`, `1_000`, `0x1F`, `0o17`, `0b1010` with `_` between digits, perhaps after `-`;
/// zeros in front mean nothing. A number has no width of its own: `0xFF` is 255 for an i8 too.
///
/// `limbs` get it in two's complement, lowest first; TooLong: it does not go into them.
NumberRead readNumber(std::string_view text, std::span<std::uint64_t> limbs);

/// The same for `true` and `false`, which are 1 and 0, too.
NumberRead readNumberOrBool(std::string_view text, std::span<std::uint64_t> limbs);

}  // namespace sme
