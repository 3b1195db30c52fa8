#pragma once

// Whole numbers as text, as files, options and calls give them: formats/number_text.h has the grammar
// for the compiler and the runtime. C++17, for bindings that are built by themselves.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sme {

enum class NumberRead : std::uint8_t { Good, NoNumber, TooLong };

namespace numbers {

__extension__ using Wide = unsigned __int128;

inline unsigned radixOf(std::string_view text) {
    if (text.size() < 2 || text[0] != '0') return 10;
    switch (text[1]) {
    case 'x': return 16;
    case 'o': return 8;
    case 'b': return 2;
    default: return 10;
    }
}

inline unsigned digitOf(char c) {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
    if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
    return 16;
}

/// Digits, with single `_` between them.
inline bool areDigits(std::string_view text, unsigned radix) {
    bool isAfterDigit = false;
    for (const char c : text) {
        if (c == '_' ? !isAfterDigit : digitOf(c) >= radix) return false;
        isAfterDigit = c != '_';
    }
    return isAfterDigit;
}

/// Of limbs of which `used` are not zero. False: it does not go into `count` of them, and not all
/// letters need be looked at then.
inline bool addDigit(std::uint64_t* limbs, std::size_t count, std::size_t& used, unsigned radix,
                     unsigned digit) {
    std::uint64_t carry = digit;
    for (std::size_t i = 0; i < used; ++i) {
        const Wide product = Wide{limbs[i]} * radix + carry;
        limbs[i] = static_cast<std::uint64_t>(product);
        carry = static_cast<std::uint64_t>(product >> 64);
    }
    if (carry == 0) return true;
    if (used == count) return false;
    limbs[used++] = carry;
    return true;
}

inline void negate(std::uint64_t* limbs, std::size_t count) {
    bool carry = true;
    for (std::size_t i = 0; i < count; ++i) {
        limbs[i] = ~limbs[i] + (carry ? 1 : 0);
        carry = carry && limbs[i] == 0;
    }
}

}  // namespace numbers

/// As the language writes it, `123`, `1_000`, `0x1F`, `0o17`, `0b1010` with `_` between digits,
/// perhaps after `-`; zeros in front mean nothing. A number has no width of its own: `0xFF` is 255
/// for an i8 too.
///
/// `count` limbs, one at least, get it in two's complement, lowest first; TooLong: it does not go into
/// them. Works on no other memory; any number of threads may call it.
inline NumberRead readNumber(std::string_view text, std::uint64_t* limbs, std::size_t count) {
    const bool isNegative = text.substr(0, 1) == "-";
    if (isNegative) text.remove_prefix(1);
    const unsigned radix = numbers::radixOf(text);
    if (radix != 10) text.remove_prefix(2);
    if (!numbers::areDigits(text, radix)) return NumberRead::NoNumber;
    std::fill(limbs, limbs + count, 0);
    std::size_t used = 0;
    for (const char c : text)
        if (c != '_' && !numbers::addDigit(limbs, count, used, radix, numbers::digitOf(c)))
            return NumberRead::TooLong;
    if (limbs[count - 1] >> 63 != 0) return NumberRead::TooLong;
    if (isNegative) numbers::negate(limbs, count);
    return NumberRead::Good;
}

/// The same for `true` and `false`, which are 1 and 0, too.
inline NumberRead readNumberOrBool(std::string_view text, std::uint64_t* limbs, std::size_t count) {
    if (text != "true" && text != "false") return readNumber(text, limbs, count);
    std::fill(limbs, limbs + count, 0);
    limbs[0] = text == "true" ? 1 : 0;
    return NumberRead::Good;
}

}  // namespace sme
